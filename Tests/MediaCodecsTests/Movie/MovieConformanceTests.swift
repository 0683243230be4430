import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Reads recordings of every codec, container, orientation, pause pattern and limit with FFmpeg, GStreamer and an
/// independent box reader, and checks them like `obscura inspect`.
final class MovieConformanceTests: XCTestCase {
    private let second = CMTime(value: 1, timescale: 1)

    /// Expects that a movie has no problems, and that three readers find the same frames at the same times.
    private func assertConforms(
        _ url: URL, _ script: RecordingScript, frames: Int, _ what: String, orientation: String? = nil,
        endsEarly: Bool = false
    ) throws {
        let movie = try ParsedMovie(url)
        try MediaTools.assertDecodes(url)
        let file = try DiskStorage().open(url, for: .reading)
        let map = try MovieMap(reading: file)
        XCTAssertEqual(try MovieChecker.problems(of: map, in: file), [], what)
        XCTAssertEqual(map.fragments.count, movie.fragmentCount, what)
        let reader = try GStreamerReader(
            url, hasVideo: script.hasVideo, hasAudio: script.hasAudio, folder: TemporaryFolder())
        XCTAssertEqual(reader.orientation, orientation, what)
        if script.hasVideo {
            let track = try XCTUnwrap(movie.video)
            XCTAssertEqual(track.samples.count, frames, what)
            XCTAssertEqual(reader.video.map(\.data), track.samples.map { movie.sampleData($0) }, what)
            let edit = track.edits.last?.mediaTime ?? 0
            for (buffer, sample) in zip(reader.video, track.samples) {
                let time = (sample.presentation - edit) * 1_000_000_000 / track.timescale
                XCTAssertLessThanOrEqual(abs(buffer.presentation - time), 1, what)
            }
            let packets = try MediaTools.probe(url, "packet=pts_time,size", ["-select_streams", "v"])
            XCTAssertEqual(packets.count, frames, what)
            let codec =
                switch script.codec {
                case .h264: "H.264"
                case .hevc: "H.265"
                case .jpeg: "JPEG"
                case .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444: "ProRes"
                }
            XCTAssertTrue(reader.videoCodec.contains(codec), "\(what): \(reader.videoCodec)")
        }
        if script.hasAudio {
            let track = try XCTUnwrap(movie.audio)
            let pcm = track.samples.reduce(into: Data()) { $0 += movie.sampleData($1) }
            let decodedPCM = reader.audio.reduce(into: Data()) { $0 += $1.data }
            // Readers may skip up to two packets before the start or after the end of the edit list.
            XCTAssertNotNil(pcm.range(of: decodedPCM), what)
            let packetByteCount = (track.samples.map(\.size).max() ?? 0) * (track.samples.count > 10000 ? 1024 : 1)
            if !endsEarly { XCTAssertGreaterThanOrEqual(decodedPCM.count, pcm.count - 2 * packetByteCount, what) }
            let codec =
                switch script.audioCodec {
                case .aac: "AAC"
                case .pcm: "PCM"
                case .alac: "lossless"
                case .opus: "Opus"
                }
            XCTAssertTrue(reader.audioCodec.contains(codec), "\(what): \(reader.audioCodec)")
        }
    }

    private func time(_ seconds: Double) -> CMTime {
        RecordingScript.time(CMTime(seconds: seconds, preferredTimescale: 1_000_000))
    }

    func testEveryCodecConformsInEveryContainer() throws {
        let folder = try TemporaryFolder()
        var cases: [(MovieContainer, VideoSampleFormat.Codec, putsIndexInFront: Bool)] = []
        for container in [MovieContainer.mov, .mp4, .m4v] {
            for codec in VideoSampleFormat.Codec.allCases where container == .mov || !codec.isIntraOnly {
                cases += [(container, codec, false), (container, codec, true)]
            }
        }
        for (container, codec, putsIndexInFront) in CaseSample.of(cases, count: 11) {
            var script = RecordingScript()
            (script.codec, script.container, script.putsIndexInFront) = (codec, container, putsIndexInFront)
            script.interval = second
            script.timeOfDay = 1
            let url = folder.file("\(codec)-\(putsIndexInFront).\(container)")
            try script.record(url, seconds: 2.5)
            try assertConforms(url, script, frames: 75, "\(codec) in \(container)")
        }
    }

    func testEveryAudioFormatConforms() throws {
        let folder = try TemporaryFolder()
        let cases: [(AudioEncoderSettings.Codec, MovieContainer)] = [
            (.aac, .mov), (.aac, .mp4), (.pcm, .mov), (.alac, .mov), (.alac, .mp4), (.opus, .mp4),
        ]
        for (codec, container) in cases {
            for hasVideo in [true, false] {
                var script = RecordingScript()
                (script.audioCodec, script.container, script.hasVideo) = (codec, container, hasVideo)
                script.interval = second
                let url = folder.file("\(codec)-\(hasVideo).\(container)")
                try script.record(url, seconds: 1.7)
                try assertConforms(url, script, frames: 51, "\(codec) in \(container)")
            }
        }
    }

    func testEveryRotationConforms() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            for (angle, tag) in [
                (0, nil), (90, "rotate-90"), (180, "rotate-180"), (270, "rotate-270"),
            ] as [(Int, String?)] {
                var script = RecordingScript()
                script.container = container
                script.orientation = MovieOrientation(rotationAngle: angle)
                let url = folder.file("\(angle).\(container)")
                try script.record(url, seconds: 0.5)
                try assertConforms(url, script, frames: 15, "\(angle) degrees", orientation: tag)
            }
        }
    }

    func testEveryPausePatternConforms() throws {
        let folder = try TemporaryFolder()
        // The times in seconds of each pause and resumption; nil if the recording ends during the pause.
        let patterns: [(String, [(Double, Double?)])] = [
            ("one", [(0.5, 1)]), ("two", [(0.3, 0.6), (0.9, 1.4)]), ("close", [(0.5, 0.51), (0.52, 0.9)]),
            ("between-frames", [(0.517, 1.021)]), ("at-the-end", [(1, nil)]),
        ]
        for (name, pauses) in patterns {
            for putsIndexInFront in [false, true] {
                var script = RecordingScript()
                script.putsIndexInFront = putsIndexInFront
                script.interval = CMTime(value: 3, timescale: 10)
                let url = folder.file("\(name)-\(putsIndexInFront).mov")
                let recorder = try script.makeRecorder(url)
                var position = 0.0
                for (pause, resumption) in pauses {
                    try script.feed(position..<pause, into: recorder)
                    recorder.pause(at: time(pause))
                    position = pause
                    guard let resumption else { continue }
                    try script.feed(position..<resumption, into: recorder)
                    recorder.resume(at: time(resumption))
                    position = resumption
                }
                if pauses.last?.1 != nil { try script.feed(position..<2, into: recorder) }
                let summary = try recorder.finish(at: time(2))
                let paused = pauses.reduce(0) { $0 + (($1.1 ?? 2) - $1.0) }
                XCTAssertEqual(summary.duration.seconds, 2 - paused, accuracy: 1e-6, name)
                try assertConforms(url, script, frames: summary.videoFrameCount, name)
                XCTAssertEqual(
                    Double(try MediaTools.probe(url, "format=duration").first ?? "") ?? 0, 2 - paused, accuracy: 1e-3)
            }
        }
    }

    func testRecordingsWithLimitsConform() throws {
        let folder = try TemporaryFolder()
        for (name, limit, end) in [("size", 40_000, 3), ("length", nil, 1.333)] as [(String, Int64?, Double)] {
            for container in [MovieContainer.mov, .mp4] {
                var script = RecordingScript()
                script.container = container
                script.interval = CMTime(value: 1, timescale: 2)
                var configuration = script.configuration
                configuration.byteLimit = limit
                let url = folder.file("\(name).\(container)")
                let recorder = try MovieRecorder(
                    configuration, url: url, storage: DiskStorage(), start: RecordingScript.start)
                var played = 0.0
                while played < end, !recorder.isFull {
                    try script.feed(played..<min(played + 0.1, end), into: recorder)
                    played = min(played + 0.1, end)
                }
                let summary = try recorder.finish(at: time(played))
                if let limit { XCTAssertLessThanOrEqual(summary.byteCount, limit) }
                // The audio of frames that did not fit is already in the file, but not presented.
                try assertConforms(url, script, frames: summary.videoFrameCount, name, endsEarly: limit != nil)
                XCTAssertGreaterThan(summary.videoFrameCount, 5)
            }
        }
    }

    func testHighFrameRatesAndInterruptedRecordingsConform() throws {
        let folder = try TemporaryFolder()
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            var script = RecordingScript()
            script.codec = codec
            script.frameRate = 120
            script.alternatesDroppableFrames = true
            script.interval = CMTime(value: 1, timescale: 2)
            let url = folder.file("\(codec).mov")
            try script.record(url, seconds: 1)
            try assertConforms(url, script, frames: 120, "\(codec) at 120")
            let unfinished = folder.file("\(codec)-unfinished.mov")
            let recorder = try script.makeRecorder(unfinished)
            try script.feed(0..<1.9, into: recorder)
            let interrupted = folder.file("\(codec)-interrupted.mov")
            try FileManager.default.copyItem(at: unfinished, to: interrupted)
            recorder.cancel()
            let frames = try XCTUnwrap(try ParsedMovie(interrupted).video).samples.count
            XCTAssertGreaterThanOrEqual(frames, 108)
            try assertConforms(interrupted, script, frames: frames, "\(codec) interrupted")
        }
    }
}
