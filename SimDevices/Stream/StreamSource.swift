import CaptureHAL
import MediaTypes

/// What makes a stream's events, moment by moment.
///
/// One thread at a time has the turn to prepare, begin and make events, under a lock: no foreign code runs in them.
protocol StreamSource: Sendable {
    /// How late a moment may be served on a real clock before it counts as lost, in nanoseconds: what a device's own
    /// buffer holds.
    var lateness: Int64 { get }
    /// By how much later than by the device's own latency a moment's event can be made, in nanoseconds.
    var lookAhead: Int64 { get }
    /// The spacing of moments where the client asked for `wish`.
    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64)
    /// Gets ready to start at about `nanoseconds`; may take some time.
    func prepare(at nanoseconds: Int64)
    /// A new start: the first moment is at `nanoseconds`.
    func begin(at nanoseconds: Int64)
    /// The event of a moment, which lasts as long as the spacing.
    ///
    /// - Parameter lost: Whether moments before this one were lost.
    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent
    /// Tells observers what the last event changed; outside any lock.
    func tellChanges()
    /// What is reported for a moment that was lost, if anything.
    func loss(at nanoseconds: Int64, index: UInt64, message: String) -> StreamEvent?
}

extension StreamSource {
    var lookAhead: Int64 { 0 }
}
