import XCTest

@testable import CaptureScenarios

/// Tests which parts of a scenario `--minimize` removes.
final class ScenarioReductionTests: XCTestCase {
    private func scenario(_ lines: [String]) throws -> Scenario {
        try Scenario(yaml: (["scenario: 1", "name: Long"] + lines).joined(separator: "\n"), file: "long.yaml")
    }

    private let cameras = [
        "session:",
        "  outputs: [audio]",
        "  cameras:",
        "    - {device: phone.back-wide, outputs: [video, movie]}",
        "    - {device: phone.front, size: 640x480, outputs: [movie, metadata, photo]}",
        "    - {device: phone.back-ultra-wide, outputs: [video]}",
        "timeline:",
        "  - {at: 0 s, do: start}",
        "  - {at: 0.1 s, do: record, to: a.mov, camera: phone.back-wide}",
        "  - {at: 0.2 s, do: record, to: b.mov, camera: phone.front}",
        "end: 1 s",
        "expect:",
        "  - {recording: recording, camera: phone.front, at: 0.5 s}",
    ]

    func testASessionWithSeveralCamerasIsReducedToTheRelevantCamera() throws {
        let scenario = try scenario(cameras)
        let reduced = scenario.reduced { candidate in
            // A candidate that cannot be read is rejected.
            (try? Scenario(yaml: candidate.yaml, file: "short.yaml")) != nil
                && candidate.timeline.contains { $0.action == scenario.timeline[2].action }
        }
        XCTAssertEqual(reduced.session.cameras, [])
        XCTAssertEqual(reduced.session.camera, "phone.front")
        XCTAssertEqual(reduced.session.preset, "AVCaptureSessionPreset640x480")
        XCTAssertEqual(reduced.session.outputs.count, 1)
        XCTAssertEqual(reduced.timeline.map(\.line), [scenario.timeline[2].line])
        XCTAssertEqual(reduced.timeline.map(\.camera), [nil])
        XCTAssertEqual(reduced.expectations.map(\.summary), ["the movie output is recording at 0.5 s"])
    }

    func testAllRelevantCamerasRemainWithTheirRelevantOutputs() throws {
        let scenario = try scenario(cameras)
        let reduced = scenario.reduced { candidate in
            let steps = candidate.timeline.compactMap(\.camera)
            return steps == ["phone.back-wide", "phone.front"]
                && candidate.session.cameras.contains { $0.outputs.contains(.photo) }
        }
        XCTAssertEqual(
            reduced.session.cameras,
            [
                Scenario.Session.Camera(device: "phone.back-wide", outputs: [.movie]),
                Scenario.Session.Camera(device: "phone.front", size: [640, 480], outputs: [.photo]),
            ])
        XCTAssertEqual(reduced.session.outputs, [])
    }

    func testIrrelevantAssetsAndAlbumsOfTheLibraryAreRemoved() throws {
        let scenario = try scenario([
            "devices:",
            "  library:",
            "    assets:",
            "      - {photo: 640x480, count: 3}",
            "      - {movie: 320x240, duration: 2 s}",
            "      - {photo: 320x240, count: 5, albums: [Trips]}",
            "    albums: [Empty, Full]",
            "session: {outputs: [photo]}",
            "timeline: [{at: 0 s, do: fetch-assets}]",
            "end: 1 s",
        ])
        let reduced = scenario.reduced { $0.devices.library?.assets.contains { $0.albums == ["Trips"] } ?? false }
        let library = try XCTUnwrap(reduced.devices.library)
        XCTAssertEqual(library.assets.map(\.count), [1])
        XCTAssertEqual(library.assets.map(\.albums), [["Trips"]])
        XCTAssertEqual(library.albums, [])
        XCTAssertNil(scenario.reduced { _ in true }.devices.library)
    }
}
