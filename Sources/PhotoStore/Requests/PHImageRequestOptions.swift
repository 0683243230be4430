public import Foundation

public typealias PHImageRequestID = Int32

/// The number of no request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHInvalidImageRequestID: PHImageRequestID = 0

/// As a target size: the picture as large as it is.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// In a result's info: whether a better picture follows; here none does.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// In a result's info: the number of the request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// In a result's info: whether the request was cancelled.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageCancelledKey = "PHImageCancelledKey"
/// In a result's info: the `PHPhotosError` for which there is no picture.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageErrorKey = "PHImageErrorKey"
/// In a result's info: whether the picture is elsewhere; here none is.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"

/// Which version of an asset is wanted; assets have only one here.
public enum PHImageRequestOptionsVersion: Int, Sendable, Hashable, CaseIterable {
    case current = 0
    case unadjusted = 1
    case original = 2
}

/// Whether speed or quality counts.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, Hashable, CaseIterable {
    /// One result, of high quality.
    ///
    /// - Note: Unlike Apple, no quick one comes before it.
    case opportunistic = 0
    case highQualityFormat = 1
    /// The thumbnail at once, however small.
    case fastFormat = 2
}

/// How near a picture comes to the target size.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, Hashable, CaseIterable {
    /// As large as it is.
    case none = 0
    /// Scaled down to the target size; never up.
    case fast = 1
    /// Of the target size; cropped to it where it is to fill it.
    case exact = 2
}

/// How a picture is read.
///
/// - Important: Confined.
public final class PHImageRequestOptions: NSObject {
    public var version = PHImageRequestOptionsVersion.current
    public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    public var resizeMode = PHImageRequestOptionsResizeMode.fast
    /// Taken for what it says: all pictures are here.
    public var isNetworkAccessAllowed = false
    /// Whether the result comes before the request returns.
    public var isSynchronous = false

    public override init() {
        super.init()
    }
}
