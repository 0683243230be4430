import Foundation
import XCTest

/// `obscura profile`.
final class ProfileCommandTests: ObscuraTestCase {
    func testThePrintedProfileIsReadBackFromAFile() throws {
        for name in ["phone", "phone-pro-5x", "webcam", "usb-microphone"] {
            let printed = try obscura("profile", name)
            XCTAssertEqual(printed.status, 0, printed.errors)
            try printed.output.write(to: file("mine.yaml"))
            XCTAssertEqual(
                try obscura("devices", "--profile", "mine.yaml", "--json").text,
                try obscura("devices", "--profile", name, "--json").text)
        }
    }

    func testTheListHasALineForEachProfile() throws {
        let outcome = try obscura("profile", "--list")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 17)
        let pro = try XCTUnwrap(lines.first { $0.hasPrefix("phone-pro-5x ") })
        for cell in ["24 mm, 13 mm, 120 mm", "200 mm, 20 mm, 1300 mm", "LiDAR", "430x932 @3"] {
            XCTAssertTrue(pro.contains(cell), pro)
        }
        XCTAssertEqual(try obscura("profile", "--list", "phone").status, 64)
        XCTAssertEqual(try obscura("profile").status, 64)
    }

    func testThePhoneOptionSelectsTheProfile() throws {
        XCTAssertEqual(
            try obscura("devices", "--phone", "tablet", "--json").text,
            try obscura("devices", "--profile", "tablet", "--json").text)
    }

    func testAnUnknownProfileIsWrongUsage() throws {
        let outcome = try obscura("profile", "fone")
        XCTAssertEqual(outcome.status, 64)
        XCTAssertTrue(outcome.errors.contains("there is no profile \"fone\""), outcome.errors)
        XCTAssertTrue(outcome.errors.contains("phone"), outcome.errors)
    }
}
