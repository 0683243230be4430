import CaptureHAL
import Foundation
import MediaTypes

/// The events of a scenario, one line each, with the virtual time in seconds.
///
/// - Important: Thread-safe.
public final class EventLog: Sendable {
    private let entries = Lock<[String]>([])
    private let clock: any CaptureClock
    /// The pictures of the events; nil if none are collected.
    let pictures: EventPictures?

    init(clock: any CaptureClock, pictures: EventPictures? = nil) {
        self.clock = clock
        self.pictures = pictures
    }

    /// The names of sessions by identity. Contains only sessions with a name.
    private let sessionNames = Lock<[ObjectIdentifier: String]>([:])

    /// Sets the name of a session, which is part of its events in the log.
    func setName(_ name: String, of session: AnyObject) {
        sessionNames.withLock { $0[ObjectIdentifier(session)] = name }
    }

    /// Returns the name of a session; nil if it has none.
    func name(of session: AnyObject) -> String? { sessionNames.withLock { $0[ObjectIdentifier(session)] } }

    /// The lines logged so far.
    public var lines: [String] { entries.withLock { $0 } }

    /// Adds to the virtual time that the running callback takes. Clocks other than `SimClock` ignore it.
    func spend(_ time: CMTime) {
        guard time > .zero else { return }
        (clock as? SimClock)?.spend(.nanoseconds(time.nanoseconds))
    }

    /// Adds an event with the current time, rounded to microseconds.
    package func note(_ event: String) {
        let time = (clock.now.nanoseconds + 500) / 1000
        let entry = entries.withLock { lines in
            let entry = LogEntry(time: time, text: event, line: lines.count + 1)
            lines.append("\(entry)")
            return entry
        }
        pictures?.storePicture(of: entry)
    }
}

/// The first difference between two logs.
public struct LogDifference: Sendable, Hashable, CustomStringConvertible {
    /// The number of the first line that differs, from 1.
    public let line: Int
    /// The expected lines from `line` on, at most five.
    public let expected: [String]
    /// The actual lines from `line` on, at most five.
    public let actual: [String]

    /// Compares two logs; nil if they are equal.
    public init?(expected: [String], actual: [String]) {
        let common = zip(expected, actual).prefix { $0 == $1 }.count
        guard common < max(expected.count, actual.count) else { return nil }
        line = common + 1
        self.expected = Array(expected.dropFirst(common).prefix(5))
        self.actual = Array(actual.dropFirst(common).prefix(5))
    }

    public var description: String {
        let old = expected.isEmpty ? ["- (the log ends here)"] : expected.map { "- \($0)" }
        let new = actual.isEmpty ? ["+ (the log ends here)"] : actual.map { "+ \($0)" }
        return (["the logs differ from line \(line) on:"] + old + new).joined(separator: "\n")
    }
}
