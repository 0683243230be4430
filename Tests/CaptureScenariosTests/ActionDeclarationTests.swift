import Foundation
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests the table of actions: that each action is read, logged, written and documented.
final class ActionDeclarationTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The scenarios of the repository.
    static func fixtures() throws -> [URL] {
        try FileManager.default
            .contentsOfDirectory(
                at: root.appendingPathComponent("Fixtures/Scenarios"), includingPropertiesForKeys: nil
            )
            .filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
    }

    /// At least one step of each action, except camera settings and faults, and its text in the log.
    private static let steps: [(yaml: String, log: String)] = [
        ("start", "start"), ("stop", "stop"), ("begin-configuration", "begin-configuration"),
        ("commit-configuration", "commit-configuration"), ("preset, preset: 640x480", "preset 640x480"),
        ("switch-camera, device: a.b", "switch-camera a.b"), ("add-input, device: a.b", "add-input a.b"),
        ("remove-input, device: a.b", "remove-input a.b"), ("add-output, output: photo", "add-output photo"),
        ("remove-output, output: movie", "remove-output movie"), ("enable, output: video", "enable video"),
        ("disable, output: audio", "disable audio"), ("record, to: a.mov", "record a.mov"),
        (
            "record, to: a.mov, fragment-interval: 0.5 s, maximum-duration: 2 s",
            "record a.mov fragments 0.5 s at most 2.0 s"
        ),
        ("photo, to: a.jpg", "photo a.jpg"),
        (
            "photo, to: a.jpg, flash-mode: on, quality-prioritization: speed, depth-data-delivery: true",
            "photo a.jpg flash-mode on quality-prioritization speed depth-data-delivery true"
        ),
        ("callback-duration, duration: 50 ms", "callback-duration 0.05 s"),
        (
            "video-stabilization, output: movie, mode: cinematic-extended",
            "video-stabilization movie cinematic-extended"
        ),
        ("video-mirrored, output: video, enabled: true", "video-mirrored video true"),
        ("video-rotation-angle, output: video, angle: 90", "video-rotation-angle video 90"),
        ("answer, resource: video, answer: denied, after: 2 s", "answer video denied after 2.0 s"),
        ("answer, resource: audio, answer: never", "answer audio never"),
        ("request-authorization, resource: video", "request-authorization video"),
        ("light, illuminance: 5 lx, temperature: 3000 K, over: 0.5 s", "light 5.0 lx 3000.0 K over 0.5 s"),
        ("light, temperature: 3000 K", "light 3000.0 K"),
        ("add-output, output: metadata", "add-output metadata"), ("add-output, output: depth", "add-output depth"),
        ("stop-recording", "stop-recording"), ("pause-recording", "pause-recording"),
        ("resume-recording", "resume-recording"),
        ("interrupt, reason: audio-in-use", "interrupt audio-in-use"),
        ("end-interruption, reason: background", "end-interruption background"),
        ("reset-media-services", "reset-media-services"),
        ("authorize, resource: photo-library, state: not-determined", "authorize photo-library not-determined"),
        ("rotate, orientation: face-up", "rotate face-up"), ("free, bytes: 5 MB", "free 5000000 B"),
        ("disconnect, device: a.b", "disconnect a.b"), ("reconnect, device: a.b", "reconnect a.b"),
        ("take-device, device: a.b", "take-device a.b"), ("return-device, device: a.b", "return-device a.b"),
        ("close-shutter, device: a.b", "close-shutter a.b"), ("open-shutter, device: a.b", "open-shutter a.b"),
        (
            "end-interruption, reason: audio-in-use, should-resume: false",
            "end-interruption audio-in-use without should-resume"
        ),
        ("scene-object, object: person-1, x: 1.5 m, over: 2 s", "scene-object person-1 x 1.5 m over 2.0 s"),
        ("scene-object, object: qr, y: -10 cm, visible: true", "scene-object qr y -0.1 m visible"),
        ("scene-object, object: my code, visible: false", "scene-object my code hidden"),
        ("scene, scene: night", "scene night"), ("enter-background", "enter-background"),
        ("enter-foreground", "enter-foreground"),
        ("system-pressure, level: serious", "system-pressure serious [system-temperature]"),
        ("system-pressure, level: nominal", "system-pressure nominal"),
        ("system-pressure, level: fair, factors: [peak-power]", "system-pressure fair [peak-power]"),
        (
            "audio-session-category, category: record, mode: measurement, options: [duck-others]",
            "audio-session-category record measurement [duck-others]"
        ), ("audio-session-active, active: true", "audio-session-active true"),
        ("create-asset, file: a.mov, album: Best of", "create-asset a.mov in Best of"),
        ("create-asset, file: a.jpg", "create-asset a.jpg"), ("fetch-assets", "fetch-assets"),
        ("photo-library, available: false", "photo-library unavailable"),
        ("pick-photos, newest: 2, after: 3 s", "pick-photos photos newest 2 after 3.0 s"),
        ("pick-photos, picker: limited-library", "pick-photos limited-library cancel"),
        ("authorize, resource: photo-library, state: limited", "authorize photo-library limited"),
        ("answer, resource: photo-library, answer: limited", "answer photo-library limited"),
        ("app, action: flip, value: front", "app flip front"), ("app, action: flip", "app flip"),
    ]

    /// At least one step of each fault.
    private static let faults = [
        "drop-frames, count: 2", "delay-frames, by: 80 ms, count: 2", "duplicate-frames", "swap-times", "tear-frames",
        "green-frames", "freeze-frames", "resize-frames", "noise-burst, for: 1 s", "silence, for: 1 s",
        "overrun, for: 1 s", "stall", "stall, for: 1 s", "fail, code: busy", "drift-clock, by: -20.5 ppm",
        "jump-clock, by: -2 s", "disconnect, in-frame: true", "refuse-open, count: 3", "refuse-start, code: busy",
        "slow-start, by: 1 s", "fail-control, control: zoom-factor",
        "alter-control, control: zoom-factor, value: 1.5", "alter-control, control: focus-mode, value: continuous-auto",
        "alter-control, control: focus-point, value: [0.5, 0.25]",
        "alter-control, control: video-stabilization, value: cinematic-extended",
        "alter-control, control: focus-range, value: near", "alter-control, control: flash, value: true",
        "pressure, level: serious",
    ]

    private func scenario(_ steps: [String], faults: [String] = []) throws -> Scenario {
        try Scenario(
            yaml: """
                scenario: 1
                name: Actions
                devices: {faults: [\(faults.map { "{\($0)}" }.joined(separator: ", "))]}
                session: {outputs: [video]}
                timeline:
                \(steps.map { "  - {at: 0 s, do: \($0)}" }.joined(separator: "\n"))
                end: 1 s
                """, file: "t.yaml")
    }

    func testEachActionIsReadLoggedAndWritten() throws {
        let names = Set(Self.steps.map { String($0.yaml.prefix { $0 != "," }) })
        XCTAssertEqual(
            names, Set(ActionDeclaration.all.filter { $0.group != .camera && $0.group != .faults }.map(\.name)))
        let scenario = try scenario(Self.steps.map(\.yaml))
        XCTAssertEqual(scenario.timeline.map { "\($0.action)" }, Self.steps.map(\.log))
        XCTAssertEqual(
            try Scenario(yaml: scenario.yaml, file: "t.yaml").timeline.map(\.action), scenario.timeline.map(\.action))
    }

    func testEachFaultIsReadAndWritten() throws {
        let names = Set(Self.faults.map { String($0.prefix { $0 != "," }) })
        XCTAssertEqual(names, Set(ActionDeclaration.faults.map(\.name)))
        let scenario = try scenario(
            Self.faults.map { "\($0), device: a.b" },
            faults: [
                "device: a, at: 1 s, do: stall", "device: b, frame: 3, do: tear-frames",
                "device: c, rate: 0.125, do: fail",
            ])
        let reread = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(reread.timeline.map(\.action), scenario.timeline.map(\.action))
        XCTAssertEqual(reread.devices.faults.map(\.fault), scenario.devices.faults.map(\.fault))
        XCTAssertEqual(reread.devices.faults.map(\.device), ["a", "b", "c"])
    }

    /// Removes line numbers and file names, which differ between the original file and the written one.
    private func withoutLines(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        for index in scenario.timeline.indices { scenario.timeline[index].line = 0 }
        for index in scenario.devices.faults.indices { scenario.devices.faults[index].line = 0 }
        for index in scenario.expectations.indices {
            (scenario.expectations[index].file, scenario.expectations[index].line) = ("", 0)
        }
        return scenario
    }

    func testEachScenarioOfTheLibraryIsUnchangedAfterWritingAndReading() throws {
        let files = try Self.fixtures()
        XCTAssertGreaterThan(files.count, 15)
        for file in files {
            let scenario = try Scenario(yaml: String(contentsOf: file, encoding: .utf8), file: file.path)
            let written = try Scenario(yaml: scenario.yaml, file: file.lastPathComponent)
            XCTAssertEqual(withoutLines(written), withoutLines(scenario), scenario.yaml)
        }
    }

    func testEachKindOfExpectationIsUnchangedAfterWritingAndReading() throws {
        let expectations = """
              - events: [session was interrupted, {event: "frame", from: 0.25 s}]
              - {never: "frame dropped", from: 0.1 s, until: 0.2 s}
              - {count: frame, is: [2, 4]}
              - {error: disk-full, of: a.mov, at: 0.5 s}
              - {error: none, of: a.mov}
              - {notification: session-was-interrupted, reason: audio-in-use}
              - {session: running, at: 0.5 s}
              - {recording: paused, lasts: [0.1 s, 0.2 s]}
              - {device: phone.front, is: connected, from: 0 s, until: 1 s}
              - {movie: a.mov, duration: [1.1 s, 1.3 s], frames: 3, longest-gap: [0 s, 0.034 s], size: 640x480,
                 rotation: 90, tracks: [video, audio], playable: true}
              - {movie: a.mov, exists: false}
              - {photo: a.jpg, size: 640x480, region: [0.1, 0.1, 0.5, 0.5], brightness: [0.2, 0.3], sharpness: [1, 9],
                 mean-color: [0.1, 0.2, 0.3], color-tolerance: 0.1, neutral: 0.05, codes: ["a \\"b\\""],
                 golden: a.png, psnr: 30 dB, ssim: 0.9, iso: [50, 100], exposure-time: [1/100 s, 1/50 s], f-number: 1.8,
                 exposure-bias: -1.5, focal-length: 4 mm, focal-length-35mm: [24 mm, 28 mm], make: Q, model: P,
                 flash-fired: false}
              - {frame: a.mov, time: 0.5 s, brightness: 0.5}
              - {library: movies, is: [1, 2], album: "Best of", added: true, duration: [1 s, 2 s], size: 640x480,
                 favorite: false, hidden: true}
              - {library: albums, is: 0}
              - {log: golden}
            """
        let scenario = try Scenario(
            yaml: """
                scenario: 1
                name: Expectations
                session: {outputs: [movie, photo]}
                timeline: [{at: 0 s, do: record, to: a.mov}, {at: 0 s, do: photo, to: a.jpg}]
                end: 1 s
                expect:
                \(expectations)
                """, file: "t.yaml")
        XCTAssertEqual(scenario.expectations.count, 16)
        XCTAssertEqual(withoutLines(try Scenario(yaml: scenario.yaml, file: "t.yaml")), withoutLines(scenario))
    }

    func testThePageOfScenariosDocumentsEachAction() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/scenarios.md"), encoding: .utf8)
        for group in ActionDeclaration.Group.allCases where group != .faults {
            let rows = ActionDeclaration.all.filter { $0.group == group }.map { declaration in
                let keys = declaration.keys.map { "`\($0.name)`: \($0.values)" }.joined(separator: "<br>")
                return "| `\(declaration.name)` | \(keys) | \(declaration.summary) |".replacing("|  |", with: "| |")
            }
            let table = (["| Action | Keys | Effect |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
            XCTAssertTrue(page.contains("\n\n\(table)\n\n"), "docs/scenarios.md does not contain this table:\n\(table)")
        }
    }

    func testThePageOfFaultsDocumentsTheEffectOfEachFault() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/faults.md"), encoding: .utf8)
        for declaration in ActionDeclaration.faults {
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `\(declaration.name)` |") }
            XCTAssertEqual(rows.count, 1, declaration.name)
            XCTAssertTrue(rows.first?.hasSuffix("| \(declaration.summary) |") ?? false, declaration.name)
        }
        XCTAssertEqual(Set(ActionDeclaration.all.map(\.summary)).count, ActionDeclaration.all.count)
    }

    func testTheExplanationContainsTheEffectOfEachFault() throws {
        let scenario = try scenario(
            ["freeze-frames, count: 3, device: a.b", "disconnect, device: a.b"],
            faults: ["device: a.b, frame: 3, do: tear-frames"])
        for text in [
            "Cameras: the previous frame again, with new timestamps (device: a.b, count: 3).",
            "The device is unplugged (device: a.b).",
            "At frame 3: cameras: below a certain row, frames show the previous frame (device: a.b, count: 1).",
        ] {
            XCTAssertTrue(scenario.explanation.contains(text), "no \(text) in \(scenario.explanation)")
        }
    }

    /// Doubles the first letter of each key, action and other name in the scenarios, one occurrence at a time.
    func testATypoAnywhereInAScenarioIsReportedWithItsLineAndTheCorrectName() throws {
        let files = try Self.fixtures()
        let namePattern = try NSRegularExpression(
            pattern: "(?<![.])\\b([a-z][A-Za-z-]*):(?= |$)|"
                + "(?<=(?:do|mode|reason|preset|orientation|sound|error|notification|session|recording|is|resource|state|"
                + "output|profile|scene|object|device|camera|answer|audio|photo-library|library|level|category|file): )([a-z][a-z0-9.-]*|[0-9]+x[0-9]+)(?=[,}]|$)|(?<=outputs: \\[|factors: \\[)([a-z-]+)"
        )
        var count = 0
        // The number of occurrences of each name. Only the first three are tested: most names occur in many scenarios.
        var counts: [String: Int] = [:]
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
                for match in namePattern.matches(in: line, range: NSRange(line.startIndex..., in: line)) {
                    let group = try XCTUnwrap((1...3).first { match.range(at: $0).location != NSNotFound })
                    let range = try XCTUnwrap(Range(match.range(at: group), in: line))
                    let name = String(line[range])
                    counts["\(group) \(name)", default: 0] += 1
                    guard counts["\(group) \(name)", default: 0] <= 3 else { continue }
                    var broken = lines
                    broken[index].replaceSubrange(range, with: "\(name.prefix(1))\(name)")
                    count += 1
                    XCTAssertThrowsError(
                        try ScenarioDocument(text: broken.joined(separator: "\n"), file: file.path)
                            .scenario([], checksNames: true), broken[index]
                    ) { error in
                        guard let error = error as? YAMLError else { return XCTFail("\(error)") }
                        XCTAssertEqual(error.line, index + 1, "\(broken[index]): \(error)")
                        XCTAssertTrue(
                            error.description.contains("did you mean \"\(name)\"?"), "\(broken[index]): \(error)")
                    }
                }
            }
        }
        XCTAssertGreaterThan(count, 200)
    }
}
