import ArgumentParser
import Foundation
import MediaCodecs
import MediaTypes

/// A range of a movie on the command line: `1s..2s`, `500ms..` or `..10s`.
struct TimeRangeArgument {
    private let start: DurationArgument?
    private let end: DurationArgument?

    /// Parses a range.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        let parts = argument.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts != ["", ""] else {
            throw ValidationError("a range is two times, such as 1s..2s, 500ms.. or ..10s")
        }
        start = try parts[0].isEmpty ? nil : DurationArgument(argument: parts[0])
        end = try parts[1].isEmpty ? nil : DurationArgument(argument: parts[1])
    }

    /// Returns the range in a movie.
    ///
    /// - Throws: `CommandFailure` if it is empty or not in the movie.
    func range(in duration: CMTime, of movie: String) throws(CommandFailure) -> CMTimeRange {
        // The times are compared before they are converted: conversions can round.
        let (start, end) = (start?.time ?? .zero, end?.time ?? duration)
        guard end <= duration else {
            throw CommandFailure(
                "the range ends at \(Self.text(end)) s, but \(movie) lasts only \(Self.text(duration)) s")
        }
        guard start < end else {
            throw CommandFailure(
                "the range ends at \(Self.text(end)) s, which is not after its start at \(Self.text(start)) s")
        }
        return CMTimeRangeFromTimeToTime(
            start: Self.converted(start, for: duration), end: Self.converted(end, for: duration))
    }

    /// Returns the seconds of a time with the precision of arguments, so that different times have different texts.
    private static func text(_ time: CMTime) -> String { plainNumber(time.seconds, fractionDigits: 9) }

    /// Returns a time with a time scale in which the difference to another time is exact. If there is none for the exact
    /// time, the time is rounded.
    private static func converted(_ time: CMTime, for other: CMTime) -> CMTime {
        var scale = ExactTimescale(other.timescale)
        if scale.includeValue(of: time) { return time }
        let multiple = other.timescale * (CMTimeScale.max / other.timescale)
        return CMTimeConvertScale(time, timescale: multiple, method: .default)
    }
}
