import AVFoundation

/// Receives one photo.
final class PhotoCaptureProcessor: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    // SAFETY: `data` is used in the callbacks only, which come one after another.
    private let id: Int64
    private let completion: @Sendable (Int64, Result<Data, any Error>) -> Void
    private var data: Data?

    init(id: Int64, completion: @escaping @Sendable (Int64, Result<Data, any Error>) -> Void) {
        self.id = id
        self.completion = completion
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        data = photo.fileDataRepresentation()
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        if let data {
            completion(id, .success(data))
        } else {
            completion(id, .failure(error ?? AVError(.unknown)))
        }
    }
}
