/// Puts a driver's sequence numbers and timestamps in order.
///
/// Drivers count frames from any number, some not at all, and a few count backwards after trouble; their times can jump
/// or be missing. What comes out always rises. Pure: no clock, no calls.
struct V4L2FrameOrder: Sendable {
    /// What is told of one buffer.
    struct Placed: Sendable, Hashable {
        /// Frames that never came, just before this one, in order; at most `tellableLossCount` of them.
        var lost: [Lost] = []
        /// All frames that never came, told one by one or not.
        var lostCount: UInt64 = 0
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    struct Lost: Sendable, Hashable {
        var sequenceNumber: UInt64
        var nanoseconds: Int64
    }

    /// More lost frames than that are told by the jump of the sequence numbers only.
    static let tellableLossCount: UInt64 = 64
    /// A larger jump of the driver's number is not a loss but a new beginning.
    static let believableLossCount: UInt32 = 10_000
    /// A timestamp this far from the moment of arrival is not believed.
    static let believableDelayNanoseconds: Int64 = 5_000_000_000
    /// A timestamp this close to the last one is believed without a comparison with the clock.
    static let believableStepNanoseconds: Int64 = 1_000_000_000

    private var lastDriverSequence: UInt32?
    private var nextSequence: UInt64 = 0
    private var lastNanoseconds: Int64?

    /// - Parameters:
    ///   - nanoseconds: The driver's time on the stream's clock; nil where it stamps nothing.
    ///   - arrival: The present on the stream's clock; asked for where it matters.
    mutating func place(
        driverSequence: UInt32, nanoseconds: Int64?, arrival present: @autoclosure () -> Int64
    ) -> Placed {
        var lostCount: UInt64 = 0
        if let last = lastDriverSequence {
            // The number is 32 bits wide and wraps.
            let step = driverSequence &- last
            if step > 1, step <= Self.believableLossCount { lostCount = UInt64(step) - 1 }
        }
        lastDriverSequence = driverSequence

        let time: Int64
        if let nanoseconds, let last = lastNanoseconds, nanoseconds > last,
            nanoseconds - last < Self.believableStepNanoseconds
        {
            time = nanoseconds
        } else {
            let arrival = present()
            let told = nanoseconds ?? arrival
            let believed = abs(arrival - told) > Self.believableDelayNanoseconds ? arrival : told
            time = lastNanoseconds.map { believed <= $0 ? max(arrival, $0 + 1) : believed } ?? believed
        }

        var placed = Placed(lostCount: lostCount, sequenceNumber: nextSequence + lostCount, nanoseconds: time)
        if lostCount > 0, let last = lastNanoseconds {
            let steps = Int64(lostCount) + 1
            for index in 0..<min(lostCount, Self.tellableLossCount) {
                let share = (time - last) / steps * (Int64(index) + 1)
                placed.lost.append(Lost(sequenceNumber: nextSequence + index, nanoseconds: last + share))
            }
        }
        nextSequence = placed.sequenceNumber + 1
        lastNanoseconds = time
        return placed
    }
}
