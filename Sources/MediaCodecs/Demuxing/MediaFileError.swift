/// Why a media file could not be opened, read or decoded.
public struct MediaFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case notFound
        /// A folder, a device or a pipe.
        case notAFile
        case notPermitted
        /// The file is none of the media formats that can be read.
        case notRecognized
        /// The file is a media file without a picture or sound that can be decoded.
        case noMedia
        /// There is no decoder for a track.
        case unsupportedCodec
        case inputOutput
        case outOfMemory
    }

    public let code: Code
    public let path: String
    /// One sentence that names the file.
    public let message: String

    public init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    public var description: String { message }
}
