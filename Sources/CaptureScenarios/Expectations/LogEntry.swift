import Foundation

/// A line of an event log.
package struct LogEntry: Sendable, Hashable, CustomStringConvertible {
    /// The first words of the event that is logged when an action of an app throws an error.
    static let appFailure = "app failed"
    /// The first word of the event that is logged for a programming error that raises an exception on Apple's systems.
    static let misuse = "misuse"
    /// The first word of the event that is logged for a fault of an app that raises no exception.
    static let warning = "warning"

    /// The time since the start of the scenario in microseconds.
    package var time: Int64
    /// The event without the time.
    package var text: String
    /// The number of the line, from 1.
    var line: Int

    /// Parses the lines of a log; lines without a time are ignored.
    package static func parse(_ lines: [String]) -> [LogEntry] {
        lines.enumerated().compactMap { index, line in
            let parts = line.split(separator: " ", maxSplits: 1)
            let digits = parts.first?.split(separator: ".") ?? []
            guard parts.count == 2, digits.count == 2, digits[1].count == 6, let seconds = Int64(digits[0]),
                let fraction = Int64(digits[1])
            else { return nil }
            return LogEntry(time: seconds * 1_000_000 + fraction, text: String(parts[1]), line: index + 1)
        }
    }

    /// The words before the name or number of a session at the end of an event.
    static let sessionWords = " of session "

    /// The name of the event's session, or its number, from 1.
    var session: String {
        text.range(of: Self.sessionWords, options: .backwards).map { String(text[$0.upperBound...]) } ?? "1"
    }

    /// Whether the event is one of a session.
    var isOfSession: Bool { text.hasPrefix("session ") }

    /// Whether the event begins with these words.
    func matches(_ words: String) -> Bool { EventName.starts(text, with: words) }

    /// Whether the entry is the event of a frame, a depth map or an audio buffer. A log contains many of them.
    package var isSample: Bool {
        let words = text.split(separator: " ", maxSplits: 2)
        return ["frame", "sound", "depth"].contains(words.first) && (words.count < 2 || words[1] != "dropped")
    }

    /// Returns the file name in the event of a recording; nil for other events.
    ///
    /// - Parameter names: The recordings in progress. In the last event of a recording, its error follows the name. Of
    ///   the names with which that text begins, the longest is the recording's.
    func recordingName(among names: some Sequence<String>) -> String? {
        for words in ["recording did start", "recording did pause", "recording did resume"] {
            if let name = detail(after: words) { return name }
        }
        return names.filter { matches("recording did finish \($0)") }.max { $0.count < $1.count }
    }

    /// The words between the file name and the depth map in the event of a photo.
    static let depthWords = " with depth "

    /// The words after the first words of the event, such as the name of a file; nil for other events.
    func detail(after words: String) -> String? {
        text.hasPrefix(words + " ") ? String(text.dropFirst(words.count + 1)) : nil
    }

    /// Whether the entry reports that the app failed or called the API incorrectly, or that a call of the app had no
    /// effect.
    var isFailureOfApp: Bool {
        [Self.appFailure, Self.misuse, "refused", "cannot", "there is no"].contains(where: text.hasPrefix)
    }

    /// Whether the entry is a step of the timeline.
    package var isStep: Bool { text.hasPrefix("> ") }

    /// Whether the entry is a step that an app performs; other steps change its environment.
    package var isAppStep: Bool {
        guard isStep, let action = text.dropFirst(2).split(separator: " ").first else { return false }
        return ActionDeclaration.all.contains {
            $0.name == action && ActionDeclaration.Group.performedByApp.contains($0.group)
        }
    }

    /// The line in the format of the log.
    package var description: String {
        let fraction = String(time % 1_000_000)
        return "\(time / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction) \(text)"
    }
}
