import Foundation
import MediaTypes
import XCTest

@testable import CaptureSimulation

/// Runs the same code in a simulated world and outside of all worlds, and compares the order and the times of its
/// events.
///
/// Outside of a world, a loaded machine delays events. Each event must therefore happen at its virtual time or later,
/// and the events of a scenario that must not change places are at least 80 ms apart, or on one serial queue.
final class ScheduleRecorder: Sendable {
    private let events = Lock<[(name: String, milliseconds: Double)]>([])
    private let start = Date()

    /// Adds an event at the present time of the clock that the caller reads.
    func add(_ name: String) {
        let milliseconds = Date().timeIntervalSince(start) * 1000
        events.withLock { $0.append((name, milliseconds)) }
    }

    /// Compares a scenario in a world with the same scenario outside of all worlds.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the scenario.
    ///   - expected: The events, each with the virtual time in milliseconds before it.
    ///   - scenario: Starts the scenario on the main thread.
    static func compare(
        seconds: Double, _ expected: [String], file: StaticString = #filePath, line: UInt = #line,
        _ scenario: (ScheduleRecorder) throws -> Void
    ) throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let virtual = ScheduleRecorder()
        try scenario(virtual)
        simulated.advance(by: .seconds(seconds))
        XCTAssertEqual(simulated.misuses, [], file: file, line: line)
        simulated.close()
        let virtualEvents = virtual.events.withLock { $0 }
        XCTAssertEqual(
            virtualEvents.map { "\(Int($0.milliseconds.rounded())) \($0.name)" }, expected, "in a world", file: file,
            line: line)

        let real = ScheduleRecorder()
        try scenario(real)
        let end = Date(timeIntervalSinceNow: seconds)
        while real.events.withLock(\.count) < expected.count, Date() < end.addingTimeInterval(10) {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
        }
        // Events that must not happen would happen by now.
        if Date() < end { RunLoop.main.run(until: end) }
        let realEvents = real.events.withLock { $0 }
        XCTAssertEqual(
            realEvents.map(\.name), virtualEvents.map(\.name), "outside of all worlds", file: file, line: line)
        for (real, virtual) in zip(realEvents, virtualEvents) {
            XCTAssertGreaterThan(
                real.milliseconds, virtual.milliseconds - 2, "\(real.name) is early outside of all worlds", file: file,
                line: line)
        }
    }
}
