import CaptureSimulation
import Foundation
import MediaTypes
import XCTest

/// Begins and ends a `TestRun` for each test case of XCTest.
///
/// XCTest records failures until `tearDown` has returned. It runs teardown blocks before `tearDown`, last added first,
/// so the block that is added when a test starts runs after the blocks of the test. The block fails the test for misuse
/// that the test has not claimed. Misuse that occurs later fails the test immediately.
final class XCTestRuns: XCTestObservation {
    private var runs: [ObjectIdentifier: TestRun] = [:]

    /// Observes the tests of the process.
    static func observe() { XCTestObservationCenter.shared.addTestObserver(XCTestRuns()) }

    func testCaseWillStart(_ testCase: XCTestCase) {
        // SAFETY: XCTest permits recording failures on any thread.
        nonisolated(unsafe) weak let observed = testCase
        let run = TestRun(name: testCase.name) { failure in
            guard let observed, observed.testRun?.stopDate == nil else { return TestFailure.print(failure) }
            observed.recordFailure(
                withDescription: failure.message, inFile: failure.line?.path ?? "<unknown>",
                atLine: failure.line?.number ?? 0, expected: true)
        }
        runs[ObjectIdentifier(testCase)] = run
        RunningTests.shared.begin(run)
        testCase.addTeardownBlock { () -> Void in
            run.reportUnclaimed(isLast: true)
            if let report = run.pendingReport { run.fail(report.message) }
        }
    }

    func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
        atLine lineNumber: Int
    ) {
        guard let run = runs[ObjectIdentifier(testCase)] else { return }
        run.noteFailure()
        // XCTest calls its observers in no defined order, so the misuse is printed directly before or after the failure.
        run.reportMisuseBeforeFailure()
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        guard let run = runs.removeValue(forKey: ObjectIdentifier(testCase)) else { return }
        run.end()
        RunningTests.shared.end(run)
    }
}
