import CaptureHAL
import Foundation
import MediaTypes

/// What happened in a scenario: one line an event, with its virtual time in seconds.
///
/// - Important: Thread-safe.
public final class EventLog: Sendable {
    private let entries = Lock<[String]>([])
    private let clock: any CaptureClock

    init(clock: any CaptureClock) { self.clock = clock }

    /// The lines so far.
    public var lines: [String] { entries.withLock { $0 } }

    /// Adds an event at the present moment.
    func note(_ event: String) {
        let microseconds = (clock.now.nanoseconds + 500) / 1000
        let fraction = String(microseconds % 1_000_000)
        let padding = String(repeating: "0", count: 6 - fraction.count)
        entries.withLock { $0.append("\(microseconds / 1_000_000).\(padding)\(fraction) \(event)") }
    }
}

/// The first place at which two logs differ.
public struct LogDifference: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// The lines of each from there on, at most five.
    public let expected: [String]
    public let actual: [String]

    /// nil where the logs are the same.
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
