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
    /// Always nil: the library has no bursts.
    public var burstIdentifier: String? { nil }
    public var burstSelectionTypes: PHAssetBurstSelectionType { [] }
    public var representsBurst: Bool { false }
    public var sourceType: PHAssetSourceType { .typeUserLibrary }

    /// Whether an operation on the asset is possible. With authorization to change the library, all are.
    public func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
        switch library.status(for: .readWrite) {
        case .authorized, .limited: true
        case .notDetermined, .denied, .restricted: false
        }
    }

    /// Returns an empty result: the library has no bursts.
    public class func fetchAssets(
        withBurstIdentifier burstIdentifier: String, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHFetchResult([]) { nil }
    }
}

extension UTType {
    /// The type `public.data`. The fallback is never used: `UTType.init` fails only for an empty identifier.
    fileprivate static var unknownData: UTType {
        UTType(MediaKind.unknown.uniformTypeIdentifier) ?? .quickTimeMovie
    }
}
