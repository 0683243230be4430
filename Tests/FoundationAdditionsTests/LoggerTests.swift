import Foundation
import XCTest

@testable import FoundationAdditions

final class LoggerTests: XCTestCase {
    private func text(_ message: OSLogMessage) -> String { message.text }

    func testValuesAreInterpolatedWithTheirFormat() {
        let name = "front"
        let error: NSError? = nil
        XCTAssertEqual(text("camera \(name, privacy: .public) is on: \(true)"), "camera front is on: true")
        XCTAssertEqual(
            text("\(255, format: .hex(includePrefix: true)) \(-7, format: .decimal(minDigits: 3))"), "0xff -007")
        XCTAssertEqual(text("\(1.5, format: .fixed(precision: 2))|\(3, align: .right(columns: 4))|"), "1.50|   3|")
        XCTAssertEqual(text("\(name, align: .left(columns: 7))|"), "front  |")
        XCTAssertEqual(text("\(error)"), "(null)")
    }

    func testFormatStringsAreFilledWithTheirArguments() {
        XCTAssertEqual(
            OSLogFormat.text("%{public}@ has %d frames, 100 %%", ["movie" as NSString, 30]),
            "movie has 30 frames, 100 %")
        XCTAssertEqual(OSLogFormat.text("50 %%", []), "50 %")
    }

    func testALineNamesTypeSubsystemAndCategory() {
        let log = OSLog(subsystem: "com.example.camera", category: "session")
        XCTAssertEqual(log.line("started", type: .error), "error: [com.example.camera:session] started\n")
        XCTAssertEqual(OSLog.default.line("started", type: .default), "notice: started\n")
    }

    func testADisabledLogWritesNothing() {
        XCTAssertFalse(OSLog.disabled.isEnabled(type: .fault))
        XCTAssertTrue(OSLog.default.isEnabled(type: .error))
    }
}
