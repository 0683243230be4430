import Foundation
import TestSupport
import XCTest

/// `obscura record --backend file:` with files of other programs that have jumps in their times, damage or protection.
final class RecordFileCommandTests: ObscuraTestCase {
    /// Writes a transport stream of three seconds with ffmpeg: 75 frames and a tone.
    private func makeStream(_ name: String, offset: Double = 0, frequency: Int = 440) throws {
        let result = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=3", "-f", "lavfi", "-i",
            "sine=f=\(frequency):r=48000:d=3", "-c:v", "libx264", "-g", "25", "-c:a", "aac", "-output_ts_offset",
            "\(offset)", "-f", "mpegts", name)
        XCTAssertEqual(result.status, 0, result.errors)
    }

    /// Writes a movie of test frames with ffmpeg.
    private func makeMovie(_ name: String, _ arguments: String...) throws {
        let result = try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=2"] + arguments + [name])
        XCTAssertEqual(result.status, 0, result.errors)
    }

    func testTheRecordingContinuesWithoutAJumpOfTheTimestamps() throws {
        try makeStream("first.ts")
        try makeStream("later.ts", offset: 37600, frequency: 880)
        try makeStream("overlap.ts", offset: 2.2, frequency: 880)
        for (name, parts, jump) in [
            ("forward", ["first.ts", "later.ts"], 37597.0), ("back", ["later.ts", "first.ts"], -37603.0),
            ("overlap", ["first.ts", "overlap.ts"], -0.8),
        ] {
            try parts.reduce(Data()) { try $0 + Data(contentsOf: file($1)) }.write(to: file("\(name).ts"))
            let report = try obscura(
                "record", "\(name).mov", "--backend", "file:\(name).ts", "--json"
            ).object()
            XCTAssertEqual(report["videoFrames"] as? Int, 150, name)
            XCTAssertEqual(report["droppedFrames"] as? Int, 0, name)
            XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 6, accuracy: 0.1, name)
            let jumps = try XCTUnwrap(report["jumps"] as? [[String: Double]], name)
            XCTAssertEqual(jumps.count, 1, name)
            XCTAssertEqual(try XCTUnwrap(jumps[0]["time"]), 3, accuracy: 0.1, name)
            XCTAssertEqual(try XCTUnwrap(jumps[0]["size"]), jump, accuracy: 0.5, name)
            // The second half of the sound begins with the second half of the frames.
            let halves = try probe(file("\(name).mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
            XCTAssertEqual(halves[75] - halves[74], 0.04, accuracy: 0.03, name)
            try assertDecodes(file("\(name).mov"))
        }
    }

    func testTimestampsThatRestartAtTheEndOfTheirRangeAreNoJump() throws {
        // 33 bits at 90 kHz end after 95443.7 s.
        try makeStream("wrap.ts", offset: 95442)
        let report = try obscura("record", "wrap.mov", "--backend", "file:wrap.ts", "--json").object()
        XCTAssertEqual(report["videoFrames"] as? Int, 75)
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 3, accuracy: 0.05)
        XCTAssertNil(report["jumps"])
    }

    func testLongFramesAreNoJump() throws {
        // A frame each minute, without sound; with B-frames, whose order in the file is another one. Only the first
        // container indicates how long each frame lasts.
        for container in ["mov", "mkv", "ts"] {
            for bFrames in [0, 3] {
                let name = "lapse\(bFrames)"
                try makeMovie(
                    "\(name).\(container)", "-vf", "setpts=N*60/TB", "-fps_mode", "passthrough", "-frames:v", "12",
                    "-c:v", "libx264", "-x264-params", "b-adapt=0:bframes=\(bFrames)")
                let report = try obscura(
                    "record", "\(name)-\(container).mov", "--backend", "file:\(name).\(container)", "--json"
                ).object()
                XCTAssertEqual(report["videoFrames"] as? Int, 12, "\(name).\(container)")
                XCTAssertEqual(
                    try XCTUnwrap(report["duration"] as? Double), 660.04, accuracy: 0.01, "\(name).\(container)")
                XCTAssertNil(report["jumps"], "\(name).\(container)")
            }
        }
    }

    func testReorderedFramesWithoutDecodeTimesAreNoJump() throws {
        // The video begins after the part of the file from which libavformat determines the delay of the B-frames.
        let result = try tool(
            "ffmpeg", "-v", "error", "-itsoffset", "10", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=3", "-f",
            "lavfi", "-i", "sine=f=440:r=48000:d=13", "-c:v", "libx264", "-g", "25", "-c:a", "aac", "late.mkv")
        XCTAssertEqual(result.status, 0, result.errors)
        let report = try obscura("record", "late.mov", "--backend", "file:late.mkv", "--json").object()
        XCTAssertEqual(report["videoFrames"] as? Int, 75)
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 3, accuracy: 0.05)
        XCTAssertNil(report["jumps"])
    }

    /// Writes a stream of three seconds in which one packet has another time, and returns the report of its recording.
    private func recordStream(
        named name: String, bFrames: Int, changing track: String, packet: Int, by milliseconds: Int
    ) throws -> [String: Any] {
        let stream = try tool(
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=3", "-f", "lavfi", "-i",
            "sine=f=440:r=48000:d=3", "-c:v", "libx264", "-g", "25", "-bf", "\(bFrames)", "-c:a", "aac", "-f", "mpegts",
            "plain.ts")
        XCTAssertEqual(stream.status, 0, stream.errors)
        // Matroska has ticks of a millisecond. It stores no decode times.
        let time = "if(eq(N\\,\(packet))\\,PTS+\(milliseconds)\\,PTS)"
        let change = try tool(
            "ffmpeg", "-v", "error", "-y", "-i", "plain.ts", "-c", "copy", "-bsf:\(track)",
            "setts=pts=\(time):dts=DTS", name)
        XCTAssertEqual(change.status, 0, change.errors)
        return try obscura("record", "o.mov", "--backend", "file:\(name)", "--json").object()
    }

    func testAWrongTimeOfOneFrameMovesNoOtherFrame() throws {
        var cases: [(milliseconds: Int, bFrames: Int, packet: Int)] = []
        for milliseconds in [37_600_000, 1000, 200, -200, -1000, -37_600_000] {
            for (bFrames, packet) in [(3, 45), (0, 45), (3, 0), (3, 2), (3, 3), (0, 1), (0, 74)] {
                // Nothing shows that the time of the last frame is wrong, or that the first frame is not a long one.
                if packet == 74, milliseconds > 0 { continue }
                if packet == 0, [-200, -1000].contains(milliseconds) { continue }
                cases.append((milliseconds, bFrames, packet))
            }
        }
        for (milliseconds, bFrames, packet) in CaseSample.of(cases, count: 13) {
            let context = "\(milliseconds) ms, packet \(packet), \(bFrames) B-frames"
            let report = try recordStream(
                named: "outlier.mkv", bFrames: bFrames, changing: "v", packet: packet, by: milliseconds)
            XCTAssertEqual(report["videoFrames"] as? Int, 75, context)
            XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 3, accuracy: 0.06, context)
            let times = try probe(file("o.mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
            for (index, time) in times.enumerated() {
                XCTAssertEqual(time, Double(index) * 0.04, accuracy: 0.041, "\(context), frame \(index)")
            }
            try FileManager.default.removeItem(at: file("o.mov"))
        }
    }

    func testAWrongTimeOfOnePacketOfSoundMovesNoOtherSound() throws {
        // ffmpeg does not write a time before the previous one.
        for milliseconds in [37_600_000, 1000, 200] {
            for packet in [1, 60] {
                let context = "\(milliseconds) ms, packet \(packet)"
                let report = try recordStream(
                    named: "outlier.mkv", bFrames: 0, changing: "a", packet: packet, by: milliseconds)
                XCTAssertEqual(report["videoFrames"] as? Int, 75, context)
                XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 3, accuracy: 0.06, context)
                let sound = try tool("ffmpeg", "-v", "error", "-i", "o.mov", "-map", "a", "-f", "s16le", "-").output
                let samples = sound.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { abs(Int($0)) } }
                // A tone has no silence of more than 20 ms, except what encoders add at its ends.
                let silent = stride(from: 2400, to: samples.count - 4800, by: 960).filter { start in
                    samples[start..<start + 960].allSatisfy { $0 < 100 }
                }
                XCTAssertEqual(silent, [], context)
                try FileManager.default.removeItem(at: file("o.mov"))
            }
        }
    }

    func testNegativeCompositionOffsetsOfFragmentsDoNotMoveTheVideo() throws {
        // The sound begins after one second.
        let result = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=3", "-f", "lavfi", "-i",
            "aevalsrc=if(gte(t\\,1)\\,sin(2764*t)\\,0):s=48000:d=3", "-c:v", "libx264", "-x264-params",
            "keyint=25:b-adapt=0:bframes=3:b-pyramid=normal", "-c:a", "pcm_s16be", "-movflags", "cmaf+frag_keyframe",
            "-f", "mov", "cmaf.mov")
        XCTAssertEqual(result.status, 0, result.errors)
        let report = try obscura("record", "o.mov", "--backend", "file:cmaf.mov", "--json").object()
        XCTAssertEqual(report["videoFrames"] as? Int, 75)
        let sound = try tool("ffmpeg", "-v", "error", "-i", "o.mov", "-map", "a", "-f", "s16le", "-").output
        let samples = sound.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let first = try XCTUnwrap(samples.firstIndex { $0 > 10_000 })
        XCTAssertEqual(first, 48_000, accuracy: 480)
        let times = try probe(file("o.mov"), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
        for (index, time) in times.enumerated() {
            XCTAssertEqual(time, Double(index) * 0.04, accuracy: 0.001, "frame \(index)")
        }
    }

    func testALoneVideoTrackContinuesWithoutAJump() throws {
        for (name, offset) in [("first.ts", "0"), ("later.ts", "600")] {
            try makeMovie(name, "-c:v", "libx264", "-g", "25", "-output_ts_offset", offset)
        }
        try ["first.ts", "later.ts", "first.ts"].reduce(Data()) { try $0 + Data(contentsOf: file($1)) }
            .write(to: file("joined.ts"))
        let report = try obscura("record", "joined.mov", "--backend", "file:joined.ts", "--json").object()
        XCTAssertEqual(report["videoFrames"] as? Int, 150)
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 6, accuracy: 0.05)
        XCTAssertEqual((report["jumps"] as? [[String: Double]])?.count, 2)
    }

    func testAMovieOfOneFrameLastsAsLongAsItsFrame() throws {
        try makeMovie("one.mp4", "-frames:v", "1", "-c:v", "libx264")
        let report = try obscura("record", "one-copy.mov", "--backend", "file:one.mp4", "--json").object()
        XCTAssertEqual(report["videoFrames"] as? Int, 1)
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 0.04, accuracy: 0.001)
    }

    func testProtectedMoviesAndMoviesWithoutAnIndexAreRefusedByName() throws {
        let key = "00112233445566778899aabbccddeeff"
        try makeMovie(
            "protected.mp4", "-c:v", "libx264", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key,
            "-encryption_kid", key)
        try makeMovie("whole.mp4", "-c:v", "libx264")
        let whole = try Data(contentsOf: file("whole.mp4"))
        let index = try XCTUnwrap(whole.range(of: Data("moov".utf8))?.lowerBound)
        try whole.prefix(index - 4).write(to: file("cut.mp4"))
        for (name, reason) in [("protected.mp4", "is protected"), ("cut.mp4", "no index (moov box)")] {
            let outcome = try obscura("record", "o.mov", "--backend", "file:\(name)")
            XCTAssertNotEqual(outcome.status, 0, name)
            XCTAssertTrue(outcome.errors.contains(name) && outcome.errors.contains(reason), outcome.errors)
            XCTAssertFalse(FileManager.default.fileExists(atPath: file("o.mov").path), name)
        }
    }

    func testMediaWithoutADecoderAreReported() throws {
        try makeMovie(
            "known.mov", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:v", "libx264", "-c:a", "pcm_s16le")
        for (code, media, frames, samples) in [("sowt", "audio", 50, 0), ("avc1", "video", 0, 96000)] {
            var bytes = try Data(contentsOf: file("known.mov"))
            let range = try XCTUnwrap(bytes.range(of: Data(code.utf8), options: .backwards), code)
            bytes.replaceSubrange(range, with: Data("zzzz".utf8))
            try bytes.write(to: file("\(media).mov"))
            let source = ["--backend", "file:\(media).mov"]
            let report = try run(Self.tool, ["record", "\(media)-1.mov", "--json"] + source).object()
            XCTAssertEqual(report["undecodable"] as? [String], [media])
            XCTAssertEqual(report["videoFrames"] as? Int, frames, media)
            XCTAssertEqual(report["audioSamples"] as? Int, samples, media)
            let line = "there is no decoder for the \(media) of the source; it was not recorded"
            let text = try run(Self.tool, ["record", "\(media)-2.mov"] + source).text
            XCTAssertTrue(text.contains(line), text)
        }
        let report = try obscura("record", "all.mov", "--json", "--backend", "file:known.mov").object()
        XCTAssertNil(report["undecodable"])
    }

    func testADamagedFrameIsEitherRecordedOrDropped() throws {
        try makeMovie("whole.avi", "-c:v", "mjpeg")
        var bytes = try Data(contentsOf: file("whole.avi"))
        // Zeros in the entropy-coded data of the tenth frame.
        var start = bytes.startIndex
        for _ in 0..<10 {
            start = try XCTUnwrap(bytes.range(of: Data([0xff, 0xd8, 0xff]), in: start..<bytes.endIndex)?.upperBound)
        }
        let scan = try XCTUnwrap(bytes.range(of: Data([0xff, 0xda]), in: start..<bytes.endIndex)?.upperBound)
        bytes.replaceSubrange(scan + 200..<scan + 600, with: Data(repeating: 0, count: 400))
        try bytes.write(to: file("damaged.avi"))
        let report = try obscura("record", "damaged.mov", "--backend", "file:damaged.avi", "--json").object()
        let recorded = try XCTUnwrap(report["videoFrames"] as? Int)
        let dropped = try XCTUnwrap(report["droppedFrames"] as? Int)
        XCTAssertEqual(recorded + dropped, 50)
        XCTAssertEqual(try probe(file("damaged.mov"), "v", "stream=nb_frames"), ["\(recorded)"])
    }

    func testEachCodecFrameOfASampleIsDecoded() throws {
        // Ten seconds of AMR frames of 12.2 kbit/s with a changing content, without an encoder.
        var amr = Data("#!AMR\n".utf8)
        for frame in 0..<500 {
            amr.append(0x3c)
            amr.append(contentsOf: (0..<31).map { UInt8(truncatingIfNeeded: frame * 31 + $0 * 57) })
        }
        try amr.write(to: file("speech.amr"))
        XCTAssertEqual(try tool("ffmpeg", "-v", "error", "-i", "speech.amr", "-c", "copy", "single.3gp").status, 0)
        // Ten frames in a sample: a tenth of the samples, each ten times as large and as long.
        var movie = try Data(contentsOf: file("single.3gp"))
        func patch(_ box: String, _ offset: Int, _ values: [UInt32], expecting old: [UInt32]) throws {
            let start = try XCTUnwrap(movie.range(of: Data(box.utf8))?.upperBound, box) + offset
            func bytes(_ values: [UInt32]) -> Data {
                values.reduce(into: Data()) { data, value in withUnsafeBytes(of: value.bigEndian) { data += $0 } }
            }
            XCTAssertEqual(movie[start..<start + old.count * 4], bytes(old), box)
            movie.replaceSubrange(start..<start + old.count * 4, with: bytes(values))
        }
        try patch("stsz", 4, [320, 50], expecting: [32, 500])
        try patch("stts", 4, [1, 50, 1600], expecting: [1, 500, 160])
        try patch("stsc", 4, [1, 1, 50], expecting: [1, 1, 500])
        try movie.write(to: file("speech.3gp"))
        for name in ["single", "speech"] {
            let outcome = try obscura("record", "\(name).mov", "--backend", "file:\(name).3gp")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
        }
        let sounds = try ["single", "speech"].map { name in
            try tool("ffmpeg", "-v", "error", "-i", "\(name).mov", "-map", "a", "-f", "s16le", "-").output
        }
        XCTAssertEqual(sounds[0].count, sounds[1].count)
        XCTAssertEqual(sounds[0], sounds[1])
    }
}
