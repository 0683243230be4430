import Foundation
import FoundationXML
import XCTest

/// `obscura replay`: comparison with the golden log, as text and as JSON.
final class ReplayCommandTests: ObscuraTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        let scenario = """
            scenario: 1
            name: A short one
            devices: {profile: webcam, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [movie]}
            timeline:
              - {at: 0 s, do: start}
            end: 200 ms
            """
        try Data(scenario.utf8).write(to: file("s.yaml"))
    }

    private func scenario(_ report: [String: Any]) throws -> [String: Any] {
        let scenarios = try XCTUnwrap(report["scenarios"] as? [[String: Any]])
        XCTAssertEqual(scenarios.count, 1)
        XCTAssertEqual(scenarios[0]["file"] as? String, "s.yaml")
        return scenarios[0]
    }

    func testJSONIsOneObject() throws {
        let written = try scenario(obscura("replay", "s.yaml", "--update-golden", "--json").object())
        XCTAssertEqual(written["outcome"] as? String, "written")
        let same = try scenario(obscura("replay", "s.yaml", "--json").object())
        XCTAssertEqual(same["outcome"] as? String, "same")
        XCTAssertEqual(same["events"] as? Int, written["events"] as? Int)
        XCTAssertNil(same["difference"])

        try Data("another log\n".utf8).write(to: file("s.log"))
        let outcome = try obscura("replay", "s.yaml", "--json")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 1 scenarios differ from their golden logs\n")
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let different = try scenario(object)
        XCTAssertEqual(different["outcome"] as? String, "different")
        XCTAssertTrue(try XCTUnwrap(different["difference"] as? String).contains("another log"))
    }

    func testTheGoldenLogAndTheScenarioAreNotOverwrittenByTheLog() throws {
        try FileManager.default.createDirectory(at: file("sub"), withIntermediateDirectories: false)
        try assertFails(
            64, "replay", "s.yaml", "--log", "s.log", saying: ["s.log is the golden log", "--update-golden"])
        try assertFails(64, "replay", "s.yaml", "--log", "s.yaml", saying: ["s.yaml is the scenario"])
        try Data("another log\n".utf8).write(to: file("s.log"))
        try FileManager.default.createSymbolicLink(at: file("symbolic.log"), withDestinationURL: file("s.log"))
        try FileManager.default.linkItem(at: file("s.log"), to: file("hard.log"))
        for path in ["s.log", "./sub/../s.log", file("s.log").path, "symbolic.log", "hard.log"] {
            try assertFails(64, "replay", "s.yaml", "--log", path, saying: ["\(path) is the golden log of s.yaml"])
        }
        XCTAssertEqual(try String(contentsOf: file("s.log"), encoding: .utf8), "another log\n")
    }

    func testTheGoldenLogInItsFolderIsNotOverwrittenByTheLog() throws {
        for name in ["Golden", "Scenarios"] {
            try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: false)
        }
        try FileManager.default.moveItem(at: file("s.yaml"), to: file("Scenarios/s.yaml"))
        // A log beside the scenario would be read instead of the one in the folder.
        for path in ["Golden/s.log", "Scenarios/s.log"] {
            try assertFails(64, "replay", "Scenarios/s.yaml", "--log", path, saying: ["\(path) is the golden log"])
        }
    }

    func testAMissingGoldenLogIsAFailure() throws {
        let outcome = try obscura("replay", "s.yaml", "--log", "run.log")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 1 scenarios have no golden log\n")
        XCTAssertTrue(outcome.text.hasPrefix("s.yaml: there is no golden log "), outcome.text)
        XCTAssertTrue(outcome.text.hasSuffix("s.log; check the event log, then write it with --update-golden\n"))
        let log = try String(contentsOf: file("run.log"), encoding: .utf8)
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("s.log").path))

        // The next scenarios are played.
        let second = try String(contentsOf: file("s.yaml"), encoding: .utf8)
        try Data(second.utf8).write(to: file("t.yaml"))
        try Data(log.utf8).write(to: file("t.log"))
        let both = try obscura("replay", "s.yaml", "t.yaml", "--json")
        XCTAssertEqual(both.status, 1)
        let report = try XCTUnwrap(JSONSerialization.jsonObject(with: both.output) as? [String: Any])
        let scenarios = try XCTUnwrap(report["scenarios"] as? [[String: Any]])
        XCTAssertEqual(scenarios.map { $0["outcome"] as? String }, ["missing", "same"])
        XCTAssertEqual(try obscura("replay", "s.yaml", "--update-golden").status, 0)
        XCTAssertEqual(try String(contentsOf: file("s.log"), encoding: .utf8), log)
    }

    func testTheTextIsOneLine() throws {
        let written = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertTrue(written.text.hasPrefix("s.yaml: golden log written, "), written.text + written.errors)
        let same = try obscura("replay", "s.yaml")
        XCTAssertTrue(same.text.hasPrefix("s.yaml: matches its golden log, "), same.text + same.errors)
        XCTAssertEqual(same.status, 0)
    }

    /// Adds an expectation to the scenario.
    private func expect(_ expectation: String, in name: String = "s.yaml") throws {
        let text = try String(contentsOf: file("s.yaml"), encoding: .utf8)
        try Data((text + "\nexpect:\n  - {\(expectation)}\n").utf8).write(to: file(name))
    }

    func testAnUnmetExpectationIsExplained() throws {
        try expect("session: stopped, at: 0.1 s")
        let outcome = try obscura("replay", "s.yaml")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 1 scenarios do not meet their expectations\n")
        for text in [
            "s.yaml: 0 of 1 expectations met", "FAILED at s.yaml:9", "expected: the session is stopped at 0.1 s",
            "seen:     it was running from 0 s until the end", "0.000000 session did start running",
        ] {
            XCTAssertTrue(outcome.text.contains(text), "no \"\(text)\" in \(outcome.text)")
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("s.log").path))
    }

    func testAFolderIsPlayedAndReportedToACIServer() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        try expect("session: running, at: 0.1 s", in: "all/good.yaml")
        try expect("never: \"session did start running\"", in: "all/bad & ugly.yaml")
        try Data("profile: 1\n".utf8).write(to: file("all/profile.yaml"))
        let outcome = try obscura(
            "replay", "all", "--junit", "results.xml", "--html", "results.html", "--keep", "kept", "--repeat", "2",
            "--jobs",
            "2")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(
            outcome.text.hasSuffix("all/good.yaml: 1 of 1 expectations met, 3 events\n1 of 2 scenarios passed\n"),
            outcome.text)
        let junit = try String(contentsOf: file("results.xml"), encoding: .utf8)
        XCTAssertTrue(junit.contains("<testsuites tests=\"2\" failures=\"1\""), junit)
        XCTAssertTrue(junit.contains("<testcase classname=\"all/bad &amp; ugly.yaml\" name=\"A short one\""), junit)
        XCTAssertTrue(junit.contains("never &quot;session did start running&quot;"), junit)
        XCTAssertTrue(XMLParser(data: Data(junit.utf8)).parse(), junit)
        try checkPage(String(contentsOf: file("results.html"), encoding: .utf8))
        let log = try String(contentsOf: file("kept/good/events.log"), encoding: .utf8)
        XCTAssertTrue(log.hasPrefix("0.000000 > start\n"), log)
        // The kept files of one run are not mixed with those of another.
        try assertFails(1, "replay", "all", "--keep", "kept", saying: ["kept/bad & ugly exists already"])
        XCTAssertEqual(
            try obscura("replay", "all", "--list", "--filter", "good").text, "all/good.yaml: A short one\n")
        XCTAssertEqual(try obscura("replay", "all", "--filter", "good").status, 0)
        try assertFails(1, "replay", "all", "--filter", "nothing", saying: ["no scenario contains \"nothing\""])
    }

    func testTheUpdateOfAGoldenLogSaysWhatItChanged() throws {
        try Data("another log\n".utf8).write(to: file("s.log"))
        let written = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertEqual(written.status, 0, written.errors)
        XCTAssertTrue(written.text.contains("golden log written"), written.text)
        XCTAssertTrue(written.text.contains("  - another log\n"), written.text)
        XCTAssertTrue(try obscura("replay", "s.yaml", "--update-golden").text.contains("matches its golden log"))
    }

    private func checkPage(_ page: String) throws {
        for text in [
            "<h1>1 of 2 scenarios failed</h1>", "all/bad &amp; ugly.yaml", "✗ not met", "✓ met",
            "never &quot;session did start running&quot;", "<title>0 s: &gt; start</title>",
        ] {
            XCTAssertTrue(page.contains(text), "no \(text) in \(page)")
        }
        for text in ["http:", "https:", "<script", "<link"] {
            XCTAssertFalse(page.contains(text), "the page loads something: \(text)")
        }
    }

    func testAMatrixIsPlayedAsSeveralScenarios() throws {
        let scenario = """
            scenario: 1
            name: An interruption
            matrix: {reason: [video-in-use, background], length: [1/10 s]}
            devices: {profile: webcam, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [video]}
            timeline:
              - {at: 0 s, do: start}
              - {at: ${length}, do: interrupt, reason: ${reason}}
            end: 200 ms
            """
        try Data(scenario.utf8).write(to: file("m.yaml"))
        let list = try obscura("replay", "m.yaml", "--list")
        XCTAssertEqual(
            list.text,
            "m.yaml[reason=video-in-use,length=1/10 s]: An interruption\n"
                + "m.yaml[reason=background,length=1/10 s]: An interruption\n")
        let outcome = try obscura("replay", "m.yaml", "--update-golden", "--keep", "kept")
        XCTAssertEqual(outcome.status, 0, outcome.text + outcome.errors)
        for reason in ["video-in-use", "background"] {
            let name = "m[reason=\(reason),length=1_10 s]"
            let golden = try String(contentsOf: file("\(name).log"), encoding: .utf8)
            XCTAssertTrue(golden.contains("session was interrupted \(reason)\n"), golden)
            XCTAssertEqual(try String(contentsOf: file("kept/\(name)/events.log"), encoding: .utf8), golden)
        }
        XCTAssertEqual(try obscura("replay", "m.yaml").status, 0)
    }

    func testThePageShowsPhotosAndMovies() throws {
        let scenario = """
            scenario: 1
            name: A photo
            devices: {profile: webcam, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [movie, photo]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 0 s, do: record, to: a.mov}
              - {at: 0.1 s, do: photo, to: b.jpg}
              - {at: 0.2 s, do: stop-recording}
            end: 300 ms
            expect:
              - {movie: a.mov, playable: true}
              - {photo: b.jpg, size: 640x480}
            """
        try Data(scenario.utf8).write(to: file("media.yaml"))
        let outcome = try obscura("replay", "media.yaml", "--html", "media.html")
        XCTAssertEqual(outcome.status, 0, outcome.text + outcome.errors)
        let page = try String(contentsOf: file("media.html"), encoding: .utf8)
        XCTAssertTrue(page.contains("<h1>All 1 scenarios passed</h1>"))
        XCTAssertTrue(page.contains("<video controls preload=\"metadata\" src=\"data:video/mp4;base64,"))
        XCTAssertTrue(page.contains("<img src=\"data:image/jpeg;base64,/9j/"))
        XCTAssertTrue(page.contains("photo b.jpg: size 640x480"))
    }
}
