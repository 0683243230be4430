package import MediaStorage

/// An error while encoding or writing a movie.
package struct MovieError: Error, Sendable, CustomStringConvertible {
    /// The reason of the error.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The storage failed; see the cause.
        case storage
        /// An encoder failed; see the cause.
        case encoding
        /// The container does not support the media, or the settings are contradictory.
        case unsupportedFormat
        /// A sample has invalid times or does not match the track's format.
        case invalidSample
        /// The call is not valid in the current state, such as appending to a finished movie.
        case invalidState
        /// The movie has no samples; the file was removed.
        case empty
        /// The source has media that cannot be read.
        case incomplete
    }

    /// The error of the layer below.
    package enum Cause: Sendable, Hashable {
        case storage(StorageError)
        case encoding(EncodingError)
    }

    /// The reason.
    package let code: Code
    /// A description for the user, in one sentence.
    package let message: String
    /// The error of the layer below; nil if there is none.
    package let cause: Cause?
    /// Whether the remaining file is playable, at least in part.
    package let hasPlayableContent: Bool

    /// Creates an error.
    package init(_ code: Code, _ message: String, cause: Cause? = nil, hasPlayableContent: Bool = false) {
        self.code = code
        self.message = message
        self.cause = cause
        self.hasPlayableContent = hasPlayableContent
    }

    package init(_ error: StorageError, hasPlayableContent: Bool = false) {
        self.init(.storage, error.description, cause: .storage(error), hasPlayableContent: hasPlayableContent)
    }

    init(_ error: EncodingError, hasPlayableContent: Bool = false) {
        self.init(.encoding, error.description, cause: .encoding(error), hasPlayableContent: hasPlayableContent)
    }

    package var description: String { message }
}
