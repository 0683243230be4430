import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML
import XCTest

@testable import CaptureScenarios

final class ScenarioReadingTests: XCTestCase {
    private let lines = [
        "scenario: 1",
        "name: A test",
        "seed: 4",
        "devices: {profile: webcam, scene: grey, free: 5 MB, authorization: {audio: denied}}",
        "session: {preset: 640x480, camera: webcam.camera, microphone: false, outputs: [movie, photo]}",
        "timeline:",
        "  - {at: 0 s, do: start}",
        "  - {at: 250 ms, do: record, to: a.mov, fragment-interval: 1 s, maximum-duration: 2 s}",
        "  - {at: 1 s, do: interrupt, reason: background}",
        "end: 2 s",
    ]

    /// Returns the text of the file with some lines replaced, by line number from 1.
    private func text(_ replacements: [Int: String] = [:]) -> String {
        lines.enumerated().map { replacements[$0 + 1] ?? $1 }.joined(separator: "\n")
    }

    private func assertRefused(
        _ replacements: [Int: String], line expected: Int, key: String, _ text: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try Scenario(yaml: self.text(replacements), file: "t.yaml"), line: line) { error in
            guard let error = error as? YAMLError else { return XCTFail("\(error)", line: line) }
            XCTAssertEqual(error.line, expected, error.description, line: line)
            XCTAssertEqual(error.key, key, error.description, line: line)
            XCTAssertTrue(error.description.contains(text), error.description, line: line)
            XCTAssertTrue(error.description.hasPrefix("t.yaml:\(expected):"), error.description, line: line)
        }
    }

    func testEachKnownActionIsListedOnce() {
        XCTAssertGreaterThan(ActionDeclaration.names.count, 20)
        XCTAssertEqual(ActionDeclaration.names.count, Set(ActionDeclaration.names).count)
    }

    func testLongListsOfNamesAreCutAndNameTheCommandThatPrintsThem() throws {
        let lists = [
            ([7: "  - {at: 0 s, do: zzzzzzzzzzzzzzzz}"], ActionDeclaration.names),
            ([7: "  - {at: 0 s, zzzzzzzzzzzzzzzz: start}"], ["at", "do"] + ActionDeclaration.keyNames),
        ]
        for (replacements, names) in lists {
            XCTAssertThrowsError(try Scenario(yaml: text(replacements), file: "t.yaml")) { error in
                let expected =
                    "valid names are \(names.prefix(12).joined(separator: ", ")), … and \(names.count - 12) more; "
                    + "'obscura scenario schema' shows all"
                XCTAssertTrue("\(error)".hasSuffix(expected), "\(error)")
            }
        }
        // A near name is suggested alone.
        XCTAssertThrowsError(try Scenario(yaml: text([7: "  - {at: 0 s, do: strat}"]), file: "t.yaml")) { error in
            XCTAssertTrue("\(error)".hasSuffix("did you mean \"start\"?"), "\(error)")
        }
    }

    func testTextsWithLineBreaksAndControlCharactersAreReadAndWritten() throws {
        for name in ["a\nb", "a\r\nb", " a\tb ", "a\u{0}\u{1b}b", "a\u{85}b", "a\u{2028}b\u{2029}", "\"a\\n\" ä"] {
            var scenario = try Scenario(yaml: text(), file: "t.yaml")
            scenario.name = name
            let written = scenario.yaml
            XCTAssertEqual(try Scenario(yaml: written, file: "t.yaml").name, name, written)
        }
    }

    func testAllPresetsAreReadAndWritten() throws {
        for name in [
            "high", "medium", "low", "photo", "352x288", "640x480", "960x540", "1280x720", "1920x1080", "3840x2160",
        ] {
            let scenario = try Scenario(
                yaml: text([5: "session: {preset: \(name), outputs: [movie]}"]), file: "t.yaml")
            let written = scenario.yaml
            XCTAssertEqual(try Scenario(yaml: written, file: "t.yaml").session, scenario.session, written)
            XCTAssertTrue(written.contains(name), written)
        }
    }

    func testHandShakeIsReadAndWritten() throws {
        let yaml =
            "scenario: 1\nname: Hand\ndevices: {shake: 2.5 mrad}\nsession: {outputs: [video]}\n"
            + "timeline: [{at: 0 s, do: start}]\nend: 1 s\n"
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        XCTAssertEqual(scenario.devices.shake, HandShake(milliradians: 2.5))
        let reread = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(reread.devices.shake, scenario.devices.shake)
        XCTAssertThrowsError(
            try Scenario(yaml: yaml.replacingOccurrences(of: "2.5 mrad", with: "80 mrad"), file: "t.yaml")
        ) { error in
            XCTAssertTrue("\(error)".contains("t.yaml:3:18: devices.shake: 80 mrad is out of range"), "\(error)")
        }
    }

    func testTheOrientationIsReadAndWritten() throws {
        let yaml =
            "scenario: 1\nname: Rotation\ndevices: {orientation: landscape-right}\nsession: {outputs: [video]}\n"
            + "timeline: [{at: 0 s, do: start}, {at: 0.5 s, do: rotate, orientation: face-up}]\nend: 1 s\n"
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        XCTAssertEqual(scenario.devices.orientation, .landscapeRight)
        XCTAssertEqual(scenario.timeline.map(\.action), [.start, .rotate(.faceUp)])
        let reread = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(reread.devices.orientation, scenario.devices.orientation)
        XCTAssertEqual(reread.timeline.map(\.action), scenario.timeline.map(\.action))
        XCTAssertEqual(try Scenario(yaml: text(), file: "t.yaml").devices.orientation, .portrait)
    }

    func testTheMarkerIsReadAndWritten() throws {
        let yaml =
            "scenario: 1\nname: Marked\ndevices: {marker: true}\nsession: {outputs: [video]}\n"
            + "timeline: [{at: 0 s, do: start}]\nend: 1 s\n"
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        XCTAssertTrue(scenario.devices.hasMarker)
        XCTAssertTrue(try Scenario(yaml: scenario.yaml, file: "t.yaml").devices.hasMarker)
        let plain = yaml.replacingOccurrences(of: "devices: {marker: true}\n", with: "")
        XCTAssertFalse(try Scenario(yaml: plain, file: "t.yaml").devices.hasMarker)
    }

    func testTheSoundIsReadAndWritten() throws {
        let yaml =
            "scenario: 1\nname: Loud\ndevices: {sound: tone}\nsession: {outputs: [video]}\n"
            + "timeline: [{at: 0 s, do: start}]\nend: 1 s\n"
        let scenario = try Scenario(yaml: yaml, file: "t.yaml")
        XCTAssertEqual(scenario.devices.sound, .tone)
        XCTAssertEqual(try Scenario(yaml: scenario.yaml, file: "t.yaml").devices.sound, .tone)
        let plain = yaml.replacingOccurrences(of: "devices: {sound: tone}\n", with: "")
        XCTAssertEqual(try Scenario(yaml: plain, file: "t.yaml").devices.sound, .scene)
        XCTAssertThrowsError(
            try Scenario(yaml: yaml.replacingOccurrences(of: "sound: tone", with: "sound: silence"), file: "t.yaml")
        ) { error in
            XCTAssertTrue("\(error)".contains("scene"), "\(error)")
        }
    }

    func testAllKeysAreRead() throws {
        let scenario = try Scenario(yaml: text(), file: "t.yaml")
        XCTAssertEqual(scenario.name, "A test")
        XCTAssertEqual(scenario.seed, 4)
        XCTAssertEqual(scenario.devices.profile, "webcam")
        XCTAssertEqual(scenario.devices.scene, "grey")
        XCTAssertNil(scenario.devices.shake)
        XCTAssertEqual(scenario.devices.freeByteCount, 5_000_000)
        XCTAssertEqual(scenario.devices.authorization, [.audio: .denied])
        XCTAssertEqual(scenario.session.preset, "AVCaptureSessionPreset640x480")
        XCTAssertEqual(scenario.session.camera, "webcam.camera")
        XCTAssertFalse(scenario.session.hasMicrophone)
        XCTAssertEqual(scenario.session.outputs, [.movie, .photo])
        XCTAssertEqual(scenario.end, CMTime(value: 2, timescale: 1))
        XCTAssertEqual(scenario.timeline.map(\.line), [7, 8, 9])
        XCTAssertEqual(
            scenario.timeline.map(\.action),
            [
                .start,
                .record(
                    to: "a.mov", fragmentInterval: CMTime(value: 1, timescale: 1),
                    maximumDuration: CMTime(value: 2, timescale: 1)), .interrupt(.notAvailableInBackground),
            ])
        XCTAssertEqual(scenario.timeline[1].time, CMTime(value: 1, timescale: 4))
    }

    func testAnUnknownKeyIsRefusedWithItsLineAndTheNearestName() {
        assertRefused([3: "sed: 4"], line: 3, key: "sed", "\"seed\"")
        assertRefused([4: "devices: {profil: webcam}"], line: 4, key: "devices.profil", "\"profile\"")
        assertRefused([7: "  - {at: 0 s, du: start}"], line: 7, key: "timeline[0].du", "\"do\"")
    }

    func testAnotherVersionIsRefused() {
        assertRefused([1: "scenario: 2"], line: 1, key: "scenario", "version 2")
        assertRefused([1: "# none"], line: 2, key: "", "\"scenario\" is missing")
        assertRefused([1: "scenarioo: 1"], line: 1, key: "scenarioo", "did you mean \"scenario\"?")
    }

    func testAnUnknownActionOrValueIsRefused() {
        assertRefused([7: "  - {at: 0 s, do: strat}"], line: 7, key: "timeline[0].do", "\"start\"")
        assertRefused(
            [9: "  - {at: 1 s, do: interrupt, reason: lunch}"], line: 9, key: "timeline[2].reason", "background")
        assertRefused(
            [5: "session: {preset: 1x1, outputs: [movie]}"], line: 5, key: "session.preset", "is not a valid value")
    }

    func testAKeyThatTheActionDoesNotUseIsRefused() {
        assertRefused(
            [7: "  - {at: 0 s, do: start, to: a.mov}"], line: 7, key: "timeline[0].to", "does not accept \"to\"")
        assertRefused([8: "  - {at: 250 ms, do: record}"], line: 8, key: "timeline[1]", "\"to\" is missing")
    }

    func testFaultsAreReadInTheTimelineAndAsScheduledFaults() throws {
        let scenario = try Scenario(
            yaml: text([
                4: "devices: {faults: [{device: phone.front, rate: 0.25, do: tear-frames, count: 2}]}",
                9: "  - {at: 1 s, do: alter-control, device: phone.front, control: zoom-factor, value: 1.5}",
            ]), file: "t.yaml")
        XCTAssertEqual(
            scenario.devices.faults,
            [
                Scenario.DeviceFault(
                    device: "phone.front", fault: ScheduledFault(.tearFrames(count: 2), at: .rate(0.25)), line: 4)
            ])
        XCTAssertEqual(
            scenario.timeline.last?.action,
            .fault(.alterControl(.zoomFactor, to: .number(1.5), count: 1), device: "phone.front"))
        let unplugged = try Scenario(
            yaml: text([9: "  - {at: 1 s, do: disconnect, device: phone.front, in-frame: true}"]), file: "t.yaml")
        XCTAssertEqual(unplugged.timeline.last?.action, .fault(.disconnect(inFrame: true), device: "phone.front"))
    }

    func testAWrongFaultIsRefusedWithItsLine() {
        func step(_ keys: String) -> [Int: String] { [9: "  - {at: 1 s, \(keys)}"] }
        assertRefused(
            step("do: freez-frames, device: a"), line: 9, key: "timeline[2].do", "did you mean \"freeze-frames\"")
        assertRefused(step("do: freeze-frames"), line: 9, key: "timeline[2]", "\"device\" is missing")
        assertRefused(
            step("do: freeze-frames, device: a, by: 1 s"), line: 9, key: "timeline[2].by", "\"by\"")
        assertRefused(
            step("do: freeze-frames, device: a, to: b"), line: 9, key: "timeline[2].to", "does not accept \"to\"")
        assertRefused(
            step("do: stall, device: a, for: 1"), line: 9, key: "timeline[2].for", "no unit")
        assertRefused(
            step("do: fail, device: a, code: flu"), line: 9, key: "timeline[2].code", "input-output")
        assertRefused(
            step("do: pressure, device: a, level: hot"), line: 9, key: "timeline[2].level", "shutdown")
        assertRefused(step("do: start, count: 3"), line: 9, key: "timeline[2].count", "does not accept \"count\"")
        func scheduled(_ keys: String) -> [Int: String] { [4: "devices: {faults: [{device: a, \(keys)}]}"] }
        assertRefused(scheduled("do: stall"), line: 4, key: "devices.faults[0]", "exactly one trigger")
        assertRefused(
            scheduled("at: 1 s, frame: 3, do: stall"), line: 4, key: "devices.faults[0]", "exactly one trigger")
        assertRefused(scheduled("rate: 2, do: stall"), line: 4, key: "devices.faults[0].rate", "out of range")
        assertRefused(
            scheduled("frame: 3, do: refuse-open"), line: 4, key: "devices.faults[0].frame", "triggered by a frame")
    }

    func testAllSeedsAreAccepted() throws {
        XCTAssertEqual(try Scenario(yaml: text([3: "seed: 18446744073709551615"]), file: "t.yaml").seed, .max)
        XCTAssertEqual(try Scenario(yaml: text([3: "seed: 0"]), file: "t.yaml").seed, 0)
        assertRefused([3: "seed: 18446744073709551616"], line: 3, key: "seed", "is out of range; write an integer")
        assertRefused([3: "seed: -1"], line: 3, key: "seed", "-1 is out of range")
        assertRefused([3: "seed: 1.5"], line: 3, key: "seed", "is not an integer")
    }

    func testADuplicateOutputIsRefused() {
        assertRefused(
            [5: "session:\n  outputs:\n    - movie\n    - photo\n    - movie"], line: 9, key: "session.outputs[2]",
            "\"movie\" is listed twice")
    }

    func testInvalidNumbersAreRefusedWithTheReason() {
        assertRefused([10: "end: 1/0 s"], line: 10, key: "end", "divides by zero")
        assertRefused([10: "end: .nan s"], line: 10, key: "end", "not a finite number")
        assertRefused([10: "end: 1e12 s"], line: 10, key: "end", "1e12 s is out of range")
    }

    func testTimesNeedAUnitAndAscendingOrder() {
        assertRefused([7: "  - {at: 0, do: start}"], line: 7, key: "timeline[0].at", "no unit")
        assertRefused([7: "  - {at: 3 s, do: start}"], line: 8, key: "timeline[1]", "sort the steps by time")
        assertRefused([10: "end: 0.5 s"], line: 10, key: "end", "before the last step")
    }

    func testAFileNameMustNotHaveAFolder() {
        assertRefused(
            [8: "  - {at: 250 ms, do: record, to: ../a.mov}"], line: 8, key: "timeline[1].to", "without folders")
    }

    func testInvalidYAMLIsRefused() {
        assertRefused([2: "name: [A"], line: 3, key: "", "not valid YAML")
    }
}
