import CaptureHAL
import Foundation
public import UniformTypeIdentifiers

extension PHAsset {
    public var playbackStyle: PHAssetPlaybackStyle {
        switch mediaType {
        case .image: mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
        case .video: .video
        case .audio, .unknown: .unsupported
        }
    }

    /// The type of the displayed file. Each access reads the library's index.
    public var contentType: UTType {
        // If the asset no longer exists, its type is unknown.
        let file = try? ImageSource(self).primaryFile()
        return file.flatMap { UTType($0.uniformTypeIdentifier) } ?? .unknownData
    }

    /// Always false: the library is not synchronized.
    public var isSyncFailureHidden: Bool { false }
    /// `autoPick` for the photo that represents its burst; which ones the user selects is not stored. Each access reads
    /// the library's index.
    public var burstSelectionTypes: PHAssetBurstSelectionType { representsBurst ? .autoPick : [] }
    /// Whether the photo is the first of its burst in the order of the import. Each access reads the library's index.
    public var representsBurst: Bool {
        guard let burstIdentifier, let row else { return false }
        let query = AssetQuery(burstIdentifier: burstIdentifier, includesAllBurstPhotos: true, includesHidden: true)
        // Without a record, the asset no longer exists.
        let first = try? library.store().index.assets(matching: query).first
        return first?.id == row
    }
    public var sourceType: PHAssetSourceType { .typeUserLibrary }

    /// Whether an operation on the asset is possible. With authorization to change the library, all are.
    public func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
        switch library.status(for: .readWrite) {
        case .authorized, .limited: true
        case .notDetermined, .denied, .restricted: false
        }
    }

    /// Fetches the photo that represents a burst, or all of its photos with `PHFetchOptions.includeAllBurstAssets`.
    public class func fetchAssets(
        withBurstIdentifier burstIdentifier: String, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.shared().fetch(AssetQuery(burstIdentifier: burstIdentifier), options)
    }
}

extension UTType {
    /// The type `public.data`. The fallback is never used: `UTType.init` fails only for an empty identifier.
    fileprivate static var unknownData: UTType {
        UTType(MediaKind.unknown.uniformTypeIdentifier) ?? .quickTimeMovie
    }
}
