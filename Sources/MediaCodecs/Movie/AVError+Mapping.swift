import AssetTypes
import Foundation
package import MediaStorage

extension AVError {
    /// Creates the error that clients receive for a storage error.
    package init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .diskFull: .diskFull
            case .alreadyExists: .fileAlreadyExists
            case .notPermitted: .operationNotAllowed
            case .notFound, .notADirectory, .notAFile, .inputOutput, .closed: .unknown
            }
        self.init(code, error.description, cause: error)
    }

    /// Creates the error that clients receive for an error in a media file.
    package init(_ error: MediaFileError) {
        let code: Code =
            switch error.code {
            case .notFound, .notAFile, .inputOutput: .unknown
            case .noByteRanges: .serverIncorrectlyConfigured
            case .notPermitted: .operationNotAllowed
            case .notRecognized: .fileFormatNotRecognized
            case .noMedia: .fileFailedToParse
            case .unsupportedCodec: .decoderNotFound
            case .protected: .contentIsProtected
            case .outOfMemory: .outOfMemory
            }
        self.init(code, error.message, cause: error)
    }

    /// Creates the error that clients receive if samples of a media file cannot be read or decoded.
    package init(readingSamples error: MediaFileError) {
        switch error.code {
        case .inputOutput, .notFound, .notAFile: self.init(.failedToLoadSampleData, error.message, cause: error)
        case .unsupportedCodec: self.init(.decodeFailed, error.message, cause: error)
        case .notPermitted, .notRecognized, .noMedia, .protected, .outOfMemory, .noByteRanges: self.init(error)
        }
    }

    /// Creates the error that clients receive for an error of the movie writer.
    package init(_ error: MovieError) {
        switch error.cause {
        case .storage(let cause)?: self.init(cause)
        case .encoding(let cause)?: self.init(.encodeFailed, cause.message, cause: cause)
        case nil:
            let code: Code =
                switch error.code {
                case .unsupportedFormat: .unsupportedOutputSettings
                case .empty: .noDataCaptured
                case .invalidSample, .invalidState, .incomplete, .storage, .encoding: .unknown
                }
            self.init(code, error.message, cause: error)
        }
    }

    /// Creates the error that clients receive for an encoder error.
    package init(_ error: EncodingError) {
        let code: Code =
            switch error.code {
            case .codecUnavailable: .encoderNotFound
            case .invalidSettings: .unsupportedOutputSettings
            case .formatMismatch, .invalidState: .unknown
            case .codecFailed: .encodeFailed
            }
        self.init(code, error.message, cause: error)
    }
}
