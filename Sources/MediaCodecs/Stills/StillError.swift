/// An error while reading or writing an image.
public struct StillError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The data has another format or is damaged.
        case damaged
        /// The data is valid but uses an unsupported feature.
        case unsupported
        /// The number of pixels or the size of the metadata exceeds the limit of the format or of this library.
        case tooLarge
        /// A setting or a pixel buffer is invalid.
        case invalidInput
        case outOfMemory
    }

    /// The reason.
    public let code: Code
    /// One sentence: the problem and its solution.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
