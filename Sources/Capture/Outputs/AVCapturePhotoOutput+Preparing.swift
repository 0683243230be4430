import CaptureHAL
import Foundation
import MediaTypes

extension AVCapturePhotoOutput {
    /// The settings for which the output has prepared itself.
    public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { prepared }

    /// Makes ready for pictures of some kinds, so that the first of them takes no longer than others.
    ///
    /// Nothing has to be made ready here; what could not be captured is misuse all the same.
    /// - Parameter completionHandler: Called once, on a queue of the library: prepared or not, and why not.
    public func setPreparedPhotoSettingsArray(
        _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
        completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        for settings in preparedPhotoSettingsArray {
            guard let reason = reasonAgainst(settings) else { continue }
            return system.misuse.report(
                .invalidArgument, "-[AVCapturePhotoOutput setPreparedPhotoSettingsArray:completionHandler:] \(reason)")
        }
        prepare(preparedPhotoSettingsArray)
        if let completionHandler { system.clock.deliver(on: callbackQueue) { completionHandler(true, nil) } }
    }

    /// Whether the camera measures depth with the pictures of its active format.
    public var isDepthDataDeliverySupported: Bool {
        guard let connection = connection(with: .video) else { return false }
        return camera(of: connection)?.activeDepthDataFormat != nil
    }

    /// Whether photos may carry depth; setting it to true where that is not supported is misuse, and where that ends, so
    /// does this.
    public var isDepthDataDeliveryEnabled: Bool {
        get {
            let isSupported = isDepthDataDeliverySupported
            if !isSupported { deliversDepth = false }
            return deliversDepth
        }
        set {
            guard !newValue || isDepthDataDeliverySupported else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCapturePhotoOutput setDepthDataDeliveryEnabled:] Depth data delivery is not supported in the "
                        + "current configuration")
            }
            deliversDepth = newValue
            session?.depthWishChanged()
        }
    }
}
