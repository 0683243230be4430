import Foundation
import XCTest

/// `obscura doctor`, on whatever machine the test runs.
final class DoctorCommandTests: ObscuraTestCase {
    func testTheReportHasTheUserAndFindingsForCamerasAndAudio() throws {
        let report = try obscura("doctor", "--json").object()
        XCTAssertEqual(report["user"] as? String, NSUserName())
        XCTAssertEqual((report["groups"] as? [String])?.isEmpty, false)
        let findings = try XCTUnwrap(report["findings"] as? [[String: String]])
        for finding in findings {
            XCTAssertTrue(["fine", "hint", "problem"].contains(finding["level"]), "\(finding)")
            XCTAssertEqual(finding["subject"]?.isEmpty, false, "\(finding)")
            XCTAssertEqual(finding["message"]?.isEmpty, false, "\(finding)")
            if finding["level"] != "fine" { XCTAssertEqual(finding["advice"]?.isEmpty, false, "no advice: \(finding)") }
        }
        XCTAssertTrue(findings.contains { $0["subject"]?.hasPrefix("/dev/video") == true }, "\(findings)")
        XCTAssertTrue(findings.contains { $0["subject"]?.hasPrefix("/dev/snd") == true }, "\(findings)")
        XCTAssertEqual(report["problems"] as? Int, findings.count { $0["level"] == "problem" })
    }

    func testTheTextMatchesTheReport() throws {
        let report = try obscura("doctor", "--json").object()
        let outcome = try obscura("doctor")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.errors, "")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertTrue(lines[0].hasPrefix("\(NSUserName()), in the groups "), lines[0])
        for finding in try XCTUnwrap(report["findings"] as? [[String: String]]) {
            let line = "  \(finding["subject"] ?? ""): \(finding["message"] ?? "")"
            let index = try XCTUnwrap(lines.firstIndex { $0.hasSuffix(line) }, "no\(line)")
            if let advice = finding["advice"], !advice.isEmpty {
                XCTAssertEqual(lines[index + 1].trimmingCharacters(in: .whitespaces), advice)
            }
        }
        let problems = try XCTUnwrap(report["problems"] as? Int)
        XCTAssertTrue(
            problems == 0
                ? lines.last == "no problems found" : lines.last?.hasPrefix("\(problems) problem") == true,
            lines.last ?? "")
    }

    func testItTakesNoArguments() throws {
        try assertFails(64, "doctor", "now", saying: ["now"])
    }
}
