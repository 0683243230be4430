import MediaTypes

/// Limits the frame rate by skipping frames.
struct FrameRateLimiter: Sendable {
    /// The time of the next frame to accept; nil before the first.
    private var due: CMTime?

    /// Whether to deliver a frame.
    ///
    /// Tolerates jitter: a frame that is early by at most half its own duration is accepted, and the average interval
    /// still holds over many frames.
    /// - Parameter interval: The minimum time between frames; invalid or zero sets no limit.
    mutating func accepts(_ time: CMTime, duration: CMTime, interval: CMTime) -> Bool {
        guard interval.isNumeric, interval > .zero else {
            due = nil
            return true
        }
        guard let due else {
            due = time + interval
            return true
        }
        let slack = duration.isNumeric ? CMTimeMultiplyByRatio(duration, multiplier: 1, divisor: 2) : .zero
        let early = due - time
        if early > slack, early <= interval { return false }
        // The schedule restarts after a gap, or if timestamps jump back.
        let isOnSchedule = early <= slack && early > .zero - interval
        self.due = (isOnSchedule ? due : time) + interval
        return true
    }
}
