import ArgumentParser
import MediaTypes

/// A range of a movie on the command line: `1s..2s`, `500ms..` or `..10s`.
struct TimeRangeArgument {
    private let start: DurationArgument?
    private let end: DurationArgument?

    /// Parses a range.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        let parts = argument.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
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
        let range = CMTimeRangeFromTimeToTime(start: start?.time ?? .zero, end: end?.time ?? duration)
        guard range.duration > .zero else {
            throw CommandFailure(
                "the range ends at \(plainNumber(range.end.seconds)) s, which is not after its start at "
                    + "\(plainNumber(range.start.seconds)) s")
        }
        guard range.end <= duration else {
            throw CommandFailure(
                "the range ends at \(plainNumber(range.end.seconds)) s, but \(movie) lasts only "
                    + "\(plainNumber(duration.seconds)) s")
        }
        return range
    }
}
