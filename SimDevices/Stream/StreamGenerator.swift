import CaptureHAL
import MediaTypes

/// Generates the events of a stream, one at a time.
///
/// `prepare`, `begin` and `event` are called under a lock, never concurrently, and must not call client code.
protocol StreamGenerator: Sendable {
    /// The delay in nanoseconds, on a real clock, after which an event is lost. It corresponds to the length of the
    /// device's own buffer.
    var lateness: Int64 { get }
    /// Returns the interval between events, as a fraction of a second.
    ///
    /// - Parameter requested: The frame duration that the client set.
    func interval(for requested: CMTime) -> (value: Int64, timescale: Int64)
    /// Prepares for a start at about `nanoseconds`; may take some time, for example for metering.
    func prepare(at nanoseconds: Int64)
    /// Starts a run with the first event at `nanoseconds`.
    func begin(at nanoseconds: Int64)
    /// Returns the event at a time.
    ///
    /// - Parameters:
    ///   - index: The index of the event in the stream.
    ///   - duration: The interval between events.
    ///   - followsLoss: Whether preceding events were lost.
    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, followsLoss: Bool) -> StreamEvent
    /// Prepares the next event for the exposure of a still beside it.
    func prepareStill(_ shot: StillShot)
    /// Captures a still.
    ///
    /// - Parameter frame: The frame that was generated last, with which the still is delivered.
    func still(_ shot: StillShot, with frame: VideoFrame) -> StillFrame
    /// Notifies observers of changes made by the last event. Called without locks.
    func reportChanges()
    /// Returns the event that reports the loss of the event at a time; nil if the device does not report losses.
    ///
    /// - Parameters:
    ///   - index: The index of the event in the stream.
    ///   - duration: The interval between events.
    ///   - message: A description of the cause for people.
    func loss(at nanoseconds: Int64, index: UInt64, duration: CMTime, message: String) -> StreamEvent?
}

extension StreamGenerator {
    func prepareStill(_ shot: StillShot) {}

    /// Fails: only cameras capture stills.
    func still(_ shot: StillShot, with frame: VideoFrame) -> StillFrame {
        StillFrame(
            requestID: shot.request.id, exposureIndex: shot.exposureIndex, presentationTime: frame.presentationTime,
            error: DeviceError(.unsupportedFormat, device: "stream", "the device captures no stills"))
    }
}
