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

    func testScenariosOfAFolderThatDriveAnAppAreNamedAndNotPlayed() throws {
        XCTAssertEqual(try obscura("replay", "s.yaml", "--update-golden").status, 0)
        let scenario = """
            scenario: 1
            name: An app
            devices: {profile: webcam}
            timeline: [{at: 0 s, do: start}]
            end: 1 s
            expect: [{session: running, at: 0.5 s}]
            """
        try Data(scenario.utf8).write(to: file("app.yaml"))
        let text = try obscura("replay", ".")
        XCTAssertEqual(text.status, 0, text.errors)
        XCTAssertTrue(text.text.contains("s.yaml: matches its golden log"), text.text)
        XCTAssertTrue(text.text.contains("app.yaml: not played, because it drives an app; play it in"), text.text)
        let report = try obscura("replay", ".", "--json").object()
        XCTAssertEqual((report["notPlayed"] as? [String])?.map { ($0 as NSString).lastPathComponent }, ["app.yaml"])
        XCTAssertEqual((report["scenarios"] as? [Any])?.count, 1)

        let named = try obscura("replay", "s.yaml", "app.yaml")
        XCTAssertEqual(named.status, 1)
        XCTAssertTrue(named.text.contains("app.yaml: the scenario drives an app"), named.text)
        XCTAssertEqual(named.errors, "Error: 1 of 2 scenarios cannot be played\n")
        try FileManager.default.removeItem(at: file("s.yaml"))
        let all = try obscura("replay", ".")
        XCTAssertEqual(all.status, 1)
        XCTAssertTrue(all.errors.contains("app.yaml: the scenario drives an app, as all that are selected"), all.errors)
    }

    func testJSONReportsTheComparisonWithTheGoldenLog() throws {
        let writtenScenario = try scenario(obscura("replay", "s.yaml", "--update-golden", "--json").object())
        XCTAssertEqual(writtenScenario["outcome"] as? String, "written")
        let sameScenario = try scenario(obscura("replay", "s.yaml", "--json").object())
        XCTAssertEqual(sameScenario["outcome"] as? String, "same")
        XCTAssertEqual(sameScenario["events"] as? Int, writtenScenario["events"] as? Int)
        XCTAssertNil(sameScenario["difference"])

        try Data("another log\n".utf8).write(to: file("s.log"))
        let outcome = try obscura("replay", "s.yaml", "--json")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 1 scenarios differ from their golden logs\n")
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let differentScenario = try scenario(object)
        XCTAssertEqual(differentScenario["outcome"] as? String, "different")
        XCTAssertTrue(try XCTUnwrap(differentScenario["difference"] as? String).contains("another log"))
    }

    func testAFullDiskLeavesNoPartOfAReportAndThePreviousOneStays() throws {
        XCTAssertEqual(try obscura("replay", "s.yaml", "--update-golden", "--results", "r.json").status, 0)
        for option in ["--html", "--junit"] {
            let outcome = try obscura("replay", "s.yaml", option, "/dev/full")
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.errors, "Error: /dev/full cannot be written: No space left on device\n")
        }
        // A limit of 512 bytes per file stands for a full disk.
        let command = "trap '' XFSZ; ulimit -f 1; exec \"$0\" scenario report r.json --html page.html"
        for previous in [nil, "the previous page"] {
            if let previous { try Data(previous.utf8).write(to: file("page.html")) }
            let outcome = try tool("sh", "-c", command, Self.tool.path)
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.errors, "Error: page.html cannot be written: File too large\n")
            XCTAssertEqual(try? String(contentsOf: file("page.html"), encoding: .utf8), previous)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: file(".").path)
        XCTAssertEqual(Set(names), ["s.yaml", "s.log", "r.json", "page.html"])
    }

    func testTheGoldenLogAndTheScenarioAreNotOverwrittenByTheLog() throws {
        try FileManager.default.createDirectory(at: file("sub"), withIntermediateDirectories: false)
        try assertFails(
            64, "replay", "s.yaml", "--log", "s.log", containing: ["s.log is the golden log", "--update-golden"])
        try assertFails(64, "replay", "s.yaml", "--log", "s.yaml", containing: ["s.yaml is the scenario"])
        try Data("another log\n".utf8).write(to: file("s.log"))
        try FileManager.default.createSymbolicLink(at: file("symbolic.log"), withDestinationURL: file("s.log"))
        try FileManager.default.linkItem(at: file("s.log"), to: file("hard.log"))
        for path in ["s.log", "./sub/../s.log", file("s.log").path, "symbolic.log", "hard.log"] {
            try assertFails(64, "replay", "s.yaml", "--log", path, containing: ["\(path) is the golden log of s.yaml"])
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
            try assertFails(64, "replay", "Scenarios/s.yaml", "--log", path, containing: ["\(path) is the golden log"])
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

        // The scenarios that follow are played.
        let second = try String(contentsOf: file("s.yaml"), encoding: .utf8)
        try Data(second.utf8).write(to: file("t.yaml"))
        try Data(log.utf8).write(to: file("t.log"))
        let bothOutcome = try obscura("replay", "s.yaml", "t.yaml", "--json")
        XCTAssertEqual(bothOutcome.status, 1)
        let report = try XCTUnwrap(JSONSerialization.jsonObject(with: bothOutcome.output) as? [String: Any])
        let scenarios = try XCTUnwrap(report["scenarios"] as? [[String: Any]])
        XCTAssertEqual(scenarios.map { $0["outcome"] as? String }, ["missing", "same"])
        XCTAssertEqual(try obscura("replay", "s.yaml", "--update-golden").status, 0)
        XCTAssertEqual(try String(contentsOf: file("s.log"), encoding: .utf8), log)
    }

    func testTheTextReportsTheComparisonWithTheGoldenLog() throws {
        let update = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertTrue(update.text.hasPrefix("s.yaml: golden log written, "), update.text + update.errors)
        let replay = try obscura("replay", "s.yaml")
        XCTAssertTrue(replay.text.hasPrefix("s.yaml: matches its golden log, "), replay.text + replay.errors)
        XCTAssertEqual(replay.status, 0)
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
        try assertFails(1, "replay", "all", "--keep", "kept", containing: ["kept/bad & ugly exists already"])
        XCTAssertEqual(
            try obscura("replay", "all", "--list", "--filter", "good").text, "all/good.yaml: A short one\n")
        XCTAssertEqual(try obscura("replay", "all", "--filter", "good").status, 0)
        try assertFails(1, "replay", "all", "--filter", "nothing", containing: ["no scenario contains \"nothing\""])
    }

    func testAScenarioThatCannotBePlayedFailsAndTheOthersArePlayed() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        try expect("session: running, at: 0.1 s", in: "all/z.yaml")
        let validScenario = try String(contentsOf: file("all/z.yaml"), encoding: .utf8)
        try Data("profile: 1\nname: broken\nmodel: b\n".utf8).write(to: file("all/broken.profile.yaml"))
        for (name, profile) in [("broken", "broken.profile.yaml"), ("missing", "nowhere.yaml"), ("typo", "webcma")] {
            try Data(validScenario.replacing("profile: webcam", with: "profile: \(profile)").utf8)
                .write(to: file("all/\(name).yaml"))
        }
        try Data(validScenario.replacing("scene: grey", with: "scene: nowhere.yaml").utf8).write(
            to: file("all/scene.yaml"))
        let app = validScenario.split(separator: "\n").filter { !$0.hasPrefix("session:") }.joined(separator: "\n")
        try Data(app.utf8).write(to: file("all/app.yaml"))
        let outcome = try obscura("replay", "all", "--junit", "results.xml", "--html", "results.html")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 4 of 5 scenarios cannot be played\n")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 7, outcome.text)
        for (line, parts) in zip(
            lines,
            [
                ["all/broken.yaml:3:", "the profile \"broken.profile.yaml\" cannot be read", "broken.profile.yaml:"],
                ["all/missing.yaml:3:", "there is no file", "nowhere.yaml"],
                ["all/scene.yaml:3:", "the scene \"nowhere.yaml\" cannot be read"],
                ["all/typo.yaml:3:", "did you mean \"webcam\"?"],
                ["all/z.yaml: 1 of 1 expectations met"], ["all/app.yaml: not played", "XCTAssertScenario"],
                ["1 of 5 scenarios passed"],
            ])
        {
            for part in parts { XCTAssertTrue(line.contains(part), "no \(part) in \(line)") }
        }
        let junit = try String(contentsOf: file("results.xml"), encoding: .utf8)
        XCTAssertTrue(junit.contains("<testsuites tests=\"5\" failures=\"4\""), junit)
        let page = try String(contentsOf: file("results.html"), encoding: .utf8)
        XCTAssertTrue(page.contains("4 of 5 scenarios failed") && page.contains("all/broken.yaml:3:"), page)
        try assertFails(1, "replay", "all/broken.yaml", containing: ["all/broken.yaml:3:", "broken.profile.yaml:"])
        try assertFails(1, "replay", "all", "--list", containing: ["all/broken.yaml:3:"])
    }

    func testAFileThatCannotBeReadFailsAndTheOthersArePlayed() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        try expect("session: running, at: 0.1 s", in: "all/z.yaml")
        try Data([0x73, 0xff, 0xfe]).write(to: file("all/bytes.yaml"))
        let outcome = try obscura("replay", "all")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 2 scenarios cannot be played\n")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 3, outcome.text)
        XCTAssertTrue(lines.first?.hasPrefix("all/bytes.yaml: ") == true, outcome.text)
        XCTAssertTrue(lines.dropFirst().first?.hasPrefix("all/z.yaml: 1 of 1 expectations met") == true, outcome.text)
    }

    func testUpdatingAGoldenLogPrintsTheDifferences() throws {
        try Data("another log\n".utf8).write(to: file("s.log"))
        let update = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertEqual(update.status, 0, update.errors)
        XCTAssertTrue(update.text.contains("golden log written"), update.text)
        XCTAssertTrue(update.text.contains("  - another log\n"), update.text)
        XCTAssertTrue(try obscura("replay", "s.yaml", "--update-golden").text.contains("matches its golden log"))
    }

    func testScenariosInSeveralProcessesHaveTheResultsOfThoseInOne() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        for name in ["a", "b", "d"] { try expect("session: running, at: 0.1 s", in: "all/\(name).yaml") }
        try expect("session: stopped, at: 0.1 s", in: "all/c.yaml")
        try Data("scenario: 1\nnam: x\n".utf8).write(to: file("all/unreadable.yaml"))
        let expected = try obscura("replay", "all", "--json")
        let actual = try obscura("replay", "all", "--json", "--jobs", "3")
        XCTAssertEqual(actual.text, expected.text)
        XCTAssertEqual(actual.errors, expected.errors)
        XCTAssertEqual(actual.status, 1)
    }

    func testTheProgressOfSeveralScenariosAtATimeIsShown() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        for name in ["a", "b", "c"] { try expect("session: running, at: 0.1 s", in: "all/\(name).yaml") }
        let terminal = try Terminal(columns: 60)
        let process = process(Self.tool, ["replay", "all", "--jobs", "2"])
        process.standardError = terminal.programSide
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let shown = try terminal.readToEnd()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, shown)
        XCTAssertTrue(shown.contains("3 scenarios [") && shown.contains("33 %"), shown)
        XCTAssertTrue(output.hasSuffix("3 of 3 scenarios passed\n"), output)
    }

    func testAGoldenLogIsNotCreatedForAScenarioThatNeedsNone() throws {
        try expect("session: running, at: 0.1 s")
        let outcome = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertEqual(outcome.text, "s.yaml: 1 of 1 expectations met, 3 events\n", outcome.errors)
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("s.log").path))
        let text = try String(contentsOf: file("s.yaml"), encoding: .utf8)
        try Data((text + "  - {log: golden}\n").utf8).write(to: file("s.yaml"))
        XCTAssertEqual(try obscura("replay", "s.yaml", "--update-golden").status, 0)
        XCTAssertTrue(FileManager.default.fileExists(atPath: file("s.log").path))
    }

    func testShardsShareTheScenariosAndMergeToOneReport() throws {
        try FileManager.default.createDirectory(at: file("all"), withIntermediateDirectories: false)
        for name in ["a", "b", "d", "e"] { try expect("session: running, at: 0.1 s", in: "all/\(name).yaml") }
        try expect("session: stopped, at: 0.1 s", in: "all/c.yaml")
        var counts: [Int] = []
        for part in 1...3 {
            let listed = try obscura("replay", "all", "--list", "--shard", "\(part)/3")
            counts.append(listed.text.split(separator: "\n").count)
            let outcome = try obscura("replay", "all", "--shard", "\(part)/3", "--results", "part-\(part).json")
            XCTAssertEqual(outcome.status, part == 3 ? 1 : 0, outcome.errors)
        }
        XCTAssertEqual(counts, [2, 2, 1])
        let unsplit = try obscura("replay", "all")
        let merged = try obscura(
            "scenario", "report", "part-3.json", "part-1.json", "part-2.json", "--junit", "all.xml", "--html",
            "all.html")
        XCTAssertEqual(merged.text, unsplit.text)
        XCTAssertEqual(merged.errors, "Error: 1 of 5 scenarios do not meet their expectations\n")
        let junit = try String(contentsOf: file("all.xml"), encoding: .utf8)
        XCTAssertTrue(junit.contains("<testsuites tests=\"5\" failures=\"1\""), junit)
        let page = try String(contentsOf: file("all.html"), encoding: .utf8)
        XCTAssertTrue(page.contains("<h1>1 of 5 scenarios failed</h1>"))
        // A missing result of a shard is an error.
        try assertFails(
            1, "scenario", "report", "part-3.json", "part-1.json", containing: ["results of shard 2/3 are missing"])
        try assertFails(
            1, "scenario", "report", "part-1.json", "part-1.json", containing: ["are both shard 1/3"])
        try assertFails(1, "scenario", "report", "s.yaml", containing: ["s.yaml does not contain results"])
        for part in ["0/3", "4/3", "2", "a/b", "1/3/5"] {
            try assertFails(64, "replay", "all", "--shard", part, containing: [part, "such as 2/4"])
        }
        // There can be more shards than scenarios.
        let empty = try obscura("replay", "all", "--shard", "6/6")
        XCTAssertEqual(empty.text, "0 of 0 scenarios passed\n", empty.errors)
    }

    func testAFailingScenarioIsMinimized() throws {
        let scenario = """
            scenario: 1
            name: An interruption among other things
            devices: {profile: webcam, scene: grey, faults: [{device: webcam.camera, frame: 2, do: drop-frames}]}
            session: {preset: 352x288, outputs: [movie, photo]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 0 s, do: record, to: a.mov}
              - {at: 0.05 s, do: freeze-frames, device: webcam.camera, count: 2}
              - {at: 0.1 s, do: interrupt, reason: background}
              - {at: 0.15 s, do: end-interruption, reason: background}
              - {at: 0.2 s, do: photo, to: b.jpg}
              - {at: 0.25 s, do: stop}
            end: 300 ms
            expect:
              - {movie: a.mov, playable: true}
              - {session: running, at: 0.12 s}

            """
        try Data(scenario.utf8).write(to: file("long.yaml"))
        let short = try obscura("replay", "long.yaml", "--minimize")
        XCTAssertEqual(short.status, 0, short.errors)
        let steps = short.text.split(separator: "\n").filter { $0.contains("do:") }
        XCTAssertEqual(
            steps,
            [
                "  - {at: 0 s, do: start}", "  - {at: 0.1 s, do: interrupt, reason: background}",
                "  - {at: 0.15 s, do: end-interruption, reason: background}",
            ], short.text)
        // The minimized scenario fails in the same way.
        try short.output.write(to: file("short.yaml"))
        let outcome = try obscura("replay", "short.yaml")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.text.contains("seen:     it was interrupted from 0.1 s until 0.15 s"), outcome.text)
        try expect("session: running, at: 0.1 s")
        try assertFails(1, "replay", "s.yaml", "--minimize", containing: ["no expectation failed"])
        try assertFails(64, "replay", "s.yaml", "long.yaml", "--minimize", containing: ["a single scenario"])
        try assertFails(64, "replay", "s.yaml", "--minimize", "--json", containing: ["excludes --json"])
    }

    func testAScenarioCanBePlayedInRealTime() throws {
        try expect("session: running, at: 0.1 s")
        let start = ContinuousClock.now
        let outcome = try obscura("replay", "s.yaml", "--realtime", "--log", "real.log")
        XCTAssertGreaterThan(ContinuousClock.now - start, .milliseconds(200))
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try obscura("replay", "s.yaml", "--log", "fast.log").status, 0)
        XCTAssertEqual(try Data(contentsOf: file("real.log")), try Data(contentsOf: file("fast.log")))
    }

    private func checkPage(_ page: String) throws {
        for text in [
            "<h1>1 of 2 scenarios failed</h1>", "all/bad &amp; ugly.yaml", "✗ not met", "✓ met",
            "never &quot;session did start running&quot;", "<title>0 s: &gt; start</title>",
        ] {
            XCTAssertTrue(page.contains(text), "no \(text) in \(page)")
        }
        for text in ["http:", "https:", "<script src", "<link"] {
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
        XCTAssertTrue(page.contains("<h1>1 scenario passed</h1>"))
        XCTAssertTrue(page.contains("<video controls playsinline preload=\"metadata\" src=\"data:video/mp4;base64,"))
        XCTAssertTrue(page.contains("<img src=\"data:image/jpeg;base64,/9j/"))
        XCTAssertTrue(page.contains("photo b.jpg: size 640x480"))
        // Pictures of events come from the movie if there is no video output.
        XCTAssertTrue(page.contains("alt=\"The frame of a.mov at 0.1 s\""), page)
        XCTAssertTrue(page.contains("alt=\"The photo at 0."), page)
    }

    func testThePageShowsTheDifferencesOfLogsAndPictures() throws {
        func write(scene: String, _ more: String = "") throws {
            let scenario = """
                scenario: 1
                name: A photo
                devices: {profile: webcam, scene: \(scene)}
                session: {preset: 352x288, microphone: false, outputs: [video, photo]}
                timeline:
                  - {at: 0 s, do: start}
                  - {at: 0.1 s, do: photo, to: b.jpg}
                end: 200 ms
                expect:
                  - {photo: b.jpg, golden: golden.jpg}
                  - {log: golden}

                """
            try Data((scenario + more).utf8).write(to: file("media.yaml"))
        }
        try write(scene: "grey")
        XCTAssertEqual(try obscura("replay", "media.yaml", "--update-golden", "--keep", "kept").status, 1)
        try FileManager.default.copyItem(at: file("kept/media/b.jpg"), to: file("golden.jpg"))
        let unchangedReplay = try obscura("replay", "media.yaml", "--html", "same.html")
        XCTAssertEqual(unchangedReplay.status, 0, unchangedReplay.text)
        let samePage = try String(contentsOf: file("same.html"), encoding: .utf8)
        XCTAssertFalse(samePage.contains("Difference"), samePage)
        XCTAssertTrue(samePage.contains("alt=\"The frame at 0.1 s\""), samePage)
        try write(scene: "chart")
        XCTAssertEqual(try obscura("replay", "media.yaml", "--html", "other.html").status, 1)
        let page = try String(contentsOf: file("other.html"), encoding: .utf8)
        for text in [
            "alt=\"The expected picture: photo b.jpg\"", "alt=\"The picture that was seen: photo b.jpg\"",
            "alt=\"The difference of both: photo b.jpg\"", "<td>− expected</td><td>0.",
            "<td>+ seen</td><td>0.", "<td></td><td>0.100000 &gt; photo b.jpg</td>",
            "line 10 is not met: photo b.jpg: equal to golden.jpg",
        ] {
            XCTAssertTrue(page.contains(text), "no \(text) in the page")
        }
    }
}
