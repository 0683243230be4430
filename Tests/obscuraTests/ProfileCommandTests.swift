import Foundation
import XCTest

/// `obscura profile`.
final class ProfileCommandTests: ObscuraTestCase {
    func testThePrintedProfileIsReadBackFromAFile() throws {
        for name in ["phone", "webcam", "capture-card", "usb-microphone"] {
            let printed = try obscura("profile", name)
            XCTAssertEqual(printed.status, 0, printed.errors)
            try printed.output.write(to: file("mine.yaml"))
            XCTAssertEqual(
                try obscura("devices", "--profile", "mine.yaml", "--json").text,
                try obscura("devices", "--profile", name, "--json").text)
        }
    }

    func testAnUnknownProfileIsWrongUsage() throws {
        let outcome = try obscura("profile", "fone")
        XCTAssertEqual(outcome.status, 64)
        XCTAssertTrue(outcome.errors.contains("there is no profile \"fone\""), outcome.errors)
        XCTAssertTrue(outcome.errors.contains("phone"), outcome.errors)
    }
}
