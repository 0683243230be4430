/// An error while converting, reading or writing an image.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The pixel format, or a feature of the image file, is not supported.
        case unsupportedFormat
        /// A crop lies outside the image, or a size is empty.
        case invalidGeometry
        /// The buffer's memory cannot be accessed.
        case inaccessible
        /// A setting is invalid.
        case invalidInput
        /// The data has another format or is damaged.
        case damaged
        /// The number of pixels or the size of the metadata exceeds the limit of the format or of this library.
        case tooLarge
        /// There is not enough memory.
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
