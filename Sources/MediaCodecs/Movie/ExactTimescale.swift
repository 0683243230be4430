package import MediaTypes

/// The lowest time scale that represents times of several time scales exactly, up to a limit.
package struct ExactTimescale: Sendable, Hashable {
    private var ticks: Int64
    private let limit: Int64

    /// Creates a scale.
    ///
    /// - Parameters:
    ///   - first: The first scale, in ticks per second.
    ///   - limit: The maximum scale, in ticks per second.
    package init(_ first: CMTimeScale = 1, limit: Int64 = Int64(CMTimeScale.max)) {
        ticks = Int64(max(1, first))
        self.limit = limit
    }

    /// The time scale in ticks per second.
    package var value: CMTimeScale { CMTimeScale(clamping: ticks) }

    /// Includes a number of ticks per second.
    ///
    /// - Returns: False if the scale would exceed the limit; then it does not change.
    @discardableResult
    package mutating func include(_ scale: Int64) -> Bool {
        guard scale > 0 else { return true }
        let (next, overflows) = (ticks / Self.greatestCommonDivisor(ticks, scale))
            .multipliedReportingOverflow(by: scale)
        guard !overflows, next <= limit else { return false }
        ticks = next
        return true
    }

    /// Includes the scale of a time, if it is numeric.
    @discardableResult
    package mutating func include(_ time: CMTime) -> Bool { !time.isNumeric || include(Int64(time.timescale)) }

    /// Includes the scale of a time after reducing its fraction, if it is numeric: half a second is exact in every even
    /// scale.
    @discardableResult
    package mutating func includeValue(of time: CMTime) -> Bool {
        guard time.isNumeric, time.timescale > 0 else { return true }
        let scale = Int64(time.timescale)
        return include(scale / Self.greatestCommonDivisor(scale, time.value < 0 ? -time.value : time.value))
    }

    /// Returns the greatest common divisor of two numbers that are not negative.
    package static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}
