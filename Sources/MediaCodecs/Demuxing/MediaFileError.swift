/// An error while opening, reading or decoding a media file.
public struct MediaFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case notFound
        /// A folder, a device or a pipe.
        case notAFile
        case notPermitted
        /// The file's format is not supported.
        case notRecognized
        /// The media file has no video or audio that can be decoded.
        case noMedia
        /// A track cannot be decoded, or its frames cannot be converted.
        case unsupportedCodec
        /// The samples of a track are encrypted.
        case protected
        case inputOutput
        /// The server does not support range requests.
        case noByteRanges
        case outOfMemory
    }

    /// The reason.
    public let code: Code
    /// The path of the file; the URL if it is on a server.
    public let path: String
    /// One sentence that names the file.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    public var description: String { message }
}

extension MediaFileError {
    /// Creates the error for samples that cannot be decoded.
    ///
    /// - Parameter entry: The sample description; nil if the samples refer to one that does not exist.
    package init(undecodable entry: SampleEntry?, of track: TrackMap, path: String) {
        let code = entry?.code ?? "unknown"
        if let protection = entry?.protection {
            self.init(.protected, path: path, "track \(track.number) of \(path) \(protection)")
        } else {
            self.init(
                .unsupportedCodec, path: path,
                "track \(track.number) of \(path) is encoded as \(code), which is not supported")
        }
    }
}
