import Foundation
import XCTest

/// `obscura play`.
final class PlayCommandTests: ObscuraTestCase {
    func testTheFramesOfARateAreWritten() throws {
        try FileManager.default.createDirectory(at: file("f"), withIntermediateDirectories: true)
        let movie = "m.mov"
        let recording = try obscura("record", movie, "--duration", "1s", "--size", "640x480", "--fps", "30")
        XCTAssertEqual(recording.status, 0, recording.errors)
        let report = try obscura("play", movie, "--rate", "2", "--frames", "f", "--json").object()
        let times = try XCTUnwrap(report["frames"] as? [Double])
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 1, accuracy: 0.1)
        XCTAssertEqual(times, times.sorted())
        XCTAssertEqual(times.count, 30)
        XCTAssertEqual((report["files"] as? [String])?.count, times.count)
        XCTAssertEqual(try probe(file("f/frame-00001.png"), "v", "stream=width,height"), ["640,480"])
        let reversed = try obscura("play", movie, "--rate", "-2", "--json").object()
        let back = try XCTUnwrap(reversed["frames"] as? [Double])
        XCTAssertEqual(back, back.sorted(by: >))
        XCTAssertEqual(try XCTUnwrap(back.last), 0, accuracy: 0.05)
        let fails = try obscura("play", "nope.mov")
        XCTAssertEqual(fails.status, 1)
        XCTAssertTrue(fails.errors.contains("nope.mov"), fails.errors)
        XCTAssertEqual(try obscura("play", movie, "--rate", "0").status, 64)
        let again = try obscura("play", movie, "--frames", "f")
        XCTAssertEqual(again.status, 1)
        XCTAssertTrue(again.errors.contains("frame-00001.png exists already"), again.errors)
    }

    func testTheSoundOfAMovieIsWritten() throws {
        let recording = try obscura(
            "record", "m.mov", "--duration", "1s", "--size", "640x480", "--fps", "30", "--sound", "tone")
        XCTAssertEqual(recording.status, 0, recording.errors)
        for (rate, seconds) in [("1", 1.0), ("2", 0.5)] {
            let name = "sound-\(rate).wav"
            let report = try obscura("play", "m.mov", "--rate", rate, "--sound", name, "--json").object()
            XCTAssertEqual(report["sound"] as? String, name)
            XCTAssertEqual(try probe(file(name), "a", "stream=sample_rate,channels"), ["48000,2"])
            let duration = try XCTUnwrap(try probe(file(name), "a", "stream=duration").first.flatMap(Double.init))
            XCTAssertEqual(duration, seconds, accuracy: 0.1)
            XCTAssertTrue(try Data(contentsOf: file(name)).suffix(48000).contains { $0 != 0 }, "silence")
        }
        XCTAssertEqual(try obscura("play", "m.mov", "--rate", "-1", "--sound", "back.wav").status, 64)
        let again = try obscura("play", "m.mov", "--sound", "sound-1.wav")
        XCTAssertEqual(again.status, 1)
        XCTAssertTrue(again.errors.contains("sound-1.wav exists already"), again.errors)
    }
}
