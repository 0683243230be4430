// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

#if Everything || PhotoLibrary
import CaptureHAL
import Foundation
public import ImageTypes
import MediaAssets
import PhotoStore

// The functions that save images and movies in the photo library. Instead of a target with a selector, they take a
// closure; calls with three times nil compile unchanged.

/// Saves an image in the photo library, as a JPEG file.
///
/// If the authorization to add photos is not determined, the user is asked first.
/// - Parameter completion: Called on the main queue with the image, and with a `PHPhotosError` if it was not saved.
@preconcurrency
public func UIImageWriteToSavedPhotosAlbum(
    _ image: UIImage, completion: (@MainActor @Sendable (UIImage, (any Error)?) -> Void)?
) {
    save(
        refusal: nil, completion: { completion?(image, $0) },
        change: { _ = PHAssetChangeRequest.creationRequestForAsset(from: image) })
}

/// Saves an image in the photo library, as a JPEG file.
///
/// - Note: Unlike Apple, the result cannot be reported to a target: Linux has no selectors. Pass nil, or use
///   `UIImageWriteToSavedPhotosAlbum(_:completion:)`.
public func UIImageWriteToSavedPhotosAlbum(
    _ image: UIImage, _ completionTarget: Any?, _ completionSelector: Never?,
    _ contextInfo: UnsafeMutableRawPointer?
) {
    UIImageWriteToSavedPhotosAlbum(image, completion: nil)
}

/// Saves a copy of a movie in the photo library.
///
/// If the authorization to add photos is not determined, the user is asked first.
/// - Parameters:
///   - videoPath: The path of a file for which `UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(_:)` returns true.
///   - completion: Called on the main queue with the path, and with a `PHPhotosError` if the movie was not saved.
@preconcurrency
public func UISaveVideoAtPathToSavedPhotosAlbum(
    _ videoPath: String, completion: (@MainActor @Sendable (String, (any Error)?) -> Void)?
) {
    let isCompatible = UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(videoPath)
    let refusal =
        isCompatible
        ? nil : PHPhotosError(.invalidResource, "\(videoPath) is not a movie that the photo library accepts")
    save(
        refusal: refusal, completion: { completion?(videoPath, $0) },
        change: {
            _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: URL(fileURLWithPath: videoPath))
        })
}

/// Saves a copy of a movie in the photo library.
///
/// - Note: Unlike Apple, the result cannot be reported to a target: Linux has no selectors. Pass nil, or use
///   `UISaveVideoAtPathToSavedPhotosAlbum(_:completion:)`.
public func UISaveVideoAtPathToSavedPhotosAlbum(
    _ videoPath: String, _ completionTarget: Any?, _ completionSelector: Never?,
    _ contextInfo: UnsafeMutableRawPointer?
) {
    UISaveVideoAtPathToSavedPhotosAlbum(videoPath, completion: nil)
}

/// Whether the photo library accepts the movie at a path.
public func UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(_ videoPath: String) -> Bool {
    AVURLAsset(url: URL(fileURLWithPath: videoPath)).isCompatibleWithSavedPhotosAlbum
}

/// Performs a change of the photo library.
///
/// - Parameters:
///   - refusal: The error that is reported instead of the change; nil for none.
///   - completion: Called on the main queue.
private func save(
    refusal: PHPhotosError?, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void,
    change: @escaping @Sendable () -> Void
) {
    let system = CaptureSystem.current.reference
    let report: @Sendable ((any Error)?) -> Void = { error in
        system.deliver(on: .main) { MainActor.assumeIsolated { completion(error) } }
    }
    if let refusal { return report(refusal) }
    PHPhotoLibrary.shared().performChanges(change) { _, error in report(error) }
}
#endif
