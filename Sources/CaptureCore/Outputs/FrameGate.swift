import MediaTypes

/// Lets frames through that are at least some time apart.
struct FrameGate: Sendable {
    /// When the next frame may come; nil before the first.
    private var due: CMTime?

    /// Whether a frame is let through.
    ///
    /// Frames come with jitter: one that is early by less than half its own duration counts as in time, and the pace is
    /// kept over many frames.
    mutating func admits(_ time: CMTime, duration: CMTime, interval: CMTime) -> Bool {
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
        // After a gap, or where time jumps back, the pace begins anew.
        let isInPace = early <= slack && early > .zero - interval
        self.due = (isInPace ? due : time) + interval
        return true
    }
}
