import CaptureHAL
import Foundation
import MediaTypes

/// The mapping between the time of an item and the time of the clock of the capture system.
///
/// The clock counts nanoseconds, and an event of the item, such as the start of a frame, is usually between two of
/// them. A time of the item that differs from the last event by less than 2 ns of the clock is replaced by the exact
/// time of the event.
struct PlaybackTimeline: Sendable {
    /// The time of the item when the clock showed `hostAnchor`.
    private(set) var anchor = CMTime.zero
    private(set) var hostAnchor: CMTime
    /// Seconds of the item per second of the clock.
    private(set) var rate = 0.0
    /// The exact time of the last event.
    private var event: CMTime?

    /// Creates a timeline with the rate 0 at a time.
    init(at time: CMTime = .zero, hostTime: CMTime) {
        anchor = time
        hostAnchor = hostTime
    }

    /// Returns the time of the item at a time of the clock.
    func time(atHostTime hostTime: CMTime) -> CMTime {
        guard rate != 0 else { return anchor }
        let elapsed = hostTime - hostAnchor
        let time =
            switch rate {
            case 1: anchor + elapsed
            case -1: anchor - elapsed
            default: anchor + CMTimeMultiplyByFloat64(elapsed, multiplier: rate)
            }
        if let event, abs((time - event).seconds) < 2e-9 * max(1, abs(rate)) { return event }
        return time
    }

    /// Returns the first time of the clock, in whole nanoseconds, at which the item has reached a time; nil if the rate
    /// is 0.
    func hostTime(at time: CMTime) -> CMTime? {
        guard rate != 0 else { return nil }
        // Without the subtraction, a rounding error of the division could add a nanosecond.
        let elapsed = ((time - anchor).seconds * 1e9 / rate - 0.001).rounded(.up)
        return CMTime(nanoseconds: hostAnchor.nanoseconds + Int64(elapsed))
    }

    /// Records the exact time of an event that the item has reached.
    mutating func recordEvent(at time: CMTime) { event = time }

    /// Changes the rate at a time of the clock.
    mutating func setRate(_ rate: Double, atHostTime hostTime: CMTime) {
        (anchor, hostAnchor, self.rate) = (time(atHostTime: hostTime), hostTime, rate)
        event = anchor
    }

    /// Sets the time of the item at a time of the clock.
    mutating func setTime(_ time: CMTime, atHostTime hostTime: CMTime) {
        (anchor, hostAnchor, event) = (time, hostTime, time)
    }
}
