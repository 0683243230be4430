import CaptureHAL
import MediaCodecs

extension DeviceError {
    /// Creates the error of the device that plays the file.
    init(_ error: MediaFileError) {
        let code: Code =
            switch error.code {
            case .notFound, .notAFile, .notRecognized, .noMedia, .unsupportedCodec, .protected, .noByteRanges:
                .invalidSource
            case .notPermitted: .notPermitted
            case .inputOutput: .inputOutput
            case .outOfMemory: .outOfResources
            }
        self.init(code, device: error.path, error.message)
    }
}
