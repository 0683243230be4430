import AVFoundation
import UIKit

/// Photos.
extension CameraController {
    /// Takes a photo and saves it in the library.
    public func captureStillImage() {
        guard let connection = stillCamera.output.connection(with: .video), connection.isActive else { return }
        if connection.isVideoOrientationSupported { connection.videoOrientation = currentVideoOrientation }
        stillCamera.takePhoto { [weak self] result in
            DispatchQueue.main.async { self?.save(result) }
        }
    }

    private func save(_ photo: Result<Data, any Error>) {
        switch photo {
        case .failure(let error):
            log("NULL sampleBuffer: \(error)")
        case .success(let file):
            library.savePhoto(file) { [weak self] error in
                DispatchQueue.main.async {
                    guard let self else { return }
                    if let error {
                        self.log("The photo was not saved: \(error)")
                        self.delegate?.assetLibraryWriteFailed(with: error)
                    } else if let image = UIImage(data: file) {
                        self.post(image)
                    }
                }
            }
        }
    }
}
