import Foundation
import TestSupport
import XCTest

@testable import MediaCodecs

/// Tests color profiles.
final class ICCProfileTests: XCTestCase {
    func testOnlyTheColorantsOfDisplayP3AreDisplayP3() {
        let profile = ICCProfile.displayP3
        XCTAssertTrue(ICCProfile.isDisplayP3(profile))
        for count in 0..<profile.count { _ = ICCProfile.isDisplayP3(profile.prefix(count)) }
        XCTAssertFalse(ICCProfile.isDisplayP3(profile.prefix(200)))
        // Another red: the first coordinate of the tag `rXYZ`, after its type.
        var other = [UInt8](profile)
        let entry = (0..<10).map { 132 + 12 * $0 }.first { Array(other[$0..<$0 + 4]) == Array("rXYZ".utf8) }
        let offset = other[((entry ?? 0) + 4)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
        other[offset + 10] ^= 0x10
        XCTAssertFalse(ICCProfile.isDisplayP3(Data(other)))
    }

    func testOtherProgramsReadTheProfile() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("p3.icc")
        try ICCProfile.displayP3.write(to: url)
        let result = try ExternalTool.run(
            "exiftool",
            [
                "-s3", "-n", "-validate", "-warning", "-ProfileDescription", "-ColorSpaceData", "-MediaWhitePoint",
                url.path,
            ])
        if result.status == 127 { throw MissingRequirement("the program exiftool, which CI/setup installs") }
        XCTAssertEqual(
            result.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) },
            ["0 0 0", "Display P3", "RGB", "0.9642 1 0.82491"], result.errors)
    }
}
