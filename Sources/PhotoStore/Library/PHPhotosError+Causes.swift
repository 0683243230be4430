import CSQLite
import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage

extension PHPhotosError {
    /// Creates the error for a storage error.
    init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .diskFull: .notEnoughSpace
            case .notFound: .missingResource
            case .notPermitted, .notADirectory: .libraryVolumeOffline
            case .alreadyExists, .notAFile, .inputOutput, .closed: .internalError
            }
        self.init(code, error.description, cause: error)
    }

    /// Creates the error for an error of the index.
    init(_ error: SQLiteError, index path: String) {
        let (code, reason): (Code, String) =
            switch error.code {
            case SQLITE_FULL: (.notEnoughSpace, "the disk is full")
            // The shared memory of the write-ahead log cannot be extended.
            case SQLITE_IOERR where error.systemError == ENOSPC || error.systemError == EFBIG:
                (.notEnoughSpace, "the disk is full")
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
                (.libraryVolumeOffline, "it cannot be opened for writing")
            case SQLITE_NOTADB, SQLITE_CORRUPT: (.libraryVolumeOffline, "it is damaged or not a photo library")
            case SQLITE_BUSY, SQLITE_LOCKED: (.operationInterrupted, "another program is using it")
            case SQLITE_CONSTRAINT: (.internalError, "it already has such an entry")
            case SQLITE_IOERR: (.internalError, "the disk failed")
            // SQLite's message may contain statements; it is available in the cause.
            default: (.internalError, "SQLite reports error \(error.extendedCode)")
            }
        self.init(code, "the photo library's index \(path) cannot be used: \(reason)", cause: error)
    }

    /// Creates the error for any error of an operation on the library.
    init(_ error: any Error, index path: String) {
        switch error {
        case let error as PHPhotosError: self = error
        case let error as StorageError: self.init(error)
        case let error as SQLiteError: self.init(error, index: path)
        default: self.init(.internalError, "\(error)", cause: error)
        }
    }

    /// Creates the error for a file that cannot be imported.
    static func invalidResource(_ name: String, _ reason: String, cause: (any Error)? = nil) -> PHPhotosError {
        PHPhotosError(.invalidResource, "\(name) cannot be imported: \(reason)", cause: cause)
    }
}
