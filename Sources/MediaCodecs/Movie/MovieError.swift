package import MediaStorage

/// What went wrong while a movie was encoded or written.
package struct MovieError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The storage failed; the cause tells how.
        case storage
        /// An encoder failed; the cause tells how.
        case encoding
        /// The container cannot hold this kind of media, or the settings contradict each other.
        case unsupportedFormat
        /// A sample has times that cannot be in a track, or does not fit the track's format.
        case invalidSample
        /// A call came in a state in which it makes no sense, as appending to a finished movie.
        case invalidState
        /// The movie ended without a single sample; no file is left.
        case empty
    }

    /// The error of the layer below.
    package enum Cause: Sendable, Hashable {
        case storage(StorageError)
        case encoding(EncodingError)
    }

    package let code: Code
    /// One sentence for a person.
    package let message: String
    package let cause: Cause?
    /// Whether the file that is left plays at least in part.
    package let hasPlayableContent: Bool

    package init(_ code: Code, _ message: String, cause: Cause? = nil, hasPlayableContent: Bool = false) {
        self.code = code
        self.message = message
        self.cause = cause
        self.hasPlayableContent = hasPlayableContent
    }

    init(_ error: StorageError, hasPlayableContent: Bool = false) {
        self.init(.storage, error.description, cause: .storage(error), hasPlayableContent: hasPlayableContent)
    }

    init(_ error: EncodingError, hasPlayableContent: Bool = false) {
        self.init(.encoding, error.description, cause: .encoding(error), hasPlayableContent: hasPlayableContent)
    }

    package var description: String { message }
}
