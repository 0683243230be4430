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
        let reversedTimes = try XCTUnwrap(reversed["frames"] as? [Double])
        XCTAssertEqual(reversedTimes, reversedTimes.sorted(by: >))
        XCTAssertEqual(try XCTUnwrap(reversedTimes.last), 0, accuracy: 0.05)
        let failure = try obscura("play", "nope.mov")
        XCTAssertEqual(failure.status, 1)
        XCTAssertTrue(failure.errors.contains("nope.mov"), failure.errors)
        XCTAssertEqual(try obscura("play", movie, "--rate", "0").status, 64)
        let secondResult = try obscura("play", movie, "--frames", "f")
        XCTAssertEqual(secondResult.status, 1)
        XCTAssertTrue(secondResult.errors.contains("frame-00001.png exists already"), secondResult.errors)
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
        // The tone keeps its pitch with time-domain; with varispeed, the pitch changes with the rate.
        let crossingRates = try [("time-domain", "fast.wav"), ("varispeed", "high.wav")].map { pitch, name in
            let result = try obscura("play", "m.mov", "--rate", "2", "--pitch", pitch, "--sound", name)
            XCTAssertEqual(result.status, 0, result.errors)
            return try crossings(file(name))
        }
        let original = try crossings(file("sound-1.wav"))
        XCTAssertEqual(crossingRates[0], original, accuracy: original * 0.05)
        XCTAssertEqual(crossingRates[1], original * 2, accuracy: original * 0.1)
        let secondResult = try obscura("play", "m.mov", "--sound", "sound-1.wav")
        XCTAssertEqual(secondResult.status, 1)
        XCTAssertTrue(secondResult.errors.contains("sound-1.wav exists already"), secondResult.errors)
    }

    /// Returns the number of rising zero crossings per second in the last quarter of a second of a WAV file's left
    /// channel. The samples are 32-bit floats in two channels.
    private func crossings(_ file: URL) throws -> Double {
        let samples = try Data(contentsOf: file).suffix(48_000 / 4 * 8).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
        }
        return Double(zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count) * 4
    }

    func testAMoviePlaysInRealTimeWithoutASoundDevice() throws {
        XCTAssertEqual(
            try obscura("record", "m.mov", "--duration", "1s", "--size", "640x480", "--fps", "30").status, 0)
        let report = try obscura("play", "m.mov", "--rate", "4", "--realtime", "--json").object()
        XCTAssertEqual(
            try XCTUnwrap(report["end"] as? Double), try XCTUnwrap(report["duration"] as? Double), accuracy: 0.001)
        XCTAssertEqual(report["start"] as? Double, 0)
        XCTAssertEqual(try obscura("play", "m.mov", "--realtime", "--sound", "s.wav").status, 64)
    }
}
