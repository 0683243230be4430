import Foundation
import XCTest

/// Tests that a wait without end is reported and fails its test within a limit in real time. Runs `WaitFixtures`.
final class WaitReportTests: XCTestCase {
    /// Runs a fixture with a limit of four seconds; waits are reported after half of it.
    private func run(_ name: String) throws -> TestFixtures.Result {
        try TestFixtures.runXCTest("WaitFixtures/\(name)", environment: ["OBSCURA_REAL_TIME_LIMIT": "4"])
    }

    private func check(
        _ result: TestFixtures.Result, status: Int32, contains expected: [String], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(result.status, status, result.output, file: file, line: line)
        for text in expected {
            XCTAssertTrue(result.output.contains(text), "no \"\(text)\" in: \(result.output)", file: file, line: line)
        }
    }

    func testAConditionThatIsNotMetFailsTheTestAtItsLine() throws {
        check(
            try run("testAConditionThatIsNotMet"), status: 1,
            contains: [
                """
                WaitFixtures.swift:\(WaitFixtures.conditionLine): error: WaitFixtures.testAConditionThatIsNotMet : failed - the \
                condition of advance(until:) is false after 1.0 seconds of virtual time; no work is pending
                """, "the test continues",
            ])
    }

    func testTheFailureOfAWaitNamesAReleasedPhotoDelegate() throws {
        check(
            try run("testAPhotoWhoseDelegateIsReleased"), status: 1,
            contains: [
                "is false after 1.0 seconds of virtual time; warning: the photo's delegate (Receiver) was released before"
            ])
    }

    func testTheFailureOfAnAssertionNamesAReleasedPhotoDelegate() throws {
        check(
            try run("testAnExpectedPhotoWhoseDelegateIsReleased"), status: 1,
            contains: ["failed - no photo", " : Warning: the photo's delegate (Receiver) was released before"])
    }

    func testMisuseIsPrintedBeforeItsConsequences() throws {
        let result = try run("testMisuseAndItsConsequences")
        check(result, status: 1, contains: [])
        let texts = ["An AVCaptureInput instance may not be added more than once", "the condition of", "a later"]
        let offsets = texts.compactMap { result.output.range(of: $0)?.lowerBound }
        XCTAssertEqual(offsets.count, 3, result.output)
        XCTAssertEqual(offsets, offsets.sorted(), result.output)
    }

    func testAConditionWhoseResultIsUsedDoesNotFailTheTest() throws {
        check(
            try run("testAConditionWhoseResultIsUsed"), status: 0,
            contains: ["the condition of advance(until:) is false after 1.0 seconds of virtual time"])
    }

    func testASuspendedConditionThatIsNotMetFailsTheTest() throws {
        let result = try run("testASuspendedConditionThatIsNotMet")
        check(
            result, status: 1,
            contains: ["error: WaitFixtures.testASuspendedConditionThatIsNotMet : failed - the condition"])
        XCTAssertEqual(result.output.components(separatedBy: "the condition of wait(until:)").count, 2, result.output)
    }

    func testAForgottenCommitIsReportedWithTheSession() throws {
        check(
            try run("testAForgottenCommit"), status: 1,
            contains: [
                "obscura: the test has waited for the condition of advance(until:) for 2 s of real time",
                "; the test fails after 4.0 seconds\n  virtual time: ", "pending work:", "last events:",
                "AVCaptureSession runs, with 1 inputs and 1 outputs; beginConfiguration without commitConfiguration",
                "the condition of advance(until:) is false after 4.0 seconds of real time", "the test continues",
            ])
    }

    func testASessionThatIsNotStartedFailsTheTestImmediately() throws {
        check(
            try run("testASessionThatIsNotStarted"), status: 1,
            contains: ["the condition of advance(until:) is false after 60.0 seconds of virtual time"])
    }

    func testAWaitForASemaphoreEndsAtTheLimitAndFailsTheTest() throws {
        check(
            try run("testASemaphoreThatIsNotSignalled"), status: 1,
            contains: ["the test has waited for a semaphore for 4 s of real time, the limit", "the test continues"])
    }

    func testAContinuationThatIsNotResumedEndsTheProcess() throws {
        let result = try run("testAContinuationThatIsNotResumed")
        check(
            result, status: 1,
            contains: [
                "obscura: the test has waited for work or an expectation for 2 s of real time",
                "AVCaptureSession runs, with 1 inputs and 2 outputs",
                "error: WaitFixtures.testAContinuationThatIsNotResumed : ",
            ])
        checkLastLines(result, test: "WaitFixtures.testAContinuationThatIsNotResumed")
    }

    /// Checks that the last lines of the output name the test and what it waits for.
    private func checkLastLines(
        _ result: TestFixtures.Result, test: String, wait: String = "work or an expectation",
        file: StaticString = #filePath, line: UInt = #line
    ) {
        let lines = result.output.split(separator: "\n").suffix(2)
        XCTAssertTrue(
            lines.first?.hasPrefix("obscura: the test has waited for \(wait) for ") == true, result.output, file: file,
            line: line)
        XCTAssertEqual(
            lines.last, "obscura: the test \(test) cannot continue, and the process ends", result.output, file: file,
            line: line)
    }

    func testAWaitThatEndsWithTheTaskOfItsTestEndsAtTheLimit() throws {
        let message = "the test has waited for work or an expectation for 4 s of real time, the limit"
        check(
            try run("testAStreamWithoutElements"), status: 1,
            contains: ["error: WaitFixtures.testAStreamWithoutElements : ", message, "the test continues"])
        let result = try TestFixtures.runSwiftTesting(
            "SwiftTestingWaitFixtures/Cancelled", environment: ["OBSCURA_REAL_TIME_LIMIT": "4"])
        check(
            result, status: 1,
            contains: [
                message, "the stream has ended", "the other test has run", "Test aStreamWithoutElements() failed",
                "Test anotherTest() passed",
            ])
    }

    func testASwiftTestingTestThatCannotContinueIsNamedInTheLastLine() throws {
        let result = try TestFixtures.runSwiftTesting(
            "SwiftTestingWaitFixtures/aContinuationThatIsNotResumed", environment: ["OBSCURA_REAL_TIME_LIMIT": "4"])
        check(
            result, status: 1,
            contains: ["the test has waited for work or an expectation for 4 s of real time, the limit"])
        let lastLine = result.output.split(separator: "\n").last ?? ""
        XCTAssertTrue(lastLine.contains("aContinuationThatIsNotResumed()"), result.output)
        XCTAssertTrue(lastLine.hasSuffix(" cannot continue, and the process ends"), result.output)
    }

    func testAnOperationThatIsNotStartedEndsTheProcess() throws {
        let result = try run("testAnOperationThatIsNotStarted")
        check(result, status: 1, contains: ["error: WaitFixtures.testAnOperationThatIsNotStarted : "])
        checkLastLines(result, test: "WaitFixtures.testAnOperationThatIsNotStarted", wait: "a condition")
    }

    func testASleepInVirtualTimeHasNoLimitInRealTime() throws {
        let result = try run("testASleepBesideWorkThatTakesRealTime")
        check(
            result, status: 0,
            contains: ["the test has waited for work or an expectation for 2 s of real time\n", "the test continues"])
        check(
            try run("testAContinuationThatIsNotResumedAfterASleep"), status: 1,
            contains: [" cannot continue, and the process ends"])
    }

    func testALockThatBlocksTheMainThreadIsReportedWithBothThreads() throws {
        check(
            try run("testAMainThreadThatWaitsForALock"), status: 1,
            contains: [
                "waits for a lock that the thread ",
                "in which a block on queue \"owner\" waits for a semaphore, holds",
                "testAMainThreadThatWaitsForALock() at \(fixtures):",
                "the test WaitFixtures.testAMainThreadThatWaitsForALock cannot continue, and the process ends",
            ])
    }

    func testALockThatBlocksTheTestIsReportedWithBothThreads() throws {
        check(
            try run("testATestThatWaitsForALock"), status: 1,
            contains: [
                "the test has been blocked for 2 s of real time: the thread ", "waits for a lock that the thread ",
                "in which a block on queue \"owner\" waits for a semaphore, holds",
            ])
    }

    private var fixtures: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("WaitFixtures.swift").path
    }
}
