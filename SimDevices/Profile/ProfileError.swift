import StrictYAML

/// An error in a device profile.
public struct ProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, or the requested name.
    public let file: String
    /// From 1; 0 if the error has no position in the file.
    public let line: Int
    /// From 1; 0 if the error has no position in the file.
    public let column: Int
    /// The key path within the profile, such as `devices[0].lens.aperture`.
    public let key: String
    /// One sentence with position, problem and remedy.
    public let message: String

    init(_ error: YAMLError) {
        file = error.file
        line = error.line
        column = error.column
        key = error.key
        message = error.description
    }

    init(file: String, message: String) {
        self.file = file
        self.line = 0
        self.column = 0
        self.key = ""
        self.message = message
    }

    public var description: String { message }
}
