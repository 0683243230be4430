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
}
