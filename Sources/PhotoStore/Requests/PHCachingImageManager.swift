import CaptureHAL
public import Foundation
import MediaTypes

/// An image manager that prepares images before an app requests them.
///
/// It keeps up to 128 MiB of images; the oldest ones are discarded first. Requests with the same asset, size, mode and
/// options then receive the prepared image. An edited asset has other images.
/// - Important: Thread-safe.
public final class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    // SAFETY: the state is behind a lock.
    /// Invariant: `images` contains requests of `wanted` only, and `byteCount` is their size.
    private struct State {
        var allowsHighQuality = true
        /// The requests to prepare or prepared, the oldest first.
        var wanted: [ImageRequest] = []
        var images: [ImageRequest: CVPixelBuffer] = [:]
        var byteCount = 0
        var worker: (any ClockWorker)?

        mutating func insert(_ image: CVPixelBuffer, for request: ImageRequest) {
            images[request] = image
            byteCount += CVPixelBufferGetDataSize(image)
            while byteCount > PHCachingImageManager.maximumByteCount,
                let oldest = wanted.firstIndex(where: { images[$0] != nil })
            {
                remove([wanted[oldest]])
            }
        }

        mutating func remove(_ requests: Set<ImageRequest>) {
            wanted.removeAll(where: requests.contains)
            for request in requests {
                guard let image = images.removeValue(forKey: request) else { continue }
                byteCount -= CVPixelBufferGetDataSize(image)
            }
        }
    }

    private static let maximumByteCount = 128 << 20

    private let state = Lock(State())

    /// Whether images that are larger than the thumbnails are prepared.
    public var allowsCachingHighQualityImages: Bool {
        get { state.withLock { $0.allowsHighQuality } }
        set { state.withLock { $0.allowsHighQuality = newValue } }
    }

    /// Prepares images on a thread of the manager. Images that cannot be created are requested without effect.
    public func startCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {
        guard let clock = assets.first?.library.clock else { return }
        let requests = assets.map { ImageRequest($0, targetSize, contentMode, options) }
        let (added, worker) = state.withLock { state in
            let known = Set(state.wanted)
            let added = requests.filter {
                !known.contains($0) && (state.allowsHighQuality || !$0.exceedsThumbnail)
            }
            state.wanted += added
            let worker = state.worker ?? clock.makeWorker(label: "obscura.photos.caching")
            state.worker = worker
            return (added, worker)
        }
        for request in added {
            worker.submit { [weak self] in self?.prepare(request) }
        }
    }

    /// Discards images, or does not prepare them.
    public func stopCachingImages(
        for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
    ) {
        let requests = Set(assets.map { ImageRequest($0, targetSize, contentMode, options) })
        state.withLock { $0.remove(requests) }
    }

    /// Discards all images, and prepares no more.
    public func stopCachingImagesForAllAssets() {
        state.withLock { $0.remove(Set($0.wanted)) }
    }

    override func cachedImage(for request: ImageRequest) -> CVPixelBuffer? {
        state.withLock { $0.images[request] }
    }

    private func prepare(_ request: ImageRequest) {
        guard state.withLock({ $0.wanted.contains(request) && $0.images[request] == nil }) else { return }
        // The request for an image that cannot be created reports the error.
        let image = try? request.image()
        state.withLock { state in
            guard state.wanted.contains(request) else { return }
            if let image { state.insert(image, for: request) } else { state.remove([request]) }
        }
    }
}
