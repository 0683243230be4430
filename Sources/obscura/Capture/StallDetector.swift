import CaptureHAL
import MediaTypes

/// Detects a camera that delivers no frames.
struct StallDetector {
    /// The time to wait for the first frame, and in real time for each next one.
    static let timeout = CMTime(value: 30, timescale: 1)
    /// The longest time between the last frame and the end of a capture that does not count as a stall. If three frame
    /// durations are longer, they are the limit.
    private static let tolerance = CMTime(value: 1, timescale: 2)

    private let clock: any CaptureClock
    private var frameCount = -1
    /// When `frameCount` last changed.
    private var changeTime: CMTime

    init(_ clock: any CaptureClock) {
        self.clock = clock
        changeTime = clock.now
    }

    /// Returns whether the frame count has not changed for `timeout`.
    mutating func hasTimedOut(frameCount: Int) -> Bool {
        let now = clock.now
        if frameCount != self.frameCount { (self.frameCount, changeTime) = (frameCount, now) }
        return now - changeTime >= Self.timeout
    }

    /// Returns whether a camera had stopped delivering before the end of a capture.
    ///
    /// - Parameters:
    ///   - last: The start of the last frame, delivered or dropped.
    ///   - duration: The duration of a frame.
    static func hadStalled(at end: CMTime, last: CMTime, duration: CMTime) -> Bool {
        let length = duration.isNumeric ? max(duration, .zero) : .zero
        return end - last > max(tolerance, length + length + length)
    }
}
