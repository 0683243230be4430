/// Corrects the sequence numbers and timestamps of a driver, so that both always increase.
///
/// The first sequence number of a driver can be any number. Some drivers do not count frames, and a few continue with
/// smaller numbers after an error. Their timestamps can jump or be missing.
struct V4L2SequenceCorrector: Sendable {
    /// The corrected sequence number and timestamp of one buffer.
    struct CorrectedFrame: Sendable, Hashable {
        /// The frames lost just before this one, in order; at most `reportedLossLimit` of them.
        var lost: [LostFrame] = []
        /// The number of all lost frames, reported individually or not.
        var lostCount: UInt64 = 0
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    /// A lost frame, with an interpolated time.
    struct LostFrame: Sendable, Hashable {
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    /// The maximum number of lost frames that are reported individually for a buffer. Further ones are visible only as
    /// a gap of the sequence numbers.
    static let reportedLossLimit: UInt64 = 64
    /// The largest step of the driver's number that counts as a loss. A larger step means that the driver has
    /// restarted.
    static let plausibleLossLimit: UInt32 = 10_000
    /// A timestamp farther from the time of arrival is replaced by that time.
    static let plausibleDelayNanoseconds: Int64 = 5_000_000_000
    /// A timestamp this close to the last one is used without a comparison with the clock.
    static let plausibleStepNanoseconds: Int64 = 1_000_000_000

    private var lastDriverSequence: UInt32?
    private var nextSequence: UInt64 = 0
    private var lastNanoseconds: Int64?

    /// Corrects the sequence number and timestamp of the next buffer.
    ///
    /// - Parameters:
    ///   - nanoseconds: The driver's timestamp on the stream's clock; nil if it sets none.
    ///   - arrival: The current time of the stream's clock in nanoseconds; read only if needed.
    mutating func correct(
        driverSequence: UInt32, nanoseconds: Int64?, arrival currentTime: @autoclosure () -> Int64
    ) -> CorrectedFrame {
        var lostCount: UInt64 = 0
        if let last = lastDriverSequence {
            // The number is 32 bits wide and wraps.
            let step = driverSequence &- last
            if step > 1, step <= Self.plausibleLossLimit { lostCount = UInt64(step) - 1 }
        }
        lastDriverSequence = driverSequence

        let time: Int64
        if let nanoseconds, let last = lastNanoseconds, nanoseconds > last,
            nanoseconds - last < Self.plausibleStepNanoseconds
        {
            time = nanoseconds
        } else {
            let arrival = currentTime()
            let reported = nanoseconds ?? arrival
            let plausible = abs(arrival - reported) > Self.plausibleDelayNanoseconds ? arrival : reported
            time = lastNanoseconds.map { plausible <= $0 ? max(arrival, $0 + 1) : plausible } ?? plausible
        }

        var frame = CorrectedFrame(lostCount: lostCount, sequenceNumber: nextSequence + lostCount, nanoseconds: time)
        if lostCount > 0, let last = lastNanoseconds {
            let steps = Int64(lostCount) + 1
            for index in 0..<min(lostCount, Self.reportedLossLimit) {
                let offset = (time - last) / steps * (Int64(index) + 1)
                frame.lost.append(LostFrame(sequenceNumber: nextSequence + index, nanoseconds: last + offset))
            }
        }
        nextSequence = frame.sequenceNumber + 1
        lastNanoseconds = time
        return frame
    }
}
