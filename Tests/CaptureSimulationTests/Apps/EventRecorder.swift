import CaptureHAL
import CaptureTesting
import Foundation
import MediaTypes
import XCTest

/// Records the events of an app in a simulated system with their virtual times.
///
/// The log of a test is the same in every run. With `OBSCURA_EVENT_LOGS` set to a folder, each test appends its log to
/// `CLASS.TEST.log` there, so that a script can compare runs.
final class EventRecorder: Sendable {
    /// An event at a virtual time.
    struct Event: Equatable, CustomStringConvertible {
        let time: CMTime
        let text: String

        var description: String { String(format: "%.6f ", time.seconds) + text }
    }

    private let clock: SimClock
    private let recorded = Lock<[Event]>([])

    /// Creates a recorder for the duration of a test. At the end of the test, recorded misuse is a failure, unless
    /// `XCTAssertMisuse` expected it.
    init(_ simulated: SimulatedSystem, in test: XCTestCase) throws {
        clock = simulated.clock
        let name = test.name
        // The block also retains the system until the test ends.
        test.addTeardownBlock { [self] in
            XCTAssertEqual(simulated.misuses, [], "misuse in \(name)")
            try write(name)
        }
    }

    /// Records an event.
    func record(_ text: String) {
        let event = Event(time: clock.now, text: text)
        recorded.withLock { $0.append(event) }
    }

    /// The events so far.
    var events: [Event] { recorded.withLock { $0 } }

    /// The lines of the log.
    var log: [String] { events.map(\.description) }

    /// The events that begin with a text.
    func events(_ prefix: String) -> [Event] { events.filter { $0.text.hasPrefix(prefix) } }

    /// The time of the first event with a text; nil if there is none.
    func time(of text: String) -> CMTime? { events.first { $0.text == text }?.time }

    /// Asserts that the logs of repeated runs are equal, and reports the first difference.
    static func assertEqual(_ logs: [[String]], file: StaticString = #filePath, line: UInt = #line) {
        for (number, log) in logs.enumerated().dropFirst() where log != logs[0] {
            let index = zip(log, logs[0]).prefix { $0 == $1 }.count
            XCTFail(
                "run \(number) differs from the first at line \(index): \(log.dropFirst(index).prefix(3)) instead of "
                    + "\(logs[0].dropFirst(index).prefix(3))", file: file, line: line)
        }
    }

    private func write(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["OBSCURA_EVENT_LOGS"] else { return }
        let url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name + ".log")
        let old = FileManager.default.contents(atPath: url.path) ?? Data()
        try (old + Data(log.joined(separator: "\n").utf8) + Data("\n".utf8)).write(to: url)
    }
}
