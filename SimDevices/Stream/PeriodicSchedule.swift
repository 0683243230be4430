/// Evenly spaced times, computed from their index, so that rounding errors do not accumulate.
struct PeriodicSchedule: Sendable, Equatable {
    /// Time of `firstIndex`, in nanoseconds.
    var first: Int64
    /// The index of the first event of the schedule.
    var firstIndex: UInt64
    /// The interval is `value` / `timescale` seconds. Both are positive.
    var value: Int64
    var timescale: Int64

    /// Returns the time of `index`, which must not precede `firstIndex`, rounded to the nearest nanosecond.
    func time(of index: UInt64) -> Int64 {
        let steps = Int64(clamping: index - firstIndex)
        let product = steps.multipliedFullWidth(by: value)
        // steps × value stays far below 2^63: a century in nanoseconds is 3 × 10^18.
        let ticks = Int64(truncatingIfNeeded: product.low)
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: timescale)
        return first + seconds * 1_000_000_000 + roundedNanoseconds(rest)
    }

    /// Returns the last index with a time at or before `time`, but at least `index`.
    func lastIndex(atOrBefore time: Int64, from index: UInt64) -> UInt64 {
        guard time > self.time(of: index) else { return index }
        let elapsed = Double(time - first) / 1e9 * Double(timescale) / Double(value)
        var guess = max(index, firstIndex + UInt64(max(0, elapsed.rounded(.down))))
        while guess > index, self.time(of: guess) > time { guess -= 1 }
        while self.time(of: guess + 1) <= time { guess += 1 }
        return guess
    }

    /// Converts `ticks`, in units of 1 / `timescale` seconds and less than a second, to nanoseconds.
    private func roundedNanoseconds(_ ticks: Int64) -> Int64 {
        let wide = ticks.multipliedFullWidth(by: 1_000_000_000)
        let (quotient, remainder) = timescale.dividingFullWidth(wide)
        return remainder * 2 >= timescale ? quotient + 1 : quotient
    }
}
