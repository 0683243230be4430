import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes

/// A running test and the simulated systems that it created.
///
/// Misuse that no code has claimed when the test ends is a failure of the test.
final class TestRun: Sendable {
    /// A failure of the test.
    struct Failure: Sendable {
        let message: String
        /// The line of the failure; nil if it is unknown.
        let line: CallStack.Line?
    }

    private struct WeakSystem {
        weak var system: SimulatedSystem?
    }

    private struct State {
        var records: [SystemRecord] = []
        var systems: [WeakSystem] = []
        /// The system that the test created last, retained for the test.
        var newest: SimulatedSystem?
        var failureCount = 0
    }

    /// The name of the test in its framework.
    let name: String
    private let recordFailure: @Sendable (Failure) -> Void
    // Primitive because a reference to a system can be released in any critical section.
    private let state = Lock(State(), order: .primitive)

    /// Begins a test.
    ///
    /// - Parameters:
    ///   - name: The name of the test in its framework.
    ///   - recordFailure: Fails the test.
    init(name: String, recordFailure: @escaping @Sendable (Failure) -> Void) {
        self.name = name
        self.recordFailure = recordFailure
    }

    /// Adds a system of the test, and retains it until the test creates another one, closes it, or ends.
    func add(_ system: SimulatedSystem) {
        // References are released outside of the lock: a system that is deallocated needs it.
        let previous = state.withLock { state in
            let previous = state.newest
            state.newest = system
            state.systems.append(WeakSystem(system: system))
            state.records.append(system.record)
            return previous
        }
        _ = previous
    }

    /// Returns whether the test created the system with a record.
    func contains(_ record: SystemRecord) -> Bool {
        state.withLock { $0.records.contains { $0 === record } }
    }

    /// Releases the system with a record.
    func release(_ record: SystemRecord) {
        let released = state.withLock { state -> SimulatedSystem? in
            guard let newest = state.newest, newest.record === record else { return nil }
            state.newest = nil
            return newest
        }
        _ = released
    }

    /// Removes a closed system from the report of the test.
    func forget(_ record: SystemRecord) {
        let removed = state.withLock { state in
            let removed = state.records.filter { $0 === record }
            state.records.removeAll { $0 === record }
            state.systems.removeAll { $0.system == nil }
            return removed
        }
        _ = removed
    }

    /// Fails the test for misuse that is not claimed.
    ///
    /// - Parameter isLast: Whether no further code of the test can claim misuse. If so, later misuse is reported
    ///   immediately.
    func reportUnclaimed(isLast: Bool) {
        for record in state.withLock({ $0.records }) {
            if isLast { record.reportImmediately() }
            report(record)
        }
    }

    /// Fails the test for misuse that preceded another failure, because misuse is the probable cause of it.
    func reportMisuseBeforeFailure() {
        for record in state.withLock({ $0.records }) where !record.unclaimed.isEmpty { report(record) }
    }

    /// Claims the unclaimed misuse of all systems, and returns a failure for each distinct misuse of a system.
    func dequeueFailures() -> [Failure] { state.withLock { $0.records }.flatMap(Self.failures) }

    /// Claims the unclaimed misuse of a record, and fails the test for it.
    func report(_ record: SystemRecord) {
        for failure in Self.failures(record) { recordFailure(failure) }
    }

    /// Fails the test.
    func fail(_ message: String) { recordFailure(Failure(message: message, line: nil)) }

    /// Counts a failure of the test, so that its systems are reported when it ends.
    func noteFailure() { state.withLock { $0.failureCount += 1 } }

    /// The number of failures so far.
    var failureCount: Int { state.withLock(\.failureCount) }

    /// The report that the end of the test writes; nil if there is nothing to report.
    var pendingReport: TestReport? {
        let records = state.withLock { $0.failureCount > 0 ? $0.records : [] }
        return records.isEmpty ? nil : TestReport(test: name, warnings: records.flatMap(\.warnings))
    }

    /// Ends the test: closes its systems, and writes the report if it has failed.
    func end() {
        closeSystems()
        let records = state.withLock { $0.records }
        do {
            try pendingReport?.write(records)
        } catch {
            TestFailure.print(Failure(message: "The report of \(name) is incomplete: \(error)", line: nil))
        }
        for folder in records.compactMap(\.closedFolder) {
            // The files of a failed test have been moved.
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Returns the systems of the test that still exist and have a record in `records`.
    func systems(_ records: [SystemRecord]) -> [SimulatedSystem] {
        // References are released outside of the lock: a system that is deallocated needs it.
        let systems = state.withLock { state in state.systems.compactMap(\.system) }
        return systems.filter { system in records.contains { $0 === system.record } }
    }

    private func closeSystems() {
        // References are released outside of the lock: a system that is deallocated needs it.
        let (systems, newest) = state.withLock { state in
            let old = (state.systems, state.newest)
            (state.systems, state.newest) = ([], nil)
            return old
        }
        for weak in systems { weak.system?.close() }
        _ = newest
    }

    /// Claims the unclaimed misuse of a record, and returns a failure for each distinct misuse.
    static func failures(_ record: SystemRecord) -> [Failure] {
        var counts: [Misuse: Int] = [:]
        let unclaimed = record.dequeueUnclaimed()
        for entry in unclaimed { counts[entry.misuse, default: 0] += 1 }
        var failures: [Failure] = []
        for entry in unclaimed {
            guard let count = counts.removeValue(forKey: entry.misuse) else { continue }
            let line = (entry.callSite as? CallSite)?.line()
            var message = "\(entry.misuse)"
            if let line { message += " [called by \(line.function)]" }
            if count > 1 { message += " [\(count) times]" }
            failures.append(Failure(message: message, line: line))
        }
        return failures
    }
}
