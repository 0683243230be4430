import Foundation
import XCTest

/// `obscura edit`.
final class EditCommandTests: ObscuraTestCase {
    private func record(_ movie: String, _ arguments: String...) throws {
        let recording = try run(
            Self.tool, ["record", movie, "--duration", "3s", "--size", "640x480", "--fps", "30"] + arguments)
        XCTAssertEqual(recording.status, 0, recording.errors)
    }

    func testTheMiddleSecondIsSlowedDownWithoutEncoding() throws {
        try record("in.mov", "--sound", "tone")
        let report = try obscura("edit", "in.mov", "out.mov", "--range", "1s..2s", "--speed", "0.125", "--json")
            .object()
        let recorded = try probe(file("in.mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
        XCTAssertEqual(report["frames"] as? Int, recorded.count)
        let times = try probe(file("out.mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
        XCTAssertEqual(times.count, recorded.count)
        for (time, old) in zip(times, recorded) {
            let expected = old < 1 ? old : old < 2 ? 1 + (old - 1) * 8 : old + 7
            XCTAssertEqual(time, expected, accuracy: 2e-5)
        }
        XCTAssertEqual(
            try probe(file("in.mov"), "v", "packet=size"), try probe(file("out.mov"), "v", "packet=size"))
        try assertDecodes(file("out.mov"))
        let duration = try XCTUnwrap(report["duration"] as? Double)
        let audioDurations = try probe(file("out.mov"), "a", "stream=duration").compactMap(Double.init)
        XCTAssertEqual(try XCTUnwrap(audioDurations.first), duration, accuracy: 0.1)
    }

    func testARangeIsExtractedExactly() throws {
        try record("in.mov")
        let outcome = try obscura("edit", "in.mov", "out.mp4", "--range", "500ms..1.5s")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.text, "out.mp4: 1.000 s, 30 frames\n")
        XCTAssertEqual(try probe(file("out.mp4"), "v", "frame=best_effort_timestamp_time").count, 30)
        try assertDecodes(file("out.mp4"))
    }

    func testAConstantRateIsEncoded() throws {
        try record("in.mov")
        let outcome = try obscura(
            "edit", "in.mov", "out.mov", "--range", "1s..2s", "--speed", "0.5", "--constant-fps", "15")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let times = try probe(file("out.mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
        XCTAssertEqual(times.count, 60)
        for (index, time) in times.enumerated() { XCTAssertEqual(time, Double(index) / 15, accuracy: 2e-6) }
        try assertDecodes(file("out.mov"))
        try assertFails(64, "edit", "in.mov", "b.mov", "--constant-fps", "0", containing: ["a frame rate is a number"])
    }

    /// Runs ffmpeg in the folder of the test.
    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try run(
            URL(fileURLWithPath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
    }

    func testARangeExtendsToTheEndOfMoviesOfAllTimeScales() throws {
        for timescale in ["600", "1001", "44100", "48000", "90000"] {
            let movie = "\(timescale).mp4"
            try ffmpeg(
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=3", "-c:v", "libx264", "-preset", "ultrafast",
                "-movie_timescale", timescale, movie)
            let outcome = try obscura("edit", movie, "out-\(movie)", "--range", "500ms..")
            XCTAssertEqual(outcome.text, "out-\(movie): 2.500 s, 75 frames\n", outcome.errors)
            let start = try obscura("edit", movie, "start-\(movie)", "--range", "333.333333ms..3s")
            XCTAssertEqual(start.text, "start-\(movie): 2.667 s, 80 frames\n", start.errors)
        }
        try assertFails(
            1, "edit", "600.mp4", "out.mp4", "--range", "2s..1s",
            containing: ["the range ends at 1 s, which is not after its start at 2 s"])
        try assertFails(
            1, "edit", "600.mp4", "out.mp4", "--range", "1s..3.0004s",
            containing: ["the range ends at 3.0004 s, but 600.mp4 lasts only 3 s"])
    }

    func testErrorsNameTheInvalidArgument() throws {
        try record("in.mov")
        try assertFails(64, "edit", "in.mov", "out.avi", containing: ["must end in .m4v, .mov or .mp4"])
        try assertFails(
            64, "edit", "in.mov", "out.mov", "--speed", "0", containing: ["--speed must be from 0.01 to 100"])
        try assertFails(64, "edit", "in.mov", "out.mov", "--range", "1..2", containing: ["a number with a unit"])
        try assertFails(64, "edit", "in.mov", "out.mov", "--range", "1s", containing: ["1s..2s"])
        try assertFails(64, "edit", "in.mov", "out.mov", "--pitch", "low", containing: ["varispeed"])
        try assertFails(1, "edit", "in.mov", "out.mov", "--range", "2s..1s", containing: ["not after its start"])
        try assertFails(1, "edit", "in.mov", "out.mov", "--range", "1s..9s", containing: ["lasts only"])
        try assertFails(1, "edit", "in.mov", "in.mov", containing: ["exists already"])
        try assertFails(1, "edit", "nope.mov", "out.mov", containing: ["nope.mov"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: file("out.mov").path))
    }
}
