import MediaTypes

/// Limits the frame rate by skipping frames.
struct FrameRateLimiter: Sendable {
    /// The scheduled time of the next frame; nil before the first.
    private var nextTime: CMTime?

    /// Whether to deliver a frame.
    ///
    /// Tolerates jitter: frames that are early by at most half of their duration are accepted. The average interval is
    /// correct over many frames.
    /// - Parameter interval: The minimum time between frames; invalid or zero sets no limit.
    mutating func accepts(_ time: CMTime, duration: CMTime, interval: CMTime) -> Bool {
        guard interval.isNumeric, interval > .zero else {
            nextTime = nil
            return true
        }
        guard let nextTime else {
            nextTime = time + interval
            return true
        }
        let tolerance = duration.isNumeric ? CMTimeMultiplyByRatio(duration, multiplier: 1, divisor: 2) : .zero
        let earliness = nextTime - time
        if earliness > tolerance, earliness <= interval { return false }
        // The schedule restarts after a gap, or if timestamps jump back.
        let isOnSchedule = earliness <= tolerance && earliness > .zero - interval
        self.nextTime = (isOnSchedule ? nextTime : time) + interval
        return true
    }
}
