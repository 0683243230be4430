import ArgumentParser
import SimDevices

/// `obscura profile`.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Prints a built-in device profile.",
        discussion: "Save it to a file, change it, and pass the file to --profile.")

    @Argument(help: "The profile: \(DeviceProfile.builtInNames.joined(separator: ", ")).") var name: String

    func validate() throws {
        do throws(ProfileError) {
            _ = try DeviceProfile.builtInYAML(name)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() throws { try printText(DeviceProfile.builtInYAML(name)) }
}
