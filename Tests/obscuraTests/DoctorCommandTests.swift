import Foundation
import XCTest

/// `obscura doctor` on the machine that runs the test.
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

    func testTheReportBeginsWithTheVersionsOfSystemAndLibraries() throws {
        let report = try obscura("doctor", "--json").object()
        let findings = try XCTUnwrap(report["findings"] as? [[String: String]])
        let versions = findings.prefix(5).map { ($0["subject"] ?? "", $0["message"] ?? "") }
        XCTAssertEqual(versions.map(\.0).suffix(4), ["FFmpeg", "libheif", "zbar", "Rubber Band"])
        let release = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        XCTAssertTrue(release.contains("PRETTY_NAME=\"\(versions[0].0)\""), versions[0].0)
        let libc = try tool("getconf", "GNU_LIBC_VERSION").text.trimmingCharacters(in: .newlines)
        for part in [try tool("uname", "-m").text, libc, "Swift 6."] {
            let part = part.trimmingCharacters(in: .newlines)
            XCTAssertTrue(versions[0].1.contains(part), "no \(part) in \(versions[0].1)")
        }
        // The program ffmpeg is of the same version as the libraries.
        let ffmpeg = try tool("ffmpeg", "-version").text.split(separator: " ")[2]
        XCTAssertTrue(versions[1].1.hasPrefix("\(ffmpeg), built with libavcodec "), versions[1].1)
        for (name, message) in versions.dropFirst(2).dropLast() {
            XCTAssertNotNil(message.wholeMatch(of: /\d+\.\d+\.\d+/), "\(name): \(message)")
        }
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

    func testAPhotoLibraryThatOtherUsersCanReadIsAProblem() throws {
        func finding(_ arguments: [String]) throws -> [String: String]? {
            let report = try run(Self.tool, ["doctor", "--json"] + arguments).object()
            return try XCTUnwrap(report["findings"] as? [[String: String]])
                .first { $0["message"]?.contains("photo library") == true }
        }
        XCTAssertNil(try finding([]))
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save").status, 0)
        let library = file("data/obscura/library")
        XCTAssertEqual(try finding([])?["level"], "fine")
        XCTAssertEqual(chmod(library.path, 0o755), 0)
        XCTAssertEqual(chmod(library.appendingPathComponent("originals").path, 0o755), 0)
        for arguments in [[], ["--library", library.path]] {
            let problem = try XCTUnwrap(finding(arguments))
            XCTAssertEqual(problem["level"], "problem")
            XCTAssertEqual(problem["subject"], library.path)
            XCTAssertEqual(problem["advice"], "Restrict it to its owner: chmod -R go= '\(library.path)'.")
        }
        XCTAssertEqual(try tool("chmod", "-R", "go=", library.path).status, 0)
        XCTAssertEqual(try finding([])?["level"], "fine")
    }

    func testDoctorTakesNoArguments() throws {
        try assertFails(64, "doctor", "now", containing: ["now"])
    }
}
