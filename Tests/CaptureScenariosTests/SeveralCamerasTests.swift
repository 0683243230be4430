import CaptureCore
import Foundation
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests scenarios with several cameras in the session.
final class SeveralCamerasTests: XCTestCase {
    private let lines = [
        "scenario: 1",
        "name: Two cameras",
        "devices: {profile: phone, scene: grey}",
        "session:",
        "  microphone: true",
        "  outputs: [audio]",
        "  cameras:",
        "    - {device: phone.back-wide, size: 640x480, outputs: [video, movie, metadata]}",
        "    - {device: phone.front, size: 640x480, frame-rate: 15, outputs: [video, movie, photo]}",
        "timeline:",
        "  - {at: 0 s, do: start}",
        "  - {at: 0.1 s, do: record, to: front.mov, camera: phone.front}",
        "  - {at: 0.2 s, do: disable, output: video, camera: phone.back-wide}",
        "  - {at: 0.2 s, do: disable, output: audio}",
        "end: 0.5 s",
        "expect:",
        "  - {recording: recording, camera: phone.front, from: 0.2 s, until: 0.5 s}",
        "  - {never: frame phone.back-wide, from: 0.21 s, until: 0.5 s}",
    ]

    private func text(_ replacements: [Int: String] = [:]) -> String {
        lines.enumerated().map { replacements[$0 + 1] ?? $1 }.joined(separator: "\n")
    }

    /// Plays the scenario with other steps.
    private func play(_ steps: [String]) throws -> [LogEntry] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cameras-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let yaml =
            (lines[..<10] + steps.map { "  - {\($0)}" } + ["end: 0.5 s"]).joined(separator: "\n")
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        return LogEntry.parse(try ScenarioPlayer(scenario, folder: folder).play().log)
    }

    func testTheCamerasAreReadAndWritten() throws {
        let scenario = try Scenario(yaml: text(), file: "t.yaml")
        XCTAssertEqual(
            scenario.session.cameras,
            [
                Scenario.Session.Camera(
                    device: "phone.back-wide", size: [640, 480], outputs: [.video, .movie, .metadata]),
                Scenario.Session.Camera(
                    device: "phone.front", size: [640, 480], frameRate: 15, outputs: [.video, .movie, .photo]),
            ])
        XCTAssertEqual(scenario.timeline.map(\.camera), [nil, "phone.front", "phone.back-wide", nil])
        XCTAssertEqual(scenario.timeline[1].logText, "record front.mov on phone.front")
        let reread = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(reread.session, scenario.session)
        XCTAssertEqual(reread.timeline.map(\.camera), scenario.timeline.map(\.camera))
        XCTAssertEqual(reread.expectations.map(\.kind), scenario.expectations.map(\.kind))
    }

    func testAnActionAppliesToTheCameraThatItNames() throws {
        let log = try play([
            "at: 0 s, do: start", "at: 0.1 s, do: disable, output: video, camera: phone.back-wide",
            "at: 0.1 s, do: video-rotation-angle, output: video, camera: phone.front, angle: 90",
            "at: 0.1 s, do: frame-rate, frame-rate: 5, camera: phone.front", "at: 0.2 s, do: disable, output: audio",
            "at: 0.2 s, do: zoom, factor: 900, camera: phone.front",
        ])
        func count(_ words: String, after seconds: Double) -> Int {
            log.count { $0.matches(words) && Double($0.time) > seconds * 1e6 }
        }
        XCTAssertEqual(count("frame phone.back-wide", after: -1), 4)
        XCTAssertEqual(count("frame phone.back-wide", after: 0.11), 0)
        XCTAssertGreaterThan(count("frame phone.front 480x640", after: 0.11), 0)
        XCTAssertLessThan(count("frame phone.front", after: 0.2), 3, "5 frames a second")
        XCTAssertGreaterThan(count("sound", after: -1), 3)
        XCTAssertEqual(count("sound", after: 0.21), 0)
        XCTAssertEqual(count("misuse", after: -1), 1, "only the zoom is out of range")
    }

    func testOutputsAndInputsAreRemovedAndAddedAgain() throws {
        let log = try play([
            "at: 0 s, do: start", "at: 0.1 s, do: remove-output, output: movie, camera: phone.front",
            "at: 0.1 s, do: record, to: a.mov, camera: phone.front",
            "at: 0.2 s, do: add-output, output: movie, camera: phone.front",
            "at: 0.2 s, do: remove-input, device: phone.front", "at: 0.3 s, do: add-input, device: phone.front",
            "at: 0.3 s, do: record, to: b.mov, camera: phone.front",
            "at: 0.3 s, do: remove-output, output: depth, camera: phone.front",
        ])
        XCTAssertTrue(log.contains { $0.matches("misuse") && $0.time == 100_000 }, "the output is not in the session")
        XCTAssertTrue(log.contains { $0.matches("recording did finish b.mov without an error") }, "\(log)")
        XCTAssertTrue(log.contains { $0.text == "there is no output depth of phone.front" })
    }

    func testMistakesAreReportedWithLineAndSuggestion() throws {
        let cases: [([Int: String], Int, String)] = [
            ([12: "  - {at: 0.1 s, do: record, to: front.mov}"], 12, "add \"camera: phone.back-wide\""),
            (
                [12: "  - {at: 0.1 s, do: record, to: front.mov, camera: phone.fornt}"], 12,
                "did you mean \"phone.front\"?"
            ),
            ([11: "  - {at: 0 s, do: start, camera: phone.front}"], 11, "does not accept \"camera\""),
            ([13: "  - {at: 0.2 s, do: switch-camera, device: phone.front}"], 13, "remove-input"),
            ([14: "  - {at: 0.2 s, do: disable, output: audio, camera: phone.front}"], 14, "belongs to no camera"),
            ([5: "  preset: high"], 5, "has no \"preset\""), ([5: "  camera: phone.front"], 5, "has no \"camera\""),
            ([6: "  outputs: [video]"], 6, "valid names are audio"),
            ([8: "    - {device: phone.front, outputs: [video]}"], 9, "listed twice"),
            ([8: "    - {device: phone.back-wide, outputs: [audio]}"], 8, "valid names are video, movie"),
            ([8: "    - {device: phone.back-wide, outputs: [vidoe]}"], 8, "did you mean \"video\"?"),
            ([8: "    - {device: phone.back-wide, frame-rate: 30, outputs: [video]}"], 8, "needs a size"),
            ([8: ""], 9, "only one camera"),
            ([17: "  - {recording: idle, at: 0 s}"], 17, "add \"camera: phone.back-wide\""),
            ([17: "  - {recording: idle, camera: phone.frnt, at: 0 s}"], 17, "did you mean \"phone.front\"?"),
            ([18: "  - {never: frame phone.back-wde}"], 18, "did you mean \"frame phone.back-wide\"?"),
        ]
        for (replacements, line, text) in cases {
            XCTAssertThrowsError(try Scenario(yaml: self.text(replacements), file: "t.yaml"), text) { error in
                guard let error = error as? YAMLError else { return XCTFail("\(error)") }
                XCTAssertEqual(error.line, line, error.description)
                XCTAssertTrue(error.description.contains(text), "\(text): \(error)")
            }
        }
        let single = """
            scenario: 1
            name: One camera
            session: {outputs: [movie]}
            timeline:
              - {at: 0 s, do: record, to: a.mov, camera: phone.front}
            end: 1 s
            """
        XCTAssertThrowsError(try Scenario(yaml: single, file: "t.yaml")) {
            XCTAssertTrue("\($0)".contains("t.yaml:5") && "\($0)".contains("the session has one camera"), "\($0)")
        }
    }
}
