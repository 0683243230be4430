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
            expect:
              - {never: frme}
              - {movie: b.mov, playable: true}
              - {movie: a.mov}
              - {device: phone.bakc, is: connected, at: 1 s}
            """
        try Data(scenario.utf8).write(to: file("many.yaml"))
        XCTAssertEqual(try checkedLines("many.yaml"), [3, 4, 6, 7, 9, 11, 12].map { "many.yaml:\($0)" })
    }

    func testAllErrorsOfASectionAndOfAStepAreListed() throws {
        let scenario = """
            scenario: 1
            name: Many errors
            devices:
              orientation: upright
              light: {illuminance: 500 lumen, temperature: 5000 K}
              faults:
                - {at: 0 s, do: green-frames, count: many, device: phone.back-wide}
                - {at: 0 s, do: frezze-frames, count: 1, device: phone.back-wide}
            session:
              preset: 640x481
              outputs: [movie, phto]
            timeline:
              - at: soon
                do: record
                to: a/b.mov
              - {at: 2 s, do: start}
              - {at: 1 s, do: stop}
            end: 1 s
            """
        try Data(scenario.utf8).write(to: file("many.yaml"))
        XCTAssertEqual(
            try checkedLines("many.yaml"), [4, 5, 7, 8, 10, 11, 13, 15, 17, 18].map { "many.yaml:\($0)" })
    }

    func testDevicesScenesAndObjectsThatDoNotExistAreListedTogether() throws {
        let scenario = """
            scenario: 1
            name: Missing names
            session: {camera: phone.bakc, outputs: [movie]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 1 s, do: disconnect, device: phone.fornt}
              - {at: 1 s, do: scene-object, object: unicorn, visible: false}
              - {at: 1.5 s, do: scene, scene: missing.yaml}
            end: 2 s
            """
        try Data(scenario.utf8).write(to: file("names.yaml"))
        XCTAssertEqual(try checkedLines("names.yaml"), [3, 6, 7, 8].map { "names.yaml:\($0)" })
    }

    func testStepsOnMissingOutputsAreErrors() throws {
        let scenario = """
            scenario: 1
            name: Missing outputs
            session: {outputs: [metadata]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 0 s, do: photo, to: a.jpg}
              - {at: 0 s, do: record, to: a.mov}
              - {at: 0 s, do: enable, output: depth}
              - {at: 0 s, do: video-mirrored, output: video, enabled: true}
              - {at: 0 s, do: callback-duration, duration: 5 ms}
              - {at: 1 s, do: add-output, output: photo}
              - {at: 1 s, do: remove-output, output: photo}
              - {at: 1 s, do: photo, to: b.jpg}
            end: 2 s
            """
        try Data(scenario.utf8).write(to: file("outputs.yaml"))
        XCTAssertEqual(try checkedLines("outputs.yaml"), [6, 7, 8, 9, 10].map { "outputs.yaml:\($0)" })
        let text = try obscura("scenario", "check", "outputs.yaml").text
        XCTAssertTrue(text.contains("the session has no photo output; add \"photo\" to its outputs"), text)
        try assertFails(1, "replay", "outputs.yaml", containing: ["outputs.yaml:6", "the session has no photo output"])
    }

    func testTimesHaveOneNotation() throws {
        let scenario = """
            scenario: 1
            name: Times
            session: {outputs: [movie]}
            timeline:
              - {at: 0.5s, do: start}
              - {at: "900ms", do: stop}
            end: 0.02min
            """
        try Data(scenario.utf8).write(to: file("times.yaml"))
        let outcome = try obscura("scenario", "check", "times.yaml")
        XCTAssertEqual(outcome.text, "times.yaml: no errors, 2 steps, 0 expectations\n")
        XCTAssertEqual(try obscura("photo", "a.jpg", "--after", "0.2 s").status, 0)
    }

    /// Returns the file and line of each error that `obscura scenario check` prints.
    private func checkedLines(_ name: String) throws -> [String] {
        try obscura("scenario", "check", name).text.split(separator: "\n")
            .map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
    }

    func testTheExplanationHasTheValuesOfActions() throws {
        let scenario = """
            scenario: 1
            name: Values
            session: {outputs: [photo]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 1 s, do: torch, mode: on}
              - {at: 1 s, do: torch, level: 0.5}
              - {at: 1 s, do: interrupt, reason: video-in-use}
              - {at: 2 s, do: end-interruption, reason: video-in-use}
              - {at: 2 s, do: video-hdr, mode: off}
              - {at: 2 s, do: zoom, factor: 2, over: 1 s}
              - {at: 2 s, do: photo-library, available: false}
              - {at: 2 s, do: system-pressure, level: serious}
              - {at: 2 s, do: answer, resource: video, answer: never}
            end: 3 s
            """
        try Data(scenario.utf8).write(to: file("values.yaml"))
        let text = try obscura("scenario", "explain", "values.yaml").text
        for sentence in [
            "The torch is turned on.", "The torch is turned on at the level 0.5.",
            "The interruption video-in-use ends.", "High dynamic range is off.",
            "The zoom factor changes to 2 over 1 s.", "The photo library is not available,",
            "The system pressure on all cameras changes to serious because of system-temperature.",
            "The user never answers later prompts for video.",
        ] {
            XCTAssertTrue(text.contains("  " + sentence), "no \(sentence) in \(text)")
        }
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
