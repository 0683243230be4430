/// Evenly spaced moments, computed from their number, so that no rounding adds up however long a stream runs.
struct Cadence: Sendable, Equatable {
    /// The moment of `firstIndex`, in nanoseconds.
    var first: Int64
    var firstIndex: UInt64
    /// The spacing is `value` / `timescale` seconds, both positive.
    var value: Int64
    var timescale: Int64

    /// Nanoseconds of moment `index`, which is not before the first, rounded to the nearest.
    func time(of index: UInt64) -> Int64 {
        let steps = Int64(clamping: index - firstIndex)
        let product = steps.multipliedFullWidth(by: value)
        // steps × value stays far below 2^63: a century of nanosecond steps has 3 × 10^18.
        let ticks = Int64(truncatingIfNeeded: product.low)
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: timescale)
        return first + seconds * 1_000_000_000 + roundedNanoseconds(rest)
    }

    /// The last index whose moment is at or before `time`, or `index` where that is later.
    func lastIndex(atOrBefore time: Int64, from index: UInt64) -> UInt64 {
        guard time > self.time(of: index) else { return index }
        let elapsed = Double(time - first) / 1e9 * Double(timescale) / Double(value)
        var guess = max(index, firstIndex + UInt64(max(0, elapsed.rounded(.down))))
        while guess > index, self.time(of: guess) > time { guess -= 1 }
        while self.time(of: guess + 1) <= time { guess += 1 }
        return guess
    }

    /// `ticks` of the timescale, fewer than it has, in nanoseconds.
    private func roundedNanoseconds(_ ticks: Int64) -> Int64 {
        let wide = ticks.multipliedFullWidth(by: 1_000_000_000)
        let (quotient, remainder) = timescale.dividingFullWidth(wide)
        return remainder * 2 >= timescale ? quotient + 1 : quotient
    }
}
