import CaptureCore
import Foundation
import MediaTypes

/// Receives samples, notifications and the events of recordings and photos instead of the log.
///
/// All other events are logged: actions and their errors, pauses of recordings, detected objects and depth maps.
///
/// Methods are called on the thread that delivers the event: the callback queue of an output, or the thread that posts
/// the notification.
protocol ScenarioObserver: AnyObject, Sendable {
    /// Called for a video frame, a dropped frame (a sample buffer without pixels), or an audio buffer.
    func received(_ sample: CMSampleBuffer, from connection: AVCaptureConnection)
    /// Called when a recording has started.
    func recordingStarted(_ name: String)
    /// Called when a recording has finished.
    ///
    /// - Parameter error: Nil if the recording ended without an error.
    func recordingFinished(_ name: String, error: (any Error)?)
    /// Called for each callback of a photo capture.
    ///
    /// - Parameters:
    ///   - event: `will begin`, `will capture`, `photo` or `did finish`.
    ///   - name: The file name of the photo.
    func receivedPhotoEvent(_ event: String, name: String)
    /// Called for a notification of the session or a device.
    func received(_ notification: Notification)
}
