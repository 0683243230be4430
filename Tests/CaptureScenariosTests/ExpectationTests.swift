import AssetTypes
import MediaTypes
import StrictYAML
import TestSupport
import XCTest

@testable import CaptureScenarios

/// Tests the section `expect` of a scenario: its syntax and its verdicts.
final class ExpectationTests: XCTestCase {
    /// A session that is interrupted while it records, which then takes a photo.
    private static let scenario = """
        scenario: 1
        name: A call
        devices: {profile: webcam, scene: grey, sound: tone}
        session: {preset: 640x480, outputs: [movie, video, photo]}
        timeline:
          - {at: 0 s, do: start}
          - {at: 0.1 s, do: record, to: a.mov}
          - {at: 0.4 s, do: interrupt, reason: audio-in-use}
          - {at: 0.5 s, do: end-interruption, reason: audio-in-use}
          - {at: 0.6 s, do: photo, to: b.jpg}
        end: 0.8 s
        expect:

        """

    private func file(_ expectations: [String]) throws -> URL {
        let folder = try temporaryFolder()
        let url = folder.appendingPathComponent("s.yaml")
        try Data((Self.scenario + expectations.map { "  - {\($0)}\n" }.joined()).utf8).write(to: url)
        return url
    }

    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        return folder
    }

    func testTheVerdictsOfMetExpectationsAreMet() throws {
        let expectations = [
            "events: [\"recording did start a.mov\", session was interrupted, {event: session interruption ended, at: 0.5 s}]",
            "never: frame, from: 0.41 s, until: 0.49 s",
            "never: frame 1x1",
            "never: recording did pause a.mov",
            "count: photo did finish, is: 1",
            "error: session-was-interrupted, of: a.mov, at: 0.4 s",
            "notification: session-was-interrupted, reason: audio-in-use",
            "session: interrupted, from: 0.4 s, until: 0.5 s",
            "session: running, lasts: [0.69 s, 0.71 s]",
            "recording: recording, at: 0.3 s",
            "device: webcam.camera, is: connected, from: 0 s, until: 0.8 s",
            "movie: a.mov, duration: [0.2 s, 0.3 s], frames: [6, 10], longest-gap: [0.03 s, 0.035 s], size: 640x480, "
                + "rotation: 0, tracks: [video, audio, timecode], playable: true",
            "photo: b.jpg, size: 640x480, brightness: [0.3, 0.7], neutral: 0.05, codes: [], make: Obscura",
            "frame: a.mov, time: 0.1 s, neutral: 0.05",
        ]
        let result = try ScenarioFile(path: file(expectations).path).run()
        for verdict in result.verdicts { XCTAssertTrue(verdict.isMet, verdict.lines.joined(separator: "\n")) }
        XCTAssertEqual(result.verdicts.map(\.line), Array(13..<13 + expectations.count))
        XCTAssertEqual(result.goldenLog, .unneeded)
        XCTAssertTrue(result.isMet)
    }

    func testTheVerdictsOfUnmetExpectationsDescribeTheResult() throws {
        let cases = [
            (
                "events: [session was interrupted, \"recording did start a.mov\"]",
                "but not after \"session was interrupted"
            ),
            ("events: [{event: session was interrupted, at: 0.2 s}]", "\"session was interrupted\" occurred at 0.4 s"),
            ("never: photo", "\"photo will begin\" at 0.6 s"),
            ("count: photo did finish, is: 2", "it occurred 1 times"),
            ("error: disk-full, of: a.mov", "recording did finish a.mov sessionWasInterrupted (-11818)"),
            ("error: none, of: a.mov", "sessionWasInterrupted"),
            ("session: running, from: 0 s, until: 0.8 s", "it was interrupted from 0.4 s until 0.5 s"),
            ("recording: recording, at: 0.6 s", "it was idle from 0.4 s until the end"),
            ("device: webcam.camera, is: disconnected, at: 0.3 s", "it was connected"),
            ("never: device disconnected webcam.camra", "did you mean \"webcam.camera\""),
            ("movie: a.mov, duration: 5 s", "duration 0."),
            ("movie: a.mov, tracks: [video]", "tracks video, audio"),
            ("movie: a.mov, exists: false", "it exists"),
            ("photo: b.jpg, brightness: [0.9, 1]", "brightness 0."),
            ("photo: b.jpg, codes: [hello]", "no codes"),
            ("photo: b.jpg, iso: 5", "iso "),
            ("photo: b.jpg, golden: missing.png", "keep the photo with 'obscura replay --keep'"),
            ("photo: b.jpg, exists: false", "it exists"),
            ("log: golden", "there is no golden log"),
        ]
        let result = try ScenarioFile(path: file(cases.map(\.0)).path).run()
        XCTAssertFalse(result.isMet)
        for (verdict, (expectation, seen)) in zip(result.verdicts, cases) {
            XCTAssertFalse(verdict.isMet, expectation)
            XCTAssertTrue(verdict.seen.contains(seen), "\(expectation): \(verdict.seen)")
        }
        XCTAssertTrue(result.verdicts[6].logExcerpt.contains { $0.contains("session was interrupted") })
    }

    /// Plays the scenario with a space in the name of the movie.
    private func resultWithSpaceInFileName(_ expectation: String) throws -> ScenarioResult {
        let url = try file([expectation])
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "a.mov", with: "my clip.mov").utf8).write(to: url)
        return try ScenarioFile(path: url.path).run()
    }

    func testAnUnmetExpectationOfAFileWhoseNameHasSpacesShowsItsEvents() throws {
        let verdict = try XCTUnwrap(resultWithSpaceInFileName("movie: a.mov, duration: [9 s, 10 s]").verdicts.first)
        XCTAssertFalse(verdict.isMet)
        XCTAssertTrue(verdict.logExcerpt.contains { $0.contains("recording did finish my clip.mov") }, "\(verdict)")
    }

    func testAnExpectedEventCanNameAFileWithSpaces() throws {
        let verdict = try XCTUnwrap(
            resultWithSpaceInFileName("events: [\"recording did start a.mov\"]").verdicts.first)
        XCTAssertTrue(verdict.isMet, "\(verdict)")
    }

    func testErrorsOfCameraSettingsMeetExpectationsOfErrors() throws {
        let yaml = """
            scenario: 1
            name: A hot camera and a lost one
            devices: {profile: phone, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [movie]}
            timeline:
              - {at: 0 s, do: pressure, device: phone.back-wide, level: serious}
              - {at: 0.1 s, do: torch, level: 1}
              - {at: 0.2 s, do: disconnect, device: phone.back-wide}
              - {at: 0.3 s, do: zoom, factor: 2}
            end: 0.4 s
            expect:
              - {error: torch-level-unavailable, at: 0.1 s}
              - {error: device-not-connected, at: 0.3 s}
              - {count: cannot set torch, is: 1}
              - {count: cannot lock phone.back-wide, is: 1}
              - {error: torch-level-unavailable, from: 0.2 s, until: 0.4 s}

            """
        let url = try temporaryFolder().appendingPathComponent("s.yaml")
        try Data(yaml.utf8).write(to: url)
        XCTAssertEqual(try ScenarioFile(path: url.path).run().verdicts.map(\.isMet), [true, true, true, true, false])
    }

    func testMistakesAreReportedWithLineAndSuggestion() throws {
        let cases = [
            ("evnts: [frame]", "events"),
            ("never: session was interruptd", "session was interrupted"),
            ("never: \"> strt\"", "start"),
            ("never: frame droped", "did you mean \"frame dropped\""),
            ("never: photo faild", "did you mean \"photo failed\""),
            ("never: photo c.jpg", "photo b.jpg"),
            ("count: recording did finish aa.mov, is: 0", "recording did finish a.mov"),
            ("never: session was interrupted audio-in-us", "session was interrupted audio-in-use"),
            ("events: [{event: session did stop running now}]", "write \"session did stop running\""),
            ("error: disk-ful", "disk-full"),
            ("error: none", "add \"of:\""),
            ("session: runing, at: 0 s", "running"),
            ("session: running", "\"at\""),
            ("session: running, at: 2 s", "the scenario ends before"),
            ("session: running, at: 0.1 s, from: 0 s", "excludes"),
            ("movie: a.mov, tracks: [vidoe]", "video"),
            ("movie: a.mov, duration: 5", "add one: s"),
            ("movie: a.mov, brightness: 0.5", "does not accept \"brightness\""),
            ("movie: a.mov, exists: false, frames: 3", "does not exist"),
            ("photo: b.jpg, psnr: 30 dB", "golden"),
            ("photo: b.jpg, region: [0, 0, 2, 2]", "0"),
            ("photo: c.jpg, exists: false", "no step writes the file \"c.jpg\"; did you mean \"b.jpg\"?"),
            ("movie: b.jpg", "valid names are a.mov"),
            ("frame: aa.mov, time: 0 s", "did you mean \"a.mov\"?"),
            ("error: disk-full, of: sesion", "did you mean \"session\"?"),
            ("movie: a.mov, photo: b.jpg", "two expectations"),
            ("at: 0 s", "the expectation has no subject"),
            ("device: webcam.camra, is: connected, at: 0.3 s", "did you mean \"webcam.camera\"?"),
            ("log: gold", "golden"),
        ]
        for (expectation, text) in cases {
            XCTAssertThrowsError(try ScenarioFile(path: file([expectation]).path), expectation) { error in
                guard let error = error as? YAMLError else { return XCTFail("\(expectation): \(error)") }
                XCTAssertEqual(error.line, 13, "\(expectation): \(error)")
                XCTAssertTrue(error.description.contains(text), "\(expectation): \(error)")
            }
        }
    }

    func testAGoldenPictureIsComparedWithTolerance() throws {
        let url = try file(["photo: b.jpg, golden: b.jpg, psnr: 30 dB, ssim: 0.9"])
        let golden = url.deletingLastPathComponent().appendingPathComponent("b.jpg")
        let scenario = try ScenarioFile(path: url.path)
        let first = try scenario.run { folder in
            try FileManager.default.copyItem(at: folder.appendingPathComponent("b.jpg"), to: golden)
        }
        XCTAssertFalse(first.isMet, "there was no golden picture")
        XCTAssertEqual(try scenario.run().verdicts.map(\.seen), ["equal"])
    }

    func testAllErrorCodesHaveDifferentNames() {
        let names = AVError.Code.scenarioNames.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertTrue(names.contains("disk-full"))
        XCTAssertTrue(names.contains("device-was-disconnected"))
    }
}
