import AVFoundation
import Photos

/// Saves photos and movies to the photo library, one after another.
final class LibraryWriter: Sendable {
    struct NotAuthorized: Error {}

    private let queue = DispatchQueue(label: "library queue", qos: .utility)

    func savePhoto(_ data: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        save(completion) {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
        }
    }

    /// Moves a movie to the library.
    func saveMovie(_ url: URL, completion: @escaping @Sendable ((any Error)?) -> Void) {
        save(completion) {
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: url, options: options)
        }
    }

    private func save(
        _ completion: @escaping @Sendable ((any Error)?) -> Void, _ change: @escaping @Sendable () -> Void
    ) {
        PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in
            guard status == .authorized else { return completion(NotAuthorized()) }
            self.queue.async {
                // The next change waits for this one, at most ten seconds.
                let done = DispatchSemaphore(value: 0)
                PHPhotoLibrary.shared().performChanges(change) { _, error in
                    completion(error)
                    done.signal()
                }
                _ = done.wait(timeout: .now() + 10)
            }
        }
    }
}
