import ArgumentParser
import CaptureHAL
import Foundation
import SimDevices

/// `obscura profile`.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Prints a built-in device profile, or lists all of them.",
        discussion: """
            Save a profile to a file, change it, and pass the file to --profile; or write a file with only the \
            differences from a built-in profile (basedOn).
            """)

    @Argument(help: "The profile: \(DeviceProfile.builtInNames.joined(separator: ", ")).") var name: String?
    @Flag(help: "List the built-in profiles with their cameras. (default: off)") var list = false

    func validate() throws {
        guard let name else {
            if list { return }
            throw ValidationError("name a profile, or pass --list")
        }
        if list { throw ValidationError("--list takes no name") }
        do throws(ProfileError) {
            _ = try DeviceProfile.builtInYAML(name)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() throws {
        if let name { return try printText(DeviceProfile.builtInYAML(name)) }
        let profiles = try DeviceProfile.builtInNames.map(DeviceProfile.builtIn)
        let header = ["NAME", "BACK", "NEAREST FOCUS", "FRONT", "DEPTH", "SCREEN", "DESCRIPTION"]
        try TextTable([header] + profiles.map(Self.row), columns: outputColumns) { row in
            let details = zip(header, row).dropFirst().dropLast().filter { $0.1 != "-" }
                .map { "\($0.0.lowercased()): \($0.1)" }
            return (row.suffix(1) + details).joined(separator: "; ")
        }.print()
    }

    /// The cells of a profile.
    private static func row(_ profile: DeviceProfile) -> [String] {
        let cameras = profile.devices.compactMap { device -> CameraProfile? in
            if case .camera(let camera) = device { camera } else { nil }
        }
        let back = cameras.filter { $0.position == .back && $0.kind != .builtInLiDARDepthCamera }
        let front = cameras.filter { $0.position == .front }
        func list(_ cells: [String]) -> String { cells.isEmpty ? "-" : cells.joined(separator: ", ") }
        let screen = profile.machine.screen
        return [
            profile.name, list(back.map { "\(plainNumber($0.lens.equivalentFocalLengthMillimeters)) mm" }),
            list(
                back.map { camera in
                    camera.lens.minimumFocusDistanceMillimeters.map { "\(plainNumber($0)) mm" } ?? "fixed"
                }),
            list(front.map(\.kind.shortName)), list(depthMethods(of: profile)),
            back.isEmpty && front.isEmpty ? "-" : "\(screen.width)x\(screen.height) @\(screen.scale)",
            profile.summary,
        ]
    }

    /// The methods of measuring depth, each once.
    private static func depthMethods(of profile: DeviceProfile) -> [String] {
        profile.devices.compactMap { device -> DepthProfile.Method? in
            switch device {
            case .camera(let camera): camera.depth?.method
            case .virtualCamera(let camera): camera.depth?.method
            case .microphone: nil
            }
        }.reduce(into: []) { names, method in
            let name =
                switch method {
                case .stereo: "stereo"
                case .structuredLight: "front"
                case .timeOfFlight: "LiDAR"
                }
            if !names.contains(name) { names.append(name) }
        }
    }
}
