import CaptureHAL
import XCTest

@testable import CaptureScenarios

final class EventLogTests: XCTestCase {
    func testALineStartsWithTheVirtualTimeInMicroseconds() {
        let clock = SimClock()
        let log = EventLog(clock: clock)
        log.note("begin")
        clock.advance(by: .nanoseconds(1_033_333_333))
        log.note("frame")
        XCTAssertEqual(log.lines, ["0.000000 begin", "1.033333 frame"])
    }

    func testEqualLogsHaveNoDifference() {
        XCTAssertNil(LogDifference(expected: ["a", "b"], actual: ["a", "b"]))
        XCTAssertNil(LogDifference(expected: [], actual: []))
    }

    func testADifferenceNamesTheFirstLineAndShowsBothSides() throws {
        let difference = try XCTUnwrap(LogDifference(expected: ["a", "b", "c"], actual: ["a", "x", "c"]))
        XCTAssertEqual(difference.line, 2)
        XCTAssertEqual(
            difference.description, "the logs differ from line 2 on:\n- b\n- c\n+ x\n+ c")
    }

    func testALogThatEndsEarlyDiffers() throws {
        let difference = try XCTUnwrap(LogDifference(expected: ["a", "b"], actual: ["a"]))
        XCTAssertEqual(difference.line, 2)
        XCTAssertEqual(difference.actual, [])
        XCTAssertTrue(difference.description.contains("+ (the log ends here)"))
    }
}
