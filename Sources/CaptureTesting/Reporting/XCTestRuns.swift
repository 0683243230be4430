import CaptureSimulation
import Foundation
import MediaTypes
import XCTest

/// Begins and ends a test run for each test case of XCTest.
///
/// XCTest accepts failures until it has run `tearDown`. The teardown block of a test run comes after those of the test,
/// and before `tearDown`: it reports misuse that is not claimed. Misuse after it is reported at once.
final class XCTestRuns: XCTestObservation {
    private var runs: [ObjectIdentifier: TestRun] = [:]

    /// Observes the tests of the process.
    static func observe() { XCTestObservationCenter.shared.addTestObserver(XCTestRuns()) }

    func testCaseWillStart(_ testCase: XCTestCase) {
        // SAFETY: XCTest permits failures on all threads.
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
        runs[ObjectIdentifier(testCase)]?.noteFailure()
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        guard let run = runs.removeValue(forKey: ObjectIdentifier(testCase)) else { return }
        run.end()
        RunningTests.shared.end(run)
    }
}
