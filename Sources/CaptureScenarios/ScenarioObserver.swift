import CaptureCore
import Foundation
import MediaTypes

/// Receives the events of a scenario instead of the log.
///
/// Methods are called on the thread of the event.
protocol ScenarioObserver: AnyObject, Sendable {
    /// Called for a frame, an audio buffer, or a dropped frame (without pixels).
    func received(_ sample: CMSampleBuffer, from connection: AVCaptureConnection)
    /// Called when a recording has started.
    func recordingStarted(_ name: String)
    /// Called when a recording has finished.
    func recordingFinished(_ name: String, _ error: (any Error)?)
    /// Called for a callback of a photo capture: `will begin`, `will capture`, `photo` or `did finish`.
    func photo(_ name: String, _ event: String)
    /// Called for a notification.
    func posted(_ notification: Notification)
}
