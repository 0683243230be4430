import StrictYAML

/// Why a profile cannot be used.
public struct ProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, or the name that was looked for.
    public let file: String
    /// From 1; 0 where the error has no place in the file.
    public let line: Int
    /// From 1; 0 where the error has no place in the file.
    public let column: Int
    /// Where in the profile, as `devices[0].lens.aperture`.
    public let key: String
    /// One sentence: place, problem and what would be right.
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
