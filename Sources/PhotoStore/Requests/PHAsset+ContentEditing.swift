import CaptureHAL
public import Foundation

public typealias PHContentEditingInputRequestID = Int

/// Info key of a request: whether the content must be downloaded; always false.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"
/// Info key of a request: whether the request was cancelled.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"
/// Info key of a request: the `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"

/// Options for requesting the content of an asset to be edited.
///
/// - Important: Confined to one thread at a time.
public final class PHContentEditingInputRequestOptions: NSObject {
    /// Returns whether the program can continue an edit from its adjustment data.
    ///
    /// If true, the input contains the original and the adjustment data; otherwise it contains the edited content. By
    /// default, no edit can be continued.
    @preconcurrency
    public var canHandleAdjustmentData: @Sendable (PHAdjustmentData) -> Bool = { _ in false }
    /// Has no effect, because all content is local.
    public var isNetworkAccessAllowed = false
    /// Never called, because all content is local.
    @preconcurrency
    public var progressHandler: (@Sendable (Double, UnsafeMutablePointer<ObjCBool>) -> Void)?

    public override init() {
        super.init()
    }
}

extension PHAsset {
    /// Requests the content of the asset to be edited.
    ///
    /// - Parameter completionHandler: Runs once, on the main queue. Without an input, the info has a `PHPhotosError`
    ///   under `PHContentEditingInputErrorKey`, or `PHContentEditingInputCancelledKey`.
    @preconcurrency @discardableResult
    public func requestContentEditingInput(
        with options: PHContentEditingInputRequestOptions?,
        completionHandler: @escaping @Sendable (PHContentEditingInput?, [AnyHashable: Any]) -> Void
    ) -> PHContentEditingInputRequestID {
        let canHandle: @Sendable (PHAdjustmentData) -> Bool
        if let options { canHandle = options.canHandleAdjustmentData } else { canHandle = { _ in false } }
        let (requests, system) = (library.editingRequests, library.system)
        let number = requests.begin()
        library.worker.submit {
            let result = Result { () throws(PHPhotosError) in
                try PHContentEditingInput(self) { data in
                    var handles = false
                    system.run { handles = canHandle(data) }
                    return handles
                }
            }
            system.deliver(on: .main) {
                let isCancelled = requests.isCancelled(number)
                requests.end(number)
                var info: [AnyHashable: Any] = [PHContentEditingInputResultIsInCloudKey: false]
                switch result {
                case _ where isCancelled:
                    info[PHContentEditingInputCancelledKey] = true
                    completionHandler(nil, info)
                case .success(let input): completionHandler(input, info)
                case .failure(let error):
                    info[PHContentEditingInputErrorKey] = error
                    completionHandler(nil, info)
                }
            }
        }
        return Int(number)
    }

    /// Cancels a request. Its handler receives no input.
    public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
        library.editingRequests.cancel(Int32(clamping: requestID))
    }
}
