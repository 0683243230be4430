import ArgumentParser
import MediaCodecs
import MediaTypes

/// A duration on the command line: `10s`, `1.5s`, `250ms`, `2min` or `1h`.
struct DurationArgument: CustomStringConvertible {
    /// The duration, rounded to nanoseconds, in the lowest time scale that represents it.
    ///
    /// Sums and differences with times of most other time scales are therefore exact.
    let time: CMTime

    init(time: CMTime) { self.time = time }

    /// Parses a duration.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        let units: [(suffix: String, nanoseconds: Double)] = [("ms", 1e6), ("min", 60e9), ("s", 1e9), ("h", 3600e9)]
        let form = "a number with a unit, such as 10s, 250ms, 2min or 1h"
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
            let number = Double(argument.dropLast(unit.suffix.count)), number.isFinite
        else { throw ValidationError("a duration is \(form)") }
        guard number >= 0 else { throw ValidationError("a duration is not negative: \(form)") }
        guard number * unit.nanoseconds < 1e18 else {
            throw ValidationError("a duration is less than 30 years: \(form)")
        }
        let nanoseconds = CMTime(value: Int64((number * unit.nanoseconds).rounded()), timescale: 1_000_000_000)
        var scale = ExactTimescale()
        scale.includeValue(of: nanoseconds)
        time = CMTimeConvertScale(nanoseconds, timescale: scale.value, method: .default)
    }

    var description: String { "\(plainNumber(time.seconds))s" }

    /// Throws `ValidationError` if a duration is zero.
    static func requirePositive(_ duration: DurationArgument?) throws {
        if let duration, duration.time <= .zero { throw ValidationError("--duration must be greater than 0") }
    }
}
