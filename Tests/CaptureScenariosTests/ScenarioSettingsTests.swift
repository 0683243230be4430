import AssetTypes
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests outputs, connections, photos, prompts and light in scenarios.
final class ScenarioSettingsTests: XCTestCase {
    private func play(
        _ steps: [String], devices: String = "profile: phone, scene: grey",
        session: String = "preset: 640x480, microphone: false, outputs: [video]", end: String = "1 s",
        watch: (ScenarioSession, ScenarioPlayer.Stage) -> Void = { _, _ in }
    ) throws -> [LogEntry] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let yaml = """
            scenario: 1
            name: Settings
            devices: {\(devices)}
            session: {\(session)}
            timeline:
            \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
            end: \(end)
            """
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        let reread = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(reread.devices, scenario.devices)
        XCTAssertEqual(reread.session, scenario.session)
        let player = try ScenarioPlayer(scenario, folder: folder)
        return LogEntry.parse(try player.play { session, _, moment in watch(session, moment) }.log)
    }

    /// Returns the times in seconds of the entries that contain `words`.
    private func times(_ log: [LogEntry], _ words: String) -> [Double] {
        log.filter { $0.matches(words) }.map { Double($0.time) / 1e6 }
    }

    // MARK: Outputs

    func testTheLogContainsChangesOfTheFacesOnly() throws {
        let log = try play(
            ["at: 0 s, do: start"], devices: "profile: phone, scene: portrait",
            session: "preset: 640x480, microphone: false, outputs: [metadata], metadata-object-types: [face]",
            end: "0.5 s")
        let lines = log.filter { $0.matches("metadata") }.map(\.text)
        XCTAssertEqual(lines.first, "metadata face 1, face 2, face 3")
        // One line for each change, not for each of the 15 frames.
        XCTAssertLessThan(lines.count, 4)
    }

    func testTheLogContainsCodes() throws {
        let log = try play(
            ["at: 0 s, do: start"], devices: "profile: phone, scene: shelf",
            session: "preset: 1280x720, microphone: false, outputs: [metadata]", end: "0.5 s")
        XCTAssertTrue(log.contains { $0.text.hasPrefix("metadata ") && $0.text.contains("qr ") }, "\(log)")
    }

    func testTheLogContainsDepthMaps() throws {
        let session = "camera: phone.front-true-depth, preset: 640x480, microphone: false, outputs: [video, depth]"
        let log = try play(["at: 0 s, do: start"], session: session, end: "0.3 s")
        XCTAssertGreaterThan(times(log, "depth").count, 2, "\(log)")
    }

    func testAPhotoContainsDepth() throws {
        let session = "camera: phone.front-true-depth, preset: 640x480, microphone: false, outputs: [photo]"
        let log = try play(
            [
                "at: 0 s, do: start", "at: 0.2 s, do: photo, to: a.jpg, depth-data-delivery: true",
                "at: 0.5 s, do: photo, to: b.jpg, quality-prioritization: quality",
            ], session: session)
        XCTAssertTrue(log.contains { $0.text.hasPrefix("photo a.jpg with depth ") }, "\(log)")
        XCTAssertTrue(log.contains { $0.text == "photo b.jpg" }, "\(log)")
        XCTAssertFalse(log.contains { $0.matches("misuse") }, "\(log)")
    }

    func testASlowCallbackDropsFrames() throws {
        let log = try play(["at: 0 s, do: start", "at: 0.5 s, do: callback-duration, duration: 100 ms"])
        let drops = times(log, "frame dropped")
        XCTAssertGreaterThan(drops.count, 5)
        XCTAssertTrue(drops.allSatisfy { $0 > 0.5 }, "\(drops)")
    }

    // MARK: Connections and formats

    func testActionsChangeTheSettingsOfConnections() throws {
        var mode: AVCaptureVideoStabilizationMode?
        var isMirrored: Bool?
        let log = try play(
            [
                "at: 0 s, do: start", "at: 0 s, do: video-rotation-angle, output: video, angle: 90",
                "at: 0 s, do: video-mirrored, output: video, enabled: true",
                "at: 0 s, do: video-stabilization, output: video, mode: standard",
                "at: 0.1 s, do: video-mirrored, output: movie, enabled: true",
            ], end: "0.3 s"
        ) { session, moment in
            guard case .closed = moment else { return }
            let connection = session.createdOutput(.video)?.connection(with: .video)
            mode = connection?.preferredVideoStabilizationMode
            isMirrored = connection?.isVideoMirrored
        }
        XCTAssertEqual(mode, .standard)
        XCTAssertEqual(isMirrored, true)
        XCTAssertTrue(log.contains { $0.matches("frame 480x640") }, "\(log)")
        XCTAssertTrue(log.contains { $0.text == "there is no output movie" })
    }

    func testTheRotationAngleThatAStepSetsAppliesToMovies() throws {
        var angles: [Double] = []
        _ = try play(
            [
                "at: 0 s, do: start", "at: 0 s, do: record, to: a.mov", "at: 0.1 s, do: stop-recording",
                "at: 0.2 s, do: video-rotation-angle, output: movie, angle: 180", "at: 0.2 s, do: record, to: b.mov",
            ], session: "preset: 352x288, microphone: false, outputs: [movie]", end: "0.3 s"
        ) { session, moment in
            guard case .after(let step) = moment, case .record = step.action else { return }
            angles.append(Double(session.movieOutput()?.connection(with: .video)?.videoRotationAngle ?? -1))
        }
        XCTAssertEqual(angles, [90, 180])
    }

    func testAFormatAndAFrameRateAreSet() throws {
        let log = try play(
            [
                "at: 0 s, do: format, size: 1280x720, frame-rate: 60", "at: 0 s, do: start",
                "at: 0.3 s, do: frame-rate, frame-rate: 10", "at: 0.3 s, do: format, size: 16x16",
            ], end: "0.8 s")
        XCTAssertTrue(log.contains { $0.matches("frame 1280x720") }, "\(log)")
        assertNear(times(log, "frame").filter { $0 < 0.3 }.count, 15, accuracy: 6)
        assertNear(times(log, "frame").filter { $0 > 0.4 }.count, 4, accuracy: 1)
        XCTAssertTrue(log.contains { $0.text == "cannot set format 16x16: phone.back-wide has no such format" })
    }

    // MARK: Prompts and light

    func testAPromptIsAnsweredLaterOrNever() throws {
        let log = try play(
            [
                "at: 0 s, do: answer, resource: audio, answer: never",
                "at: 0.1 s, do: request-authorization, resource: video",
                "at: 0.1 s, do: request-authorization, resource: audio",
                "at: 0.2 s, do: request-authorization, resource: photo-library",
            ],
            devices: "profile: phone, scene: grey, authorization: {video: not-determined, audio: not-determined, "
                + "photo-library: not-determined}, answers: {video: {answer: denied, after: 0.35 s}, "
                + "photo-library: authorized}")
        XCTAssertEqual(
            log.filter { $0.matches("authorization") }.map(\.description),
            ["0.200000 authorization photo-library authorized", "0.350000 authorization video denied"])
    }

    func testTheLightChangesAndTheSubjectAreaIsReported() throws {
        let steps = [
            "at: 0 s, do: start", "at: 0.5 s, do: subject-area-change-monitoring, enabled: true",
            "at: 1 s, do: light, illuminance: 2000 lx, temperature: 3000 K",
        ]
        let devices = "profile: phone, scene: grey, light: {illuminance: 20 lx, temperature: 6000 K}"
        let log = try play(steps, devices: devices, end: "3 s")
        let changes = times(log, "subject area did change phone.back-wide")
        XCTAssertFalse(changes.isEmpty)
        XCTAssertTrue(changes.allSatisfy { $0 > 1 }, "\(changes)")
        let without = try play(steps.dropLast(), devices: devices, end: "3 s")
        XCTAssertEqual(times(without, "subject area did change"), [])
    }

    func testTheLightOfAScenarioIsInterpolated() throws {
        let yaml = """
            scenario: 1
            name: Light
            devices: {scene: grey, light: {illuminance: 100 lx, temperature: 5000 K}}
            session: {outputs: [video]}
            timeline:
              - {at: 1 s, do: light, illuminance: 500 lx, over: 2 s}
              - {at: 2 s, do: light, temperature: 3000 K}
              - {at: 4 s, do: light, illuminance: 0 lx, over: 1 s}
            end: 5 s
            """
        let light = try XCTUnwrap(Scenario(yaml: yaml, file: "t.yaml").light(of: .grey))
        XCTAssertEqual(light.changes.map(\.seconds), [1, 2, 2, 4, 5])
        XCTAssertEqual(light.changes.map(\.lux), [100, 300, 300, 300, 0])
        XCTAssertEqual(light.changes.map(\.kelvin), [5000, 5000, 3000, 3000, 3000])
        XCTAssertNil(
            try Scenario(
                yaml: "scenario: 1\nname: N\nsession: {outputs: [video]}\ntimeline: [{at: 0 s, do: start}]\nend: 1 s\n",
                file: "t.yaml"
            ).light(of: .grey))
    }

    func testMistakesAreReportedWithSuggestion() {
        for (step, text) in [
            ("light", "does not change"), ("light, illuminance: 5", "no unit"),
            ("answer, resource: video, answer: nevr", "did you mean \"never\"?"),
            ("answer, resource: video, answer: never, after: 1 s", "no delay"),
            ("video-rotation-angle, output: video, angle: 45", "0, 90, 180, 270"),
            ("video-mirrored, output: video, enabled: ture", "true or false"),
            ("photo, to: a.jpg, flash-mode: auot", "did you mean \"auto\"?"),
            ("format, size: 1280", "not a size"), ("frame-rate, frame-rate: 0", "out of range"),
        ] {
            let yaml =
                "scenario: 1\nname: N\nsession: {outputs: [video]}\ntimeline:\n  - {at: 0 s, do: \(step)}\nend: 1 s\n"
            XCTAssertThrowsError(try Scenario(yaml: yaml, file: "t.yaml"), step) { error in
                XCTAssertTrue("\(error)".hasPrefix("t.yaml:5:") && "\(error)".contains(text), "\(error)")
            }
        }
    }
}

/// Asserts that a number is near another one.
private func assertNear(
    _ value: Int, _ expected: Int, accuracy: Int, file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertLessThanOrEqual(abs(value - expected), accuracy, "\(value)", file: file, line: line)
}
