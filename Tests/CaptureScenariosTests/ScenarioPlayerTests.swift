import Dispatch
import Foundation
import XCTest

@testable import CaptureScenarios

final class ScenarioPlayerTests: XCTestCase {
    private let yaml = """
        scenario: 1
        name: Short
        seed: 4
        devices: {profile: webcam, scene: grey, marker: true}
        session: {preset: 640x480, outputs: [video, audio, movie, photo]}
        timeline:
          - {at: 0 s, do: start}
          - {at: 0 s, do: record, to: a.mov}
          - {at: 100 ms, do: photo, to: a.jpg}
          - {at: 200 ms, do: stop-recording}
        end: 300 ms
        """

    private static func play(_ yaml: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        return try ScenarioPlayer(Scenario(yaml: yaml, file: "t.yaml"), folder: folder).play().log
    }

    func testTheSameScenarioYieldsTheSameLog() throws {
        let expected = try Self.play(yaml)
        XCTAssertTrue(expected.contains { $0.contains("file a.mov") }, "\(expected)")
        XCTAssertTrue(expected.contains { $0.contains("file a.jpg") })
        XCTAssertTrue(expected.contains { $0.contains(" frame 3 640x480") })
        for _ in 0..<5 { XCTAssertNil(LogDifference(expected: expected, actual: try Self.play(yaml))) }
    }

    func testWorkThatClientCodeSubmitsRunsInTheTimeOfTheScenario() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let player = try ScenarioPlayer(Scenario(yaml: yaml, file: "t.yaml"), folder: folder)
        let log = player.log
        let queue = DispatchQueue(label: "client")
        let outcome = try player.play { _, _, stage in
            guard case .ready = stage else { return }
            queue.asyncAfter(deadline: .now() + .milliseconds(150)) {
                log.note("delayed")
                queue.async { log.note("submitted") }
            }
        }
        XCTAssertEqual(
            outcome.log.filter { $0.contains("delayed") || $0.contains("submitted") },
            ["0.150000 delayed", "0.150000 submitted"])
    }

    func testAPhotoTakesTheVirtualTimeOfItsProfile() throws {
        let log = try Self.play(yaml)
        func time(_ event: String) throws -> Double {
            let line = try XCTUnwrap(log.first { $0.hasSuffix(event) }, "\(log)")
            return try XCTUnwrap(Double(line.prefix { $0 != " " }))
        }
        XCTAssertEqual(try time("photo did finish") - time("photo will capture"), 0.02, accuracy: 1e-5)
    }

    func testFramesOfAScenarioHaveNoMarkerUnlessRequested() throws {
        let log = try Self.play(yaml.replacingOccurrences(of: ", marker: true", with: ""))
        XCTAssertTrue(log.contains { $0.contains(" frame 640x480 ") }, "\(log)")
        XCTAssertFalse(log.contains { $0.contains(" frame ? ") }, "\(log)")
    }

    func testAnotherSeedYieldsDifferentPixels() throws {
        let other = yaml.replacingOccurrences(of: "seed: 4", with: "seed: 5")
        XCTAssertNotNil(LogDifference(expected: try Self.play(yaml), actual: try Self.play(other)))
    }

    func testAnUnknownProfileSceneOrCameraIsAnError() {
        for (old, new, text) in [
            ("webcam", "toaster", "no profile"), ("grey", "moon", "no scene"),
            ("preset: 640x480", "preset: 640x480, camera: eye", "no camera"),
        ] {
            XCTAssertThrowsError(try Self.play(yaml.replacingOccurrences(of: old, with: new))) { error in
                XCTAssertTrue("\(error)".contains(text), "\(error)")
            }
        }
    }

    func testSystemPressureIsLoggedForTheCamerasOfTheSession() throws {
        let log = try Self.play(
            """
            scenario: 1
            name: Heat
            devices: {profile: phone, scene: grey}
            session: {preset: 640x480, camera: phone.front, microphone: false, outputs: [movie]}
            timeline:
              - {at: 0.1 s, do: system-pressure, level: serious, factors: [peak-power, system-temperature]}
              - {at: 0.2 s, do: pressure, device: phone.back-wide, level: critical}
              - {at: 0.3 s, do: system-pressure, level: nominal}
              - {at: 0.4 s, do: close-shutter, device: phone.front}
            end: 0.5 s
            """)
        XCTAssertEqual(
            log.filter { $0.contains(" system pressure ") },
            [
                "0.100000 system pressure serious phone.front system-temperature peak-power",
                "0.300000 system pressure nominal phone.front",
            ])
    }

    func testAStepThatTheHostRefusesIsLogged() throws {
        let other = yaml.replacingOccurrences(of: "do: stop-recording", with: "do: disconnect, device: toaster")
        XCTAssertTrue(try Self.play(other).contains { $0.contains("0.200000 refused: ") })
    }
}
