#if Everything || (PhotoLibrary && PlaybackAndEditing)
import Foundation
import MediaAssets
public import PhotoStore
public import Playback

extension PHImageManager {
    /// Requests an item to play the movie of an asset. The handler runs on the main queue.
    @preconcurrency @discardableResult
    public func requestPlayerItem(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (AVPlayerItem?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let version = options?.version ?? .current
        return perform(for: asset, isSynchronous: false) { () throws(PHPhotosError) in
            try Self.movie(of: asset, version)
        } deliver: { url, info in
            resultHandler(url.map { AVPlayerItem(asset: AVURLAsset(url: $0)) }, info)
        }
    }
}
#endif
