import CaptureCore
import Foundation
import MediaTypes

/// Listens to a story in the log's place: all that the session tells, as it is told.
///
/// Calls come on the thread of the event.
protocol ScenarioProbe: AnyObject, Sendable {
    /// A frame, a run of sound, or a frame without pixels in the place of one that was dropped.
    func received(_ sample: CMSampleBuffer, from connection: AVCaptureConnection)
    func recordingStarted(_ name: String)
    func recordingFinished(_ name: String, _ error: (any Error)?)
    /// A callback of a capture: `will begin`, `will capture`, `photo` or `did finish`.
    func photo(_ name: String, _ event: String)
    func posted(_ notification: Notification)
}
