/// Why a picture could not be converted.
public struct PixelError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The pixel format is none of those that the converter knows.
        case unsupportedFormat
        /// A crop lies outside the picture, or a size is empty.
        case invalidGeometry
        /// The buffer's memory cannot be reached.
        case inaccessible
        /// The pixel library refused the call, for lack of memory.
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
