import CaptureHAL
import Foundation
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests variables, includes, matrices and JSON in scenario files.
final class ScenarioDocumentTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private let call = """
        scenario: 1
        name: A call (${reason})
        variables: {start: 0.25 s}
        matrix:
          reason: [audio-in-use, video-in-use]
          length: [1/2 s, 1 s]
        session: {outputs: [movie]}
        timeline:
          - {at: ${start}, do: record, to: a-${reason}.mov, maximum-duration: ${length}}
          - {at: 0.5 s, do: interrupt, reason: ${reason}}
        end: 1 s
        expect:
          - {movie: "a-${reason}.mov", playable: true}
        """

    private func assertRefused(
        _ name: String = "s.yaml", file: String? = nil, line expected: Int, _ text: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try ScenarioFile.load(path: path(name)), line: line) { error in
            guard let error = error as? YAMLError else { return XCTFail("\(error)", line: line) }
            XCTAssertEqual(error.file, path(file ?? name), "\(error)", line: line)
            XCTAssertEqual(error.line, expected, "\(error)", line: line)
            XCTAssertTrue(error.description.contains(text), "\(error)", line: line)
        }
    }

    private func assertRefused(
        _ change: (String, String), line expected: Int, _ text: String, line: UInt = #line
    ) throws {
        let changed = call.replacingOccurrences(of: change.0, with: change.1)
        XCTAssertNotEqual(changed, call, line: line)
        try write("s.yaml", changed)
        assertRefused(line: expected, text, line: line)
    }

    // MARK: Variables and matrix

    func testAMatrixYieldsAScenarioForEachCombination() throws {
        try write("call.yaml", call)
        let files = try ScenarioFile.load(path: path("call.yaml"))
        XCTAssertEqual(
            files.map(\.name),
            [
                "call[reason=audio-in-use,length=1/2 s]", "call[reason=audio-in-use,length=1 s]",
                "call[reason=video-in-use,length=1/2 s]", "call[reason=video-in-use,length=1 s]",
            ])
        XCTAssertEqual(files[2].goldenURL.lastPathComponent, "call[reason=video-in-use,length=1_2 s].log")
        XCTAssertEqual(files[2].scenario.name, "A call (video-in-use)")
        XCTAssertEqual(
            files[2].scenario.timeline.map { "\($0.time.seconds) \($0.action)" },
            ["0.25 record a-video-in-use.mov at most 0.5 s", "0.5 interrupt video-in-use"])
        XCTAssertEqual(files[2].scenario.timeline.map(\.line), [9, 10])
        XCTAssertThrowsError(try ScenarioFile(path: path("call.yaml"))) { error in
            XCTAssertTrue("\(error)".contains("describes 4 scenarios"), "\(error)")
        }
    }

    func testAFileWithoutAMatrixIsOneScenario() throws {
        let text = call.replacingOccurrences(
            of: "matrix:\n  reason: [audio-in-use, video-in-use]\n  length: [1/2 s, 1 s]\n", with: "\n\n\n"
        ).replacingOccurrences(of: "{start: 0.25 s}", with: "{start: 0.25 s, reason: audio-in-use, length: 1 s}")
        try write("call.yaml", text)
        let files = try ScenarioFile.load(path: path("call.yaml"))
        XCTAssertEqual(files.map(\.name), ["call"])
        XCTAssertEqual(files.first?.goldenURL.lastPathComponent, "call.log")
        XCTAssertEqual(try ScenarioFile(path: path("call.yaml")).scenario, files.first?.scenario)
    }

    func testMistakesInVariablesAreReportedWithLineAndSuggestion() throws {
        try assertRefused(("reason: ${reason}", "reason: ${reson}"), line: 10, "did you mean \"reason\"?")
        try assertRefused(("{start:", "{starrt:"), line: 9, "did you mean \"starrt\"?")
        try assertRefused(("{start: 0.25 s}", "{start: 0.25 s, stop: 1 s}"), line: 3, "\"stop\" is not used")
        try assertRefused(("0.25 s", "[0.25 s]"), line: 3, "not a single value")
        try assertRefused(("video-in-use]", "video-in-us]"), line: 10, "did you mean \"video-in-use\"?")
        try assertRefused(("video-in-use]", "audio-in-use]"), line: 5, "listed twice")
        try assertRefused(("[1/2 s, 1 s]", "1 s"), line: 6, "not a list")
        try assertRefused(("do: interrupt", "${start}: interrupt"), line: 10, "a key cannot contain a variable")
        try assertRefused(("variables:", "variable:"), line: 3, "did you mean \"variables\"?")
        try assertRefused(("matrix:", "matrx:"), line: 4, "did you mean \"matrix\"?")
        try assertRefused(("scenario:", "scenraio:"), line: 1, "did you mean \"scenario\"?")
        let many = (0..<11).map { "\($0)" }.joined(separator: ", ")
        try assertRefused(
            ("  length: [1/2 s, 1 s]", "  length: [\(many)]\n  b: [\(many)]\n  c: [\(many)]"), line: 5,
            "more than 1000")
    }

    // MARK: Includes

    private let devices = """
        # Devices of several scenarios.
        variables: {start: 0.5 s, pause: 0.25 s}
        devices: {profile: webcam, scene: grey, authorization: {audio: denied, video: denied}}
        timeline:
          - {at: 0 s, do: start}
          - {at: ${pause}, do: take-device, device: webcam.camera}
        """

    private let main = """
        scenario: 1
        name: An include
        include: parts/devices.yaml
        variables: {pause: 0.75 s}
        devices: {scene: chart, authorization: {video: authorized}}
        session: {outputs: [movie]}
        timeline:
          - {at: ${start}, do: stop}
          - {at: 0.75 s, do: start}
        end: 1 s
        """

    private func writeInclude(
        _ main: (String, String)? = nil, _ included: (String, String)? = nil
    ) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("parts"), withIntermediateDirectories: true)
        try write("s.yaml", main.map { self.main.replacingOccurrences(of: $0.0, with: $0.1) } ?? self.main)
        try write(
            "parts/devices.yaml", included.map { devices.replacingOccurrences(of: $0.0, with: $0.1) } ?? devices)
    }

    func testAnIncludedFileProvidesTheKeysThatTheFileLacks() throws {
        try writeInclude()
        let scenario = try ScenarioFile(path: path("s.yaml")).scenario
        XCTAssertEqual(scenario.devices.profile, "webcam")
        XCTAssertEqual(scenario.devices.scene, "chart")
        XCTAssertEqual(scenario.devices.authorization, [.audio: .denied, .video: .authorized])
        // An included step precedes a step of the including file at the same time.
        XCTAssertEqual(
            scenario.timeline.map { "\($0.time.seconds) \($0.action)" },
            ["0.0 start", "0.5 stop", "0.75 take-device webcam.camera", "0.75 start"])
        XCTAssertEqual(try ScenarioFile.paths(in: folder.path).map { ($0 as NSString).lastPathComponent }, ["s.yaml"])
    }

    func testALaterIncludeOverridesAnEarlierOne() throws {
        try writeInclude(("include: parts/devices.yaml", "include: [parts/devices.yaml, parts/other.yaml]"))
        try write("parts/other.yaml", "devices: {authorization: {audio: restricted}, marker: true}\nseed: 7\n")
        let scenario = try ScenarioFile(path: path("s.yaml")).scenario
        XCTAssertEqual(scenario.devices.profile, "webcam")
        XCTAssertTrue(scenario.devices.hasMarker)
        XCTAssertEqual(scenario.devices.authorization, [.audio: .restricted, .video: .authorized])
        XCTAssertEqual(scenario.seed, 7)
    }

    func testMistakesInIncludedFilesNameTheFile() throws {
        try writeInclude(nil, ("scene:", "secne:"))
        assertRefused(file: "parts/devices.yaml", line: 3, "did you mean \"scene\"?")
        try writeInclude(nil, ("do: start", "do: strat"))
        assertRefused(file: "parts/devices.yaml", line: 5, "did you mean \"start\"?")
        try writeInclude(nil, ("${pause}", "${paus}"))
        assertRefused(file: "parts/devices.yaml", line: 6, "did you mean \"pause\"?")
        try writeInclude(nil, ("timeline:", "timelin:"))
        assertRefused(file: "parts/devices.yaml", line: 4, "did you mean \"timeline\"?")
        try writeInclude(("include:", "inclde:"))
        assertRefused(line: 3, "did you mean \"include\"?")
        try writeInclude(("parts/devices.yaml", "parts/devces.yaml"))
        assertRefused(line: 3, "did you mean \"parts/devices.yaml\"?")
        try writeInclude(nil, ("# Devices of several scenarios.", "include: ../s.yaml"))
        assertRefused(file: "parts/devices.yaml", line: 1, "includes itself")
    }

    func testTheVerdictOfAnIncludedExpectationNamesTheIncludedFile() throws {
        try writeInclude(nil, ("timeline:", "expect: [{never: session did start running}]\ntimeline:"))
        let verdict = try XCTUnwrap(ScenarioFile(path: path("s.yaml")).run().verdicts.first)
        XCTAssertEqual(verdict.file, path("parts/devices.yaml"))
        XCTAssertEqual(verdict.line, 4)
    }

    // MARK: JSON

    private let json = #"""
        {
        	"scenario": 1,
        	"name": "A \"call\" in JSON \/ \u00e4",
        	"matrix": {"reason": ["audio-in-use", "video-in-use"]},
        	"session": {"preset": "640x480", "microphone": false, "outputs":["movie"]},
        	"timeline": [
        		{"at": "0 s", "do": "start"},
        		{"at":"0.5 s","do":"interrupt","reason":"${reason}"}
        	],
        	"end": "1 s"
        }
        """#.replacingOccurrences(of: "\\t", with: "\t")

    func testJSONIsRead() throws {
        try write("call.json", json)
        let files = try ScenarioFile.load(path: path("call.json"))
        XCTAssertEqual(files.map(\.name), ["call[reason=audio-in-use]", "call[reason=video-in-use]"])
        XCTAssertEqual(files[0].scenario.name, "A \"call\" in JSON / ä")
        XCTAssertFalse(files[0].scenario.session.hasMicrophone)
        XCTAssertEqual(files[1].scenario.timeline.map(\.action), [.start, .interrupt(.videoInUseByAnotherClient)])
        XCTAssertEqual(try ScenarioFile.paths(in: folder.path), [path("call.json")])
    }

    func testOnlyTheMistakesOfAScenarioForAnAppAreErrors() throws {
        try write(
            "app.yaml",
            """
            scenario: 1
            name: An app
            devices: {profile: webcma}
            timeline: [{at: 0 s, do: start}]
            end: 1 s
            expect:
              - events: [frame webcam.camera]
            """)
        let errors = ScenarioFile.errors(path: path("app.yaml"))
        XCTAssertEqual(errors.count, 1, "\(errors)")
        XCTAssertEqual((errors.first as? YAMLError)?.key, "devices.profile", "\(errors)")
    }

    /// Returns the errors of a scenario as `line key: problem`.
    private func errors(_ timeline: String, _ rest: String = "session: {outputs: [movie, photo]}") throws -> [String] {
        try write("a.yaml", "scenario: 1\nname: A\n\(rest)\nend: 9 s\ntimeline:\n\(timeline)")
        return ScenarioFile.errors(path: path("a.yaml")).map { error in
            (error as? YAMLError).map { "\($0.line) \($0.key): \($0.problem)" } ?? "\(error)"
        }
    }

    func testAllErrorsOfAMappingAreListed() throws {
        let errors = try errors(
            """
              - {at: 0 z, do: focus-at, point: [0.5], mode: nearest}
              - {at: 1 s, do: white-balance, tint: 400}
              - {do: zoom, over: 0 s}
              - {at: 2 s, do: fault-that-is-none, knd: a}
              - {at: -1 s, do: light, illuminance: bright, temperature: 1 K}
              - {at: 3 s, do: focus-mode, mode: nearest, camera: phone.back-wide}
            """,
            """
            devices:
              light: {illuminance: 1 K, temperature: 1 lx}
              faults: [{device: 1.5, at: soon, do: dropframes, count: 0}]
            session: {outputs: [moovie, photo, photo], metadata-object-types: [qrr]}
            """)
        XCTAssertEqual(
            errors,
            [
                "4 devices.light.illuminance: \"K\" is not a valid unit here",
                "4 devices.light.temperature: \"lx\" is not a valid unit here",
                "5 devices.faults[0].do: \"dropframes\" is not a valid value here",
                "6 session.metadata-object-types[0]: \"qrr\" is not a valid value here",
                "6 session.outputs[0]: \"moovie\" is not a valid value here",
                "6 session.outputs[2]: the output \"photo\" is listed twice",
                "9 timeline[0].at: \"z\" is not a valid unit here",
                "9 timeline[0].point: the list has 1 entries",
                "9 timeline[0].mode: \"nearest\" is not a valid value here",
                "10 timeline[1]: the key \"temperature\" is missing",
                "10 timeline[1].tint: 400 is out of range",
                "11 timeline[2]: the key \"at\" is missing",
                "11 timeline[2]: the key \"factor\" is missing",
                "11 timeline[2].over: 0 s is out of range",
                "12 timeline[3].knd: the key \"knd\" is not valid here",
                "12 timeline[3].do: \"fault-that-is-none\" is not a valid value here",
                "13 timeline[4].at: -1 s is out of range",
                "13 timeline[4].illuminance: \"bright\" does not begin with a number",
                "13 timeline[4].temperature: 1 K is out of range",
                "14 timeline[5].mode: \"nearest\" is not a valid value here",
            ], errors.joined(separator: "\n"))
    }

    func testStepsWithoutEffectInTheirPlaceAreErrors() throws {
        let errors = try errors(
            """
              - {at: 0 s, do: reconnect, device: phone.front}
              - {at: 0 s, do: end-interruption, reason: audio-in-use}
              - {at: 0 s, do: stop-recording}
              - {at: 0 s, do: resume-recording}
              - {at: 0 s, do: commit-configuration}
              - {at: 0 s, do: enter-foreground}
              - {at: 1 s, do: disconnect, device: phone.back-wide}
              - {at: 1 s, do: interrupt, reason: video-in-use}
              - {at: 1 s, do: record, to: a.mov}
              - {at: 1 s, do: pause-recording}
              - {at: 1 s, do: begin-configuration}
              - {at: 1 s, do: enter-background}
              - {at: 2 s, do: reconnect, device: phone.back-wide}
              - {at: 2 s, do: end-interruption, reason: video-in-use}
              - {at: 2 s, do: resume-recording}
              - {at: 2 s, do: stop-recording}
              - {at: 2 s, do: commit-configuration}
              - {at: 2 s, do: enter-foreground}
              - {at: 3 s, do: end-interruption, reason: video-in-use}
              - {at: 3 s, do: reconnect, device: phone.back-wide}
              - {at: 3 s, do: stop-recording}
              - {at: 3 s, do: commit-configuration}
            """)
        XCTAssertEqual(
            errors,
            [
                "6 timeline[0].do: the device \"phone.front\" is not disconnected",
                "7 timeline[1].do: no interruption with the reason \"audio-in-use\" has begun",
                "8 timeline[2].do: no recording has been started",
                "9 timeline[3].do: no recording is paused",
                "10 timeline[4].do: no configuration has begun",
                "11 timeline[5].do: the app is not in the background",
                "24 timeline[18].do: no interruption with the reason \"video-in-use\" has begun",
                "25 timeline[19].do: the device \"phone.back-wide\" is not disconnected",
                "26 timeline[20].do: no recording has been started",
                "27 timeline[21].do: no configuration has begun",
            ], errors.joined(separator: "\n"))
        // The scenario can be played nevertheless.
        XCTAssertNoThrow(try ScenarioFile.load(path: path("a.yaml")))
    }

    func testStatesThatFaultsAppsAndInvalidStepsBeginAreNotErrors() throws {
        XCTAssertEqual(
            try errors(
                "  - {at: 1 s, do: reconnect, device: phone.front}",
                """
                devices: {faults: [{device: phone.front, frame: 3, do: disconnect}]}
                session: {outputs: [video]}
                """), [])
        // An app can start a recording in an action of its own.
        XCTAssertEqual(
            try errors("  - {at: 0 s, do: stop-recording}\n  - {at: 0 s, do: commit-configuration}", "seed: 1"), [])
        XCTAssertEqual(
            try errors("  - {at: 0 s, do: record, to: a/b}\n  - {at: 1 s, do: stop-recording}"),
            ["6 timeline[0].to: \"a/b\" is not a plain file name"])
        XCTAssertEqual(
            try errors("  - {at: 0 s, do: recrod}\n  - {at: 1 s, do: stop-recording}"),
            ["6 timeline[0].do: \"recrod\" is not a valid value here"])
    }

    func testFaultsAfterTheEndAndTypesWithoutAMetadataOutputAreErrors() throws {
        XCTAssertEqual(
            try errors(
                "  - {at: 0 s, do: start}",
                """
                devices: {faults: [{device: phone.front, at: 10 s, do: drop-frames, count: 1}]}
                session: {outputs: [video], metadata-object-types: [qr]}
                """),
            [
                "3 devices.faults[0].at: the scenario ends before, at 9.0 s",
                "4 session.metadata-object-types: the session has no metadata output",
            ])
        XCTAssertEqual(
            try errors(
                "  - {at: 0 s, do: add-output, output: metadata}",
                "session: {outputs: [video], metadata-object-types: [qr]}"), [])
    }

    func testNoScenarioOfTheLibraryHasErrors() throws {
        let files = try ActionDeclarationTests.fixtures()
        XCTAssertGreaterThan(files.count, 50)
        for file in files {
            let errors = ScenarioFile.errors(path: file.path)
            XCTAssertTrue(errors.isEmpty, "\(errors)")
        }
    }

    func testTheExplanationOfAScenarioForAnAppSaysThatTheAppCreatesTheSession() throws {
        XCTAssertEqual(try errors("  - {at: 0 s, do: start}", "seed: 1"), [])
        let scenario = try XCTUnwrap(ScenarioFile.load(path: path("a.yaml")).first).scenario
        XCTAssertTrue(scenario.explanation.contains("\nThe app creates the session.\n"), scenario.explanation)
    }

    func testAnUnreadableFileInAFolderIsListedAndReportsItsPath() throws {
        try write("call.json", json)
        try Data([0x73, 0xff, 0xfe]).write(to: folder.appendingPathComponent("bytes.yaml"))
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("folder.yaml"), withIntermediateDirectories: false)
        XCTAssertEqual(
            try ScenarioFile.paths(in: folder.path), [path("bytes.yaml"), path("call.json"), path("folder.yaml")])
        for name in ["bytes.yaml", "folder.yaml"] {
            let errors = ScenarioFile.errors(path: path(name))
            XCTAssertEqual(errors.count, 1, "\(errors)")
            XCTAssertTrue(errors.first is ScenarioFile.FileError, "\(errors)")
            XCTAssertTrue("\(errors)".contains(path(name)), "\(errors)")
        }
    }

    func testMistakesInJSONAreReportedWithLineAndSuggestion() throws {
        try write("call.json", json.replacingOccurrences(of: "\"do\": \"start\"", with: "\"do\": \"strat\""))
        assertRefused("call.json", line: 7, "did you mean \"start\"?")
        try write("call.json", json.replacingOccurrences(of: "\"matrix\"", with: "\"matrx\""))
        assertRefused("call.json", line: 4, "did you mean \"matrix\"?")
    }
}
