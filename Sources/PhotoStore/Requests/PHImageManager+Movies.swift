public import Foundation
public import ImageTypes
public import MediaAssets
public import MediaEditing
import MediaTypes

extension PHImageManager {
    /// Requests the movie of an asset. The handler runs on the main queue.
    @preconcurrency @discardableResult
    public func requestAVAsset(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?,
        resultHandler: @escaping @Sendable (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let version = options?.version ?? .current
        return perform(for: asset, isSynchronous: false) { () throws(PHPhotosError) in
            try Self.movie(of: asset, version)
        } deliver: { url, info in
            resultHandler(url.map { AVURLAsset(url: $0) }, nil, info)
        }
    }

    /// Requests an export session for the movie of an asset. The handler runs on the main queue.
    @preconcurrency @discardableResult
    public func requestExportSession(
        forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
        resultHandler: @escaping @Sendable (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let version = options?.version ?? .current
        return perform(for: asset, isSynchronous: false) { () throws(PHPhotosError) in
            try Self.movie(of: asset, version)
        } deliver: { url, info in
            resultHandler(
                url.flatMap { AVAssetExportSession(asset: AVURLAsset(url: $0), presetName: exportPreset) }, info)
        }
    }

    /// Requests a Live Photo. The handler runs on the main queue; the error for an asset that is none is
    /// `PHPhotosError.requestNotSupportedForAsset`.
    ///
    /// - Parameter targetSize: Has no effect: the files of the Live Photo have their full size.
    @preconcurrency @discardableResult
    public func requestLivePhoto(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHLivePhotoRequestOptions?,
        resultHandler: @escaping @Sendable (PHLivePhoto?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let version = options?.version ?? .current
        return perform(for: asset, isSynchronous: false) { () throws(PHPhotosError) in
            try PHLivePhoto(asset, version: version)
        } deliver: { photo, info in
            resultHandler(photo, info)
        }
    }

    /// Requests the file of a photo with its type and orientation, or a JPEG of a movie's first frame.
    @preconcurrency @discardableResult
    public func requestImageData(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
            resultHandler(data, type, UIImage.Orientation(orientation), info)
        }
    }

    /// Returns the location of an asset's movie.
    package static func movie(of asset: PHAsset, _ version: PHVideoRequestOptionsVersion) throws(PHPhotosError) -> URL {
        guard asset.mediaType == .video else {
            throw PHPhotosError(.requestNotSupportedForAsset, "the asset \(asset.localIdentifier) is not a movie")
        }
        return try ImageSource(asset, version: version == .current ? .current : .original).primaryFile().url
    }
}
