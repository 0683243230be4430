public import Foundation

/// Called with the progress of a download from 0 to 1, an error, a flag that cancels the download, and the info.
public typealias PHAssetImageProgressHandler =
    @Sendable (
        Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
    ) -> Void
/// Called with the progress of a download from 0 to 1, an error, a flag that cancels the download, and the info.
public typealias PHAssetVideoProgressHandler = PHAssetImageProgressHandler

/// The version of a movie to request.
public enum PHVideoRequestOptionsVersion: Int, Sendable, Hashable, CaseIterable {
    case current = 0
    case original = 1
}

/// Whether a request for a movie prefers speed or quality. All movies are local, so it has no effect.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable, Hashable, CaseIterable {
    case automatic = 0
    case highQualityFormat = 1
    case mediumQualityFormat = 2
    case fastFormat = 3
}

/// Options for requesting a movie.
///
/// - Important: Confined to one thread at a time.
public final class PHVideoRequestOptions: NSObject {
    /// Has no effect, because all movies are local.
    public var isNetworkAccessAllowed = false
    public var version = PHVideoRequestOptionsVersion.current
    public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
    /// Never called, because all movies are local.
    @preconcurrency
    public var progressHandler: PHAssetVideoProgressHandler?

    public override init() {
        super.init()
    }
}

/// Options for requesting a Live Photo.
///
/// - Important: Confined to one thread at a time.
public final class PHLivePhotoRequestOptions: NSObject {
    public var version = PHImageRequestOptionsVersion.current
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    /// Has no effect, because all content is local.
    public var isNetworkAccessAllowed = false
    /// Never called, because all content is local.
    @preconcurrency
    public var progressHandler: PHAssetImageProgressHandler?

    public override init() {
        super.init()
    }
}
