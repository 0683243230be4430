import CaptureHAL
import Foundation
import MediaTypes

extension AVCapturePhotoOutput {
    /// The settings for which the output has prepared itself.
    public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { prepared }

    /// Makes ready for pictures of some kinds, so that the first of them takes no longer than others.
    ///
    /// Nothing has to be made ready here; what could not be captured is misuse all the same.
    /// - Parameter completionHandler: Called once, on a queue of the library: with true once the session runs, with false
    ///   where another call took the place of this one before.
    public func setPreparedPhotoSettingsArray(
        _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
        completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        for settings in preparedPhotoSettingsArray {
            guard let reason = reasonAgainst(settings) else { continue }
            return system.misuse.report(
                .invalidArgument, "-[AVCapturePhotoOutput setPreparedPhotoSettingsArray:completionHandler:] \(reason)")
        }
        if let superseded = prepare(preparedPhotoSettingsArray, completionHandler) {
            system.clock.deliver(on: callbackQueue) { superseded(false, nil) }
        }
        finishPreparing()
    }

    /// Tells who waits that all is prepared, where the session runs.
    func finishPreparing() {
        guard session?.isRunning ?? false, let completion = prepare(nil, nil) else { return }
        system.clock.deliver(on: callbackQueue) { completion(true, nil) }
    }
}
