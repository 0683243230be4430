import CaptureHAL
import Foundation
import MediaCodecs

extension AVError {
    /// The error that clients see for one of the hardware layer.
    init(_ error: DeviceError, device: AVCaptureDevice? = nil) {
        let code: Code =
            switch error.code {
            case .busy: .deviceInUseByAnotherApplication
            case .disconnected: .deviceWasDisconnected
            case .notPermitted: .applicationIsNotAuthorizedToUseDevice
            case .unsupportedFormat: .unsupportedDeviceActiveFormat
            case .unsupportedControl, .invalidState: .operationNotAllowed
            case .inputOutput: .unknown
            case .outOfResources: .outOfMemory
            case .invalidSource: .invalidSourceMedia
            }
        self.init(code, error.message, cause: error, device.map { [AVErrorDeviceKey: $0] } ?? [:])
    }

    /// The error that clients see for one of the storage.
    init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .diskFull: .diskFull
            case .alreadyExists: .fileAlreadyExists
            case .notPermitted: .operationNotAllowed
            case .notFound, .notADirectory, .notAFile, .inputOutput, .closed: .unknown
            }
        self.init(code, error.description, cause: error)
    }
}

extension AVError {
    /// The error that clients see for one of a media file.
    init(_ error: MediaFileError) {
        let code: Code =
            switch error.code {
            case .notFound, .notAFile, .inputOutput: .unknown
            case .notPermitted: .operationNotAllowed
            case .notRecognized: .fileFormatNotRecognized
            case .noMedia: .fileFailedToParse
            case .unsupportedCodec: .decoderNotFound
            case .outOfMemory: .outOfMemory
            }
        self.init(code, error.message, cause: error)
    }
}
