public import Foundation
import MediaTypes

/// An image manager that an app notifies of the images that it will request.
///
/// - Note: Unlike Apple, nothing is prepared: images are created when they are requested, as by `PHImageManager`.
/// - Important: Thread-safe.
public final class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    // SAFETY: the state is behind a lock.
    private let cachesHighQuality = Lock(true)

    /// Has no effect: no images are prepared.
    public var allowsCachingHighQualityImages: Bool {
        get { cachesHighQuality.withLock { $0 } }
        set { cachesHighQuality.withLock { $0 = newValue } }
    }

    /// Has no effect: images are created when they are requested.
    public func startCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {}

    /// Has no effect: no images are prepared.
    public func stopCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {}

    /// Has no effect: no images are prepared.
    public func stopCachingImagesForAllAssets() {}
}
