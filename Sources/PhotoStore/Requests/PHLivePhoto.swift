import CaptureHAL
public import Foundation
public import ImageTypes

public typealias PHLivePhotoRequestID = Int32

/// The identifier of an invalid request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0

/// Info key of a request for a Live Photo: the `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
/// Info key of a request for a Live Photo: whether a result of higher quality follows; always false.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
/// Info key of a request for a Live Photo: whether the request was cancelled.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// A photo with a movie of the moments before and after it.
///
/// - Note: Unlike Apple, there are no Live Photos to display: requests fail as for an asset that is not a Live Photo.
public final class PHLivePhoto: NSObject, Sendable {
    /// In pixels.
    public let size: CGSize

    private init(size: CGSize) {
        self.size = size
    }

    /// Requests a Live Photo from its files, which always fails.
    ///
    /// - Parameter resultHandler: Runs once, on the main queue, with `PHPhotosError.invalidResource`.
    @preconcurrency @discardableResult
    public class func request(
        withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize,
        contentMode: PHImageContentMode, resultHandler: @escaping @Sendable (PHLivePhoto?, [AnyHashable: Any]) -> Void
    ) -> PHLivePhotoRequestID {
        let library = PHPhotoLibrary.shared()
        let number = library.editingRequests.begin()
        library.system.deliver(on: .main) {
            let isCancelled = library.editingRequests.isCancelled(number)
            library.editingRequests.end(number)
            var info: [AnyHashable: Any] = [PHLivePhotoInfoIsDegradedKey: false]
            if isCancelled {
                info[PHLivePhotoInfoCancelledKey] = true
            } else {
                info[PHLivePhotoInfoErrorKey] = PHPhotosError(
                    .invalidResource, "the files are not those of a Live Photo")
            }
            resultHandler(nil, info)
        }
        return number
    }

    public class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {
        PHPhotoLibrary.shared().editingRequests.cancel(requestID)
    }
}
