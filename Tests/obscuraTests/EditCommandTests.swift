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
        let lines = outcome.text.split(separator: "\n")
        XCTAssertEqual(lines.first, "out.mp4: 1.000 s, 30 frames")
        // The timecode of the recording.
        XCTAssertEqual(lines.dropFirst().map { $0.prefix(31) }, ["left out track 3 (tmcd, tmcd): "])
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

    /// Writes a rotated movie of three seconds with two alternative sound tracks and chapters.
    private func writeMovieWithAlternatives(_ movie: String) throws {
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3000\ntitle=First\n".utf8)
            .write(to: file("chapters.txt"))
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-f", "lavfi", "-i", "sine=f=440:d=3", "-f", "lavfi",
            "-i", "sine=f=880:d=3", "-i", "chapters.txt", "-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3",
            "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", "-disposition:a:1", "0", movie)
        // The matrix of the first track follows that of the movie.
        func matrix(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32, _ x: Int32) -> Data {
            let values: [Int32] = [a, b, 0, c, d, 0, x, 0, 0x4000_0000]
            return Data(values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } })
        }
        var data = try Data(contentsOf: file(movie))
        let identity = matrix(0x10000, 0, 0, 0x10000, 0)
        let header = try XCTUnwrap(data.range(of: identity))
        let track = try XCTUnwrap(data.range(of: identity, in: header.upperBound..<data.endIndex))
        data.replaceSubrange(track, with: matrix(0, 0x10000, -0x10000, 0, 120 << 16))
        try data.write(to: file(movie))
    }

    private func tracks(of movie: String) throws -> [[String: Any]] {
        try XCTUnwrap(try obscura("inspect", movie, "--json").object()["tracks"] as? [[String: Any]])
    }

    func testAllEditsKeepAllTracksAndTheirProperties() throws {
        try writeMovieWithAlternatives("in.mov")
        let source = try tracks(of: "in.mov")
        XCTAssertEqual(source.map { $0["kind"] as? String }, ["vide", "soun", "soun", "text"])
        XCTAssertEqual(source.first?["rotation"] as? Int, 90)
        let edits = [[], ["--range", "500ms..2s"], ["--range", "1s..2s", "--speed", "0.5"], ["--speed", "2"]]
        for (index, edit) in edits.enumerated() {
            let report = try run(Self.tool, ["edit", "in.mov", "\(index).mov", "--json"] + edit).object()
            XCTAssertEqual(report["leftOut"] as? [String], [], "\(edit)")
            let copies = try tracks(of: "\(index).mov")
            for key in ["number", "kind", "isEnabled", "language", "rotation", "isMirrored"] {
                XCTAssertEqual(copies.map { "\($0[key] ?? "")" }, source.map { "\($0[key] ?? "")" }, "\(edit): \(key)")
            }
            XCTAssertEqual(copies.map { "\($0["references"] ?? "")" }, source.map { "\($0["references"] ?? "")" })
        }
    }

    func testTracksAreSelectedByNumberKindAndCode() throws {
        try writeMovieWithAlternatives("in.mov")
        for (index, (selection, numbers)) in [
            ("1,3", [1, 3]), ("video,audio", [1, 2, 3]), ("-chapters", [1, 2, 3]), ("all,-audio,2", [1, 2, 4]),
            ("avc1", [1]), ("-soun,-text", [1]),
        ].enumerated() {
            let outcome = try obscura("edit", "in.mov", "\(index).mov", "--tracks", selection)
            XCTAssertEqual(outcome.text, "\(index).mov: 3.000 s, 90 frames\n", outcome.errors)
            XCTAssertEqual(try tracks(of: "\(index).mov").map { $0["number"] as? Int }, numbers, selection)
        }
        try assertFails(64, "edit", "in.mov", "out.mov", "--tracks", "sound", containing: ["video, audio, subtitles"])
        try assertFails(
            1, "edit", "in.mov", "out.mov", "--tracks", "video,gpmd",
            containing: ["no track of in.mov is 'gpmd'", "track 1 (vide, avc1)"])
        try assertFails(1, "edit", "in.mov", "out.mov", "--tracks", "1,-video", containing: ["selects no track"])
    }

    func testTracksThatAreLeftOutAreListed() throws {
        try writeMovieWithAlternatives("in.mov")
        try assertFails(
            1, "edit", "in.mov", "out.mp4", containing: ["track 2 (soun, sowt) of", "in.mov", "use .mov"])
        let outcome = try obscura("edit", "in.mov", "out.mp4", "--tracks", "-2")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(
            outcome.text.hasPrefix("out.mp4: 3.000 s, 90 frames\nleft out track 3 (soun, sowt): "), outcome.text)
        let encoded = try obscura("edit", "in.mov", "encoded.mov", "--constant-fps", "30")
        XCTAssertEqual(encoded.text, "encoded.mov: 3.000 s, 90 frames\n", encoded.errors)
        XCTAssertEqual(try tracks(of: "encoded.mov").map { $0["kind"] as? String }, ["vide", "soun", "soun", "text"])
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
