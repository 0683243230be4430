/// Why a still picture could not be read or written.
public struct StillError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The data is not of the format, or broken beyond use.
        case damaged
        /// The data is whole, but uses something that is not supported.
        case unsupported
        /// More pixels, or more bytes of metadata, than the format or this library takes.
        case tooLarge
        /// A setting or a pixel buffer that cannot be used.
        case invalidInput
        case outOfMemory
    }

    public let code: Code
    /// One sentence: what was wrong and what would be right.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
