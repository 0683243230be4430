import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes
import RecordedDevices
import SimDevices
import Testing

/// The running tests of the process, and the test reporter of the process.
///
/// Tests of XCTest, and tests of Swift Testing with the trait `simulated`, run one after another, and report their
/// beginning and end. A Swift Testing test without the trait is registered only while a system that it created exists.
final class RunningTests: TestReporter {
    static let shared = RunningTests()

    private struct State {
        /// The tests that have begun and not ended, innermost last.
        var runs: [TestRun] = []
        /// The systems of Swift Testing tests without the trait `simulated`, with the test, until they are deallocated:
        /// a closed system can still cause misuse.
        var systemsWithoutTrait: [(record: SystemRecord, run: TestRun, isOpen: Bool)] = []
        /// The collectors of running leak checks, which receive new systems.
        var collectors: [SystemCollector] = []
    }

    private let state = Lock(State(), order: .primitive)

    /// The test that has begun last and not ended.
    var current: TestRun? { state.withLock { $0.runs.last } }

    /// Begins a test.
    func begin(_ run: TestRun) { state.withLock { $0.runs.append(run) } }

    /// Ends a test.
    func end(_ run: TestRun) { state.withLock { $0.runs.removeAll { $0 === run } } }

    /// Collects the systems that the running test creates after this call.
    func collectSystems() -> SystemCollector {
        let collector = SystemCollector(test: Test.current.map { Self.name($0, Test.Case.current) })
        state.withLock { $0.collectors.append(collector) }
        return collector
    }

    /// Returns the systems of running tests that still exist and have a record in `records`.
    func systems(_ records: [SystemRecord]) -> [SimulatedSystem] {
        state.withLock { $0.runs }.flatMap { $0.systems(records) }
    }

    /// Closes a system, and releases the reference that its test holds to it.
    func close(_ system: SimulatedSystem) {
        system.close()
        for run in state.withLock({ $0.runs }) { run.release(system.record) }
    }

    /// Removes a closed system from the report of its test, with its files, because its run has succeeded.
    func forget(_ record: SystemRecord) {
        for run in state.withLock({ $0.runs }) { run.forget(record) }
        // The operating system eventually deletes temporary files that cannot be removed here.
        if let folder = record.closedFolder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Ends a collection.
    func end(_ collector: SystemCollector) { state.withLock { $0.collectors.removeAll { $0 === collector } } }

    func host(for simulated: SimHost, clock: SimClock, folder: URL) -> any HardwareHost {
        guard ProcessInfo.processInfo.environment["OBSCURA_REPORTS_TRACE"] == "1" else { return simulated }
        do {
            return try TraceRecorder(simulated, to: folder.appendingPathComponent("trace"), clock: clock)
        } catch {
            TestFailure.print(TestRun.Failure(message: "There will be no device trace: \(error)", line: nil))
            return simulated
        }
    }

    func didCreate(_ system: SimulatedSystem) {
        system.record.noteDelegateCalls(of: system.system)
        let name = Test.current.map { Self.name($0, Test.Case.current) }
        // Used by a Swift Testing test without the trait.
        let runWithoutTrait = TestRun(name: name ?? "") { SwiftTestingFailure.record($0) }
        for collector in state.withLock({ $0.collectors }) where collector.test == name { collector.add(system.record) }
        let (run, others) = state.withLock { state in
            let run = state.runs.last
            guard let name, run?.name != name else { return (run, [String]()) }
            let open = state.systemsWithoutTrait.filter(\.isOpen).map(\.run.name)
            let others = (run.map { [$0.name] } ?? []) + open.filter { $0 != name }
            state.systemsWithoutTrait.append((system.record, runWithoutTrait, isOpen: true))
            return (nil as TestRun?, others)
        }
        if let run { return run.add(system) }
        guard name != nil else { return }
        for other in Set(others).sorted() {
            runWithoutTrait.fail(
                """
                A simulated system of the test \(other) is still open. Tests with simulated systems cannot run at the \
                same time: add the trait .simulated() to both tests, or to their suites.
                """)
        }
    }

    func currentCallSite() -> any Sendable { CallSite() }

    func fail(_ message: String, fileID: StaticString, file: StaticString, line: UInt) {
        TestFailure.record(message, fileID: fileID, file: file, line: line)
    }

    /// The test that started last, or the test without the trait that has an open system.
    var runningTest: String? {
        state.withLock { $0.runs.last?.name ?? $0.systemsWithoutTrait.last(where: \.isOpen)?.run.name }
    }

    var failureCount: Int { current?.failureCount ?? 0 }

    func didRecordMisuse(_ record: SystemRecord) {
        let runs = state.withLock { $0.runs }
        if let run = runs.last(where: { $0.contains(record) }) ?? runs.last { return run.report(record) }
        for failure in TestRun.failures(record) { SwiftTestingFailure.record(failure) }
    }

    func willClose(_ system: CaptureSystem) {
        for host in system.hosts {
            // The trace itself states that it is incomplete.
            try? (host as? TraceRecorder)?.finish()
        }
    }

    func keepsFiles(of record: SystemRecord) -> Bool {
        state.withLock { $0.runs }.contains { $0.contains(record) }
    }

    func didClose(_ record: SystemRecord) {
        let runs = state.withLock { state in
            for index in state.systemsWithoutTrait.indices where state.systemsWithoutTrait[index].record === record {
                state.systemsWithoutTrait[index].isOpen = false
            }
            return state.runs
        }
        for run in runs { run.release(record) }
    }

    func didDeallocate(_ record: SystemRecord) {
        let runs = state.withLock { state in
            defer { state.systemsWithoutTrait.removeAll { $0.record === record } }
            return state.systemsWithoutTrait.filter { $0.record === record }.map(\.run)
        }
        // The test has released the system, so no code can read or expect the recorded misuse any more.
        for run in runs {
            record.reportImmediately()
            run.report(record)
        }
    }

    /// The name of a Swift Testing test; a case of a parameterized test has its arguments.
    static func name(_ test: Test, _ testCase: Test.Case?) -> String {
        guard let testCase, testCase.isParameterized else { return "\(test.id)" }
        return "\(test.id) \(testCase)"
    }
}

/// Installs the test reporter. `CTestReporting` calls it when the program is loaded.
@_cdecl("obscura_install_test_reporter")
func installTestReporter() {
    TestReporting.install(RunningTests.shared)
    XCTestRuns.observe()
}
