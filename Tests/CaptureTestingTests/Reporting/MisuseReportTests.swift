import Foundation
import XCTest

/// Tests that misuse fails the test that causes it, unless the test claims it: reads or expects it. Runs `MisuseFixtures`.
final class MisuseReportTests: XCTestCase {
    private let message = "*** NSGenericException: "
    private let location = "\(MisusingApp.file):\(MisusingApp.line): "
    private let function = "[called by MisusingApp.start()]"

    /// Returns the failures that a run printed, without the one that contains the path of the report.
    private func failures(_ result: TestFixtures.Result) -> [String] {
        result.output.split(separator: "\n").map(String.init)
            .filter { !$0.contains("the files of the test are in") }
            .filter { $0.contains(": error: ") || $0.contains("recorded an issue") || $0.contains("↳ ***") }
    }

    func testUnclaimedMisuseFailsTheTestAtTheLineOfTheApp() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testUnclaimedMisuse")
        XCTAssertEqual(result.status, 1, result.output)
        let failures = failures(result)
        XCTAssertEqual(failures.count, 1, result.output)
        let failure = try XCTUnwrap(failures.first)
        XCTAssertTrue(failure.hasPrefix("\(location)error: MisuseFixtures.testUnclaimedMisuse : \(message)"), failure)
        XCTAssertTrue(failure.hasSuffix("\(function) [2 times]"), failure)
    }

    func testMisuseOnAnotherThreadFailsTheTest() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testMisuseOnAnotherThread")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertEqual(failures(result).filter { $0.hasPrefix(location) }.count, 1, result.output)
    }

    func testMisuseOfASystemThatTheTestReleasedFailsTheTest() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testMisuseOfAReleasedSystem")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertEqual(failures(result).filter { $0.hasPrefix(location) }.count, 1, result.output)
    }

    func testMisuseInTearDownFailsTheTest() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testMisuseInTearDown")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertEqual(failures(result).filter { $0.hasPrefix(location) }.count, 1, result.output)
    }

    func testMisuseThatTheTestReadsOrExpectsDoesNotFailTheTest() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testClaimedMisuse")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(failures(result), [])
    }

    func testAnExpectationWithoutItsMisuseFailsTheTest() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testAnExpectationThatFails")
        XCTAssertEqual(result.status, 1, result.output)
        let failures = failures(result)
        XCTAssertEqual(failures.count, 2, result.output)
        XCTAssertTrue(failures.first?.contains("expected NSRangeException, got \(message)") ?? false, result.output)
        XCTAssertTrue(failures.last?.contains("expected one NSGenericException, got []") ?? false, result.output)
    }

    func testAnExplorationEndsAtTheFirstFailedAssertionAndReportsTheSeed() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testAnExplorationWithAnAssertionThatFails")
        XCTAssertEqual(result.status, 1, result.output)
        let failures = failures(result)
        XCTAssertEqual(failures.count, 2, result.output)
        XCTAssertTrue(failures.last?.contains("an assertion failed (found by seed 3;") ?? false, result.output)
    }

    func testWorkOfAThreadOutsideOfTheWorldIsReportedOnce() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testWorkOfAThreadOutsideOfTheWorld")
        XCTAssertEqual(result.status, 0, result.output)
        let report = "a thread outside of the simulated world submits work to the queue \"client\""
        XCTAssertEqual(result.output.components(separatedBy: report).count - 1, 1, result.output)
    }

    func testTheSystemIsClosedWhenTheTestEnds() throws {
        let result = try TestFixtures.runXCTest("MisuseFixtures/testTheSystemIsClosedAtTheEnd")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("closed: true"), result.output)
    }

    func testUnclaimedMisuseFailsATestOfSwiftTesting() throws {
        for name in ["unclaimedMisuse", "unclaimedMisuseWithoutTheTrait"] {
            let result = try TestFixtures.runSwiftTesting("SwiftTestingFixtures/\(name)\\(\\)")
            XCTAssertNotEqual(result.status, 0, result.output)
            let failures = failures(result)
            XCTAssertEqual(failures.count, 2, result.output)
            let issue = "Test \(name)() recorded an issue at MisuseFixtures.swift:\(MisusingApp.line):1: Issue recorded"
            XCTAssertTrue(failures.first?.hasSuffix(issue) ?? false, result.output)
            XCTAssertTrue(failures.last?.contains(message) ?? false, result.output)
        }
    }

    func testMisuseThatATestOfSwiftTestingReadsOrExpectsDoesNotFailIt() throws {
        for name in ["claimedMisuse", "claimedMisuseWithoutTheTrait"] {
            let result = try TestFixtures.runSwiftTesting("SwiftTestingFixtures/\(name)\\(\\)")
            XCTAssertEqual(result.status, 0, result.output)
            XCTAssertEqual(failures(result), [])
            XCTAssertTrue(result.output.contains("with 1 test"), result.output)
        }
    }

    func testAnExpectationWithoutItsMisuseFailsATestOfSwiftTesting() throws {
        let result = try TestFixtures.runSwiftTesting("SwiftTestingFixtures/anExpectationThatFails")
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertEqual(failures(result).count, 2, result.output)
    }

    func testOverlappingTestsWithoutTheTraitFail() throws {
        let result = try TestFixtures.runSwiftTesting("SwiftTestingFixtures/Overlap")
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertEqual(failures(result).count, 1, result.output)
        XCTAssertTrue(result.output.contains("add the trait .simulated()"), result.output)
    }
}
