/// Puts a driver's sequence numbers and timestamps in order.
///
/// Drivers start to count frames at any number, some do not count, and a few count backwards after errors; their
/// timestamps can jump or be missing. The results always increase. A pure value: no clock, no calls.
struct V4L2FrameOrder: Sendable {
    /// The sequence number and timestamp of one buffer.
    struct Placed: Sendable, Hashable {
        /// The frames lost just before this one, in order; at most `reportedLossLimit` of them.
        var lost: [Lost] = []
        /// The number of all lost frames, reported individually or not.
        var lostCount: UInt64 = 0
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    /// A lost frame.
    struct Lost: Sendable, Hashable {
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    /// Further lost frames are visible only as a gap of the sequence numbers.
    static let reportedLossLimit: UInt64 = 64
    /// A larger jump of the driver's number is not a loss but a restart.
    static let plausibleLossLimit: UInt32 = 10_000
    /// A timestamp farther from the time of arrival is replaced by that time.
    static let plausibleDelayNanoseconds: Int64 = 5_000_000_000
    /// A timestamp this close to the last one is used without a comparison with the clock.
    static let plausibleStepNanoseconds: Int64 = 1_000_000_000

    private var lastDriverSequence: UInt32?
    private var nextSequence: UInt64 = 0
    private var lastNanoseconds: Int64?

    /// - Parameters:
    ///   - nanoseconds: The driver's timestamp on the stream's clock; nil if it sets none.
    ///   - arrival: The current time of the stream's clock; read only if needed.
    mutating func place(
        driverSequence: UInt32, nanoseconds: Int64?, arrival present: @autoclosure () -> Int64
    ) -> Placed {
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
            let arrival = present()
            let reported = nanoseconds ?? arrival
            let plausible = abs(arrival - reported) > Self.plausibleDelayNanoseconds ? arrival : reported
            time = lastNanoseconds.map { plausible <= $0 ? max(arrival, $0 + 1) : plausible } ?? plausible
        }

        var placed = Placed(lostCount: lostCount, sequenceNumber: nextSequence + lostCount, nanoseconds: time)
        if lostCount > 0, let last = lastNanoseconds {
            let steps = Int64(lostCount) + 1
            for index in 0..<min(lostCount, Self.reportedLossLimit) {
                let share = (time - last) / steps * (Int64(index) + 1)
                placed.lost.append(Lost(sequenceNumber: nextSequence + index, nanoseconds: last + share))
            }
        }
        nextSequence = placed.sequenceNumber + 1
        lastNanoseconds = time
        return placed
    }
}
