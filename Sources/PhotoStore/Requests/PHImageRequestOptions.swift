public import Foundation

public typealias PHImageRequestID = Int32

/// The identifier of an invalid request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHInvalidImageRequestID: PHImageRequestID = 0

/// The target size that requests the full size of the image.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Info key of a result: whether an image of higher quality follows.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// Info key of a result: the identifier of the request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Info key of a result: whether the request was cancelled.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Info key of a result: the `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageErrorKey = "PHImageErrorKey"
/// Info key of a result: whether the image must be downloaded; always false.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"

/// The version of an asset to request: `.current` is the edited one, `.unadjusted` and `.original` the original.
public enum PHImageRequestOptionsVersion: Int, Sendable, Hashable, CaseIterable {
    case current = 0
    case unadjusted = 1
    case original = 2
}

/// Whether a request prefers speed or quality.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, Hashable, CaseIterable {
    /// A result of high quality. An asynchronous request can deliver one of lower quality first.
    case opportunistic = 0
    case highQualityFormat = 1
    /// The thumbnail, even if it is smaller than the target size.
    case fastFormat = 2
}

/// How an image is resized to the target size.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, Hashable, CaseIterable {
    /// Not scaled: the full size.
    case none = 0
    /// Scaled down to the target size, but never up.
    case fast = 1
    /// Scaled to exactly the target size, and cropped for `.aspectFill`.
    case exact = 2
}

/// Options for requesting an image.
///
/// - Important: Confined to one thread at a time.
public final class PHImageRequestOptions: NSObject {
    public var version = PHImageRequestOptionsVersion.current
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    public var resizeMode = PHImageRequestOptionsResizeMode.fast
    /// Has no effect, because all images are local.
    public var isNetworkAccessAllowed = false
    /// The part of the upright image to return, in fractions of its width and height; `.zero` for the whole image.
    /// Requires `resizeMode` `.exact`.
    public var normalizedCropRect = CGRect.zero
    /// Whether the result is delivered before the request returns.
    public var isSynchronous = false
    /// Never called, because all images are local.
    @preconcurrency
    public var progressHandler: PHAssetImageProgressHandler?
    /// Has no effect, because at most one image of lower quality is delivered.
    public var allowSecondaryDegradedImage = false

    public override init() {
        super.init()
    }
}
