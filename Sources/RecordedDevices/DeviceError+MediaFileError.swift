import CaptureHAL
import MediaCodecs

extension DeviceError {
    /// What the failure of a file means for the device that plays it.
    init(_ error: MediaFileError) {
        let code: Code =
            switch error.code {
            case .notFound, .notAFile, .notRecognized, .noMedia, .unsupportedCodec: .invalidSource
            case .notPermitted: .notPermitted
            case .inputOutput: .inputOutput
            case .outOfMemory: .outOfResources
            }
        self.init(code, device: error.path, error.message)
    }
}
