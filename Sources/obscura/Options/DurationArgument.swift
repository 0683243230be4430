import ArgumentParser
import MediaCodecs
import MediaTypes
import StrictYAML

/// A duration on the command line: `10s`, `1.5 s`, `250ms`, `2min` or `1h`, as in scenario files.
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
        let form = "a number with a unit, such as 10s, 250ms, 2min or 1h"
        guard let seconds = try? YAMLUnit.seconds.number(in: argument) else {
            throw ValidationError("a duration is \(form)")
        }
        guard seconds >= 0 else { throw ValidationError("a duration is not negative: \(form)") }
        guard seconds < 1e9 else { throw ValidationError("a duration is less than 30 years: \(form)") }
        let nanoseconds = CMTime(value: Int64((seconds * 1e9).rounded()), timescale: 1_000_000_000)
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
