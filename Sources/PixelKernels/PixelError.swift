/// An error of a pixel conversion.
public struct PixelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The pixel format is not supported.
        case unsupportedFormat
        /// A crop lies outside the image, or a size is empty.
        case invalidGeometry
        /// The buffer's memory cannot be accessed.
        case inaccessible
        /// libyuv failed for lack of memory.
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
