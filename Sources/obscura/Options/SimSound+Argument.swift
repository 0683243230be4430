import ArgumentParser
import SimDevices

extension SimSound {
    /// Parses a name on the command line.
    ///
    /// - Throws: `ValidationError` with the known names.
    init(argument: String) throws {
        guard let sound = SimSound(rawValue: argument) else {
            throw ValidationError(
                "there is no sound \"\(argument)\"; the sounds are "
                    + SimSound.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = sound
    }
}
