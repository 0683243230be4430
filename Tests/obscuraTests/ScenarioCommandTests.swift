import Foundation
import XCTest

/// `obscura scenario`.
final class ScenarioCommandTests: ObscuraTestCase {
    func testTheNewScenarioHasNoErrorsAndMeetsItsExpectations() throws {
        let created = try obscura("scenario", "new", "call.yaml")
        XCTAssertEqual(created.status, 0, created.errors)
        XCTAssertEqual(created.text, "call.yaml: play it with 'obscura replay call.yaml'\n")
        XCTAssertEqual(
            try obscura("scenario", "check", "call.yaml").text, "call.yaml: no errors, 5 steps, 7 expectations\n")
        let played = try obscura("replay", "call.yaml")
        XCTAssertEqual(played.status, 0, played.text)
        XCTAssertTrue(played.text.contains("7 of 7 expectations met"), played.text)
        try assertFails(1, "scenario", "new", "call.yaml", containing: ["call.yaml exists already"])
        try assertFails(64, "scenario", "new", "call.txt", containing: ["must end in .yaml or .yml"])
        XCTAssertEqual(try obscura("scenario", "new").status, 0)
        XCTAssertTrue(FileManager.default.fileExists(atPath: file("scenario.yaml").path))
    }

    func testTheErrorsOfAllFilesAreListed() throws {
        XCTAssertEqual(try obscura("scenario", "new", "good.yaml").status, 0)
        let text = try String(contentsOf: file("good.yaml"), encoding: .utf8)
        for (name, old, new) in [
            ("action.yaml", "do: start", "do: strat"), ("profile.yaml", "profile: phone", "profile: phome"),
            ("device.yaml", "do: start", "do: disconnect, device: phone.fornt"),
        ] {
            XCTAssertTrue(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: file(name))
        }
        let outcome = try obscura("scenario", "check", ".", "none.yaml")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 4 of 5 scenarios have errors\n")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 5, outcome.text)
        for (line, parts) in zip(
            lines,
            [
                ["action.yaml:25:", "did you mean \"start\"?"],
                [
                    "device.yaml:25:39: timeline[0].device: there is no device \"phone.fornt\"; did you mean \"phone.front\"?"
                ],
                ["good.yaml: no errors"], ["profile.yaml", "phome", "phone"], ["there is no file none.yaml"],
            ])
        {
            for part in parts { XCTAssertTrue(line.contains(part), "no \(part) in \(line)") }
        }
        let object = try obscura("scenario", "check", "action.yaml", "--json")
        XCTAssertEqual(object.status, 1)
        let report = try XCTUnwrap(JSONSerialization.jsonObject(with: object.output) as? [String: [[String: Any]]])
        let errors = try XCTUnwrap(report["scenarios"]?.first?["errors"] as? [[String: Any]])
        XCTAssertEqual(errors.first?["line"] as? Int, 25)
        try assertFails(64, "scenario", "check", containing: ["files"])
    }

    func testAllErrorsOfAFileAreListed() throws {
        let scenario = """
            scenario: 1
            name: Many errors
            devices: {profile: phone, sceen: street}
            session: {preset: 640x481, outputs: [movie]}
            timeline:
              - {at: 0 s, do: strat}
              - {at: 0.5 s, do: record, to: a.mov, fragments: 1 s}
              - {at: 1 s, do: stop}
            end: 2 sec
            """
        try Data(scenario.utf8).write(to: file("many.yaml"))
        func lines() throws -> [String] {
            try obscura("scenario", "check", "many.yaml").text.split(separator: "\n")
                .map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
        }
        XCTAssertEqual(try lines(), [3, 4, 6, 7, 9].map { "many.yaml:\($0)" })
        // The expectations are checked when the timeline is right.
        let timeline = scenario.replacing("strat", with: "start").replacing(", fragments: 1 s", with: "")
            .replacing("2 sec", with: "2 s")
        let expectations = "\nexpect:\n  - {never: frme}\n  - {movie: b.mov, playable: true}\n  - {movie: a.mov}\n"
        try Data((timeline + expectations).utf8).write(to: file("many.yaml"))
        XCTAssertEqual(try lines(), [3, 4, 11, 12].map { "many.yaml:\($0)" })
    }

    func testTheExplanationHasAllStepsAndExpectations() throws {
        XCTAssertEqual(try obscura("scenario", "new", "call.yaml").status, 0)
        let outcome = try obscura("scenario", "explain", "call.yaml")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        for text in [
            "A phone call interrupts a recording\n", "the profile phone, in front of the scene street",
            "the preset 640x480, and the outputs movie and photo.",
            "\n    1 s  The system interrupts the session (reason: audio-in-use).\n",
            "    0 s  The session starts running.\n", "  2.5 s  The scenario ends.\n",
            "  The session is interrupted from 1 s until 1.5 s.\n",
            "  Movie call.mov: duration 0.7 to 0.85 s, playable.\n", "  Photo after.jpg: size 480x640.\n",
            "  Never \"misuse\".\n",
        ] {
            XCTAssertTrue(outcome.text.contains(text), "no \(text) in \(outcome.text)")
        }
    }
}
