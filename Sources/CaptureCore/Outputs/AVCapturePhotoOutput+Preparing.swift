import CaptureHAL
import Foundation
import MediaTypes

extension AVCapturePhotoOutput {
    /// The settings that the client has prepared the output for.
    public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { prepared }

    /// Prepares the output for captures with some settings, to avoid a delay of the first one.
    ///
    /// The output needs no preparation, except that Live Photos encode the frames before a photo with the codec of the last
    /// of these settings for a Live Photo. Settings that it cannot capture are misuse nevertheless.
    /// - Parameter completionHandler: Called once, on a queue of the output: with true when the session runs, or with
    ///   false if another call replaces this one first.
    @preconcurrency
    public func setPreparedPhotoSettingsArray(
        _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
        completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        for settings in preparedPhotoSettingsArray {
            guard let reason = rejectionReason(for: settings) else { continue }
            return system.misuse.report(
                .invalidArgument, "-[AVCapturePhotoOutput setPreparedPhotoSettingsArray:completionHandler:] \(reason)")
        }
        if let settings = preparedPhotoSettingsArray.last(where: { $0.livePhotoMovieFileURL != nil }) {
            livePhotoRecorder.prepare(settings.livePhotoSampleCodec)
        }
        if let superseded = replacePreparation(preparedPhotoSettingsArray, completionHandler) {
            system.deliver(on: callbackQueue) { superseded(false, nil) }
        }
        finishPreparing()
    }

    /// Calls the pending completion handler if the session runs.
    func finishPreparing() {
        guard session?.isRunning ?? false, let completion = replacePreparation(nil, nil) else { return }
        system.deliver(on: callbackQueue) { completion(true, nil) }
    }
}
