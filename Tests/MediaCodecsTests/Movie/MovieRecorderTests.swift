import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieRecorderTests: XCTestCase {
    func testTenSecondsHaveThreeHundredFramesAndTenSecondsOfAudio() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container)")
            var script = RecordingScript()
            script.container = container
            script.interval = CMTime(value: 3, timescale: 1)
            let summary = try script.record(url, seconds: 10)
            XCTAssertEqual(summary.videoFrameCount, 300)
            XCTAssertEqual(summary.audioSampleCount, 480_000)
            XCTAssertEqual(summary.duration, CMTime(value: 10, timescale: 1))
            XCTAssertEqual(summary.byteCount, Int64(try Data(contentsOf: url).count))
            let movie = try ParsedMovie(url)
            XCTAssertEqual(movie.topLevel, ["ftyp", "mdat", "moov"])
            let video = try XCTUnwrap(movie.video)
            XCTAssertEqual(video.samples.map(\.presentation), (0..<300).map { Int64($0) * 3000 })
            XCTAssertEqual(video.mediaDuration, 900_000)
            XCTAssertTrue([0, 90, 180, 270].allSatisfy { video.samples[$0].isKeyFrame })
            XCTAssertEqual(movie.duration, 10 * movie.timescale)
            try MediaTools.assertDecodes(url)
            XCTAssertEqual(
                try MediaTools.probe(url, "stream=codec_name,nb_read_frames,duration", ["-count_frames"]),
                ["h264,10.000000,300", "aac,10.000000,469"])
            let audio = try XCTUnwrap(movie.audio)
            XCTAssertEqual(audio.edits, [.init(duration: 10 * movie.timescale, mediaTime: 1024)])
            XCTAssertEqual(audio.mediaDuration, 480_000 + 1024)
            try assertAudioFrameCount(url, 480_000)
        }
    }

    func testARecordingThatEndsAtTheFirstFrameContainsThatFrame() throws {
        let folder = try TemporaryFolder()
        for (name, microseconds, count) in [("at", 0, 1), ("before", -5000, 1), ("later", 0, 3), ("just after", 1, 1)] {
            let url = folder.file("\(name).mov")
            let recorder = try RecordingScript().makeRecorder(url)
            try RecordingScript().feed(0..<Double(count) / 30, into: recorder)
            let end = CMTime(value: Int64(microseconds), timescale: 1_000_000)
            let summary = try recorder.finish(at: RecordingScript.time(end))
            XCTAssertEqual(summary.duration, CMTime(value: 1, timescale: 30), name)
            XCTAssertEqual(summary.audioSampleCount, 1600, name)
            let movie = try ParsedMovie(url)
            XCTAssertEqual(movie.video?.edits, [.init(duration: movie.timescale / 30, mediaTime: 0)], name)
            try MediaTools.assertDecodes(url)
        }
    }

    func testEqualRecordingsAreEqualFiles() throws {
        let folder = try TemporaryFolder()
        for codec in [VideoSampleFormat.Codec.h264, .hevc, .jpeg] {
            var script = RecordingScript()
            script.codec = codec
            script.interval = CMTime(value: 1, timescale: 1)
            let (first, second) = (folder.file("\(codec)1.mov"), folder.file("\(codec)2.mov"))
            try script.record(first, seconds: 2)
            try script.record(second, seconds: 2)
            XCTAssertEqual(try Data(contentsOf: first), try Data(contentsOf: second), "\(codec)")
        }
    }

    func testAnImpulseKeepsItsSamplePosition() throws {
        let folder = try TemporaryFolder()
        for (codec, tolerance) in [(AudioEncoderSettings.Codec.aac, 1), (.pcm, 0)] {
            let url = folder.file("\(codec).mov")
            var script = RecordingScript()
            script.audioCodec = codec
            script.waveform = { $0 == 24000 ? 30000 : 0 }
            try script.record(url, seconds: 2)
            let pcm = try MediaTools.decodeAudio(url)
            try assertAudioFrameCount(url, 96000, isExact: codec == .pcm)
            let peak = try XCTUnwrap(pcm.indices.max { abs(Int(pcm[$0])) < abs(Int(pcm[$1])) })
            XCTAssertLessThanOrEqual(abs(peak - 24000), tolerance, "\(codec) at \(peak)")
        }
    }

    func testAnInterruptedRecordingIsInSyncUpToItsLastFragment() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.interval = CMTime(value: 1, timescale: 1)
        script.waveform = { $0 == 24000 ? 30000 : 0 }
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<3.9, into: recorder)
        XCTAssertTrue(recorder.hasPlayableContent)
        let interrupted = folder.file("dead.mov")
        try FileManager.default.copyItem(at: url, to: interrupted)
        recorder.cancel()
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))

        let movie = try ParsedMovie(interrupted)
        XCTAssertEqual(movie.fragmentCount, 3)
        XCTAssertEqual(movie.video?.samples.count, 90)
        try MediaTools.assertDecodes(interrupted)
        let times = try MediaTools.probe(interrupted, "packet=pts_time", ["-select_streams", "v"])
        XCTAssertEqual(times.first, "0.000000")
        XCTAssertEqual(times.count, 90)
        let first = try XCTUnwrap(try MediaTools.probe(interrupted, "frame=pts_time", ["-select_streams", "a"]).first)
        let skipped = Double(first).map { Int(($0 * 48000).rounded()) }
        let pcm = try MediaTools.decodeAudio(interrupted)
        let peak = try XCTUnwrap(pcm.indices.max { abs(Int(pcm[$0])) < abs(Int(pcm[$1])) })
        XCTAssertLessThanOrEqual(abs(peak + (skipped ?? -9999) - 24000), 1, "peak \(peak), first \(first)")
    }

    func testAudioIsTrimmedToTheStartAndTheEnd() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.audioCodec = .pcm
        script.waveform = { Int16(truncatingIfNeeded: $0 % 1000) }
        let recorder = try script.makeRecorder(url)
        // The chunk begins 123 frames before the start.
        let bytes = SyntheticMedia.audio(frames: -123..<837, channels: 2, script.waveform)
        try bytes.withUnsafeBytes {
            try recorder.appendAudio(
                $0, frameCount: 960, at: RecordingScript.time(CMTime(value: -123, timescale: 48000)))
        }
        try script.feed(0..<1, into: recorder)
        let end = CMTime(value: 40001, timescale: 48000)
        let summary = try recorder.finish(at: RecordingScript.time(end))
        XCTAssertEqual(summary.audioSampleCount, 40001)
        let pcm = try MediaTools.decodeAudio(url)
        XCTAssertEqual(pcm.count, 40001)
        XCTAssertEqual(Array(pcm), (0..<40001).map(script.waveform))
    }

    func testMissingAudioIsReplacedBySilenceAndStaysInSync() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.audioCodec = .pcm
        script.waveform = { Int16(1000 + $0 % 1000) }
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<2, into: recorder, skipping: 10..<15)
        _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 2, timescale: 1)))
        let pcm = try MediaTools.decodeAudio(url)
        let missingFrames = 10 * 960..<15 * 960
        XCTAssertEqual(pcm, (0..<96000).map { missingFrames.contains($0) ? 0 : script.waveform($0) })
    }

    func testAudioThatNeverArrivesIsSilence() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let script = RecordingScript()
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<5, into: recorder, skipping: 0..<250)
        let summary = try recorder.finish(at: RecordingScript.time(CMTime(value: 5, timescale: 1)))
        XCTAssertEqual(summary.audioSampleCount, 240_000)
        let pcm = try MediaTools.decodeAudio(url)
        try assertAudioFrameCount(url, 240_000)
        XCTAssertTrue(pcm.allSatisfy { abs(Int($0)) <= 1 })
    }

    func testAudioJitterIsIgnoredAndADelayIsFilledWithSilence() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.audioCodec = .pcm
        script.hasVideo = false
        let recorder = try script.makeRecorder(url)
        for chunk in 0..<50 {
            let bytes = SyntheticMedia.audio(frames: chunk * 960..<chunk * 960 + 960, channels: 2) {
                Int16(truncatingIfNeeded: 1 + $0 % 30000)
            }
            // A jitter of up to 20 frames, and from chunk 25 on a delay of 480 frames.
            let deviation = (chunk * 7 % 41) - 20 + (chunk >= 25 ? 480 : 0)
            try bytes.withUnsafeBytes {
                try recorder.appendAudio(
                    $0, frameCount: 960,
                    at: RecordingScript.time(CMTime(value: Int64(chunk * 960 + deviation), timescale: 48000)))
            }
        }
        _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 1, timescale: 1)))
        let pcm = try MediaTools.decodeAudio(url)
        XCTAssertEqual(pcm.count, 48000)
        XCTAssertEqual(Array(pcm[0..<24000]), (0..<24000).map { Int16(1 + $0 % 30000) })
        let gap = pcm[24000...].prefix { $0 == 0 }.count
        XCTAssertLessThanOrEqual(abs(gap - 480), 20)
        XCTAssertEqual(
            Array(pcm[(24000 + gap)...]), (24000..<48000 - gap).map { Int16(1 + $0 % 30000) })
    }

    func testAPauseIsRemovedFromBothTracks() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.audioCodec = .pcm
        script.waveform = { Int16(1 + $0 / 10) }
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<1, into: recorder)
        recorder.pause(at: RecordingScript.time(CMTime(value: 1, timescale: 1)))
        XCTAssertTrue(recorder.isPaused)
        try script.feed(1..<2.5, into: recorder)
        recorder.resume(at: RecordingScript.time(CMTime(value: 5, timescale: 2)))
        try script.feed(2.5..<3.5, into: recorder)
        let summary = try recorder.finish(at: RecordingScript.time(CMTime(value: 7, timescale: 2)))
        XCTAssertEqual(summary.duration, CMTime(value: 2, timescale: 1))
        XCTAssertEqual(summary.videoFrameCount, 60)
        let video = try XCTUnwrap(try ParsedMovie(url).video)
        XCTAssertEqual(video.samples.map(\.presentation), (0..<60).map { Int64($0) * 3000 })
        let pcm = try MediaTools.decodeAudio(url)
        XCTAssertEqual(pcm, ((0..<48000).map { $0 } + (120_000..<168_000)).map(script.waveform))
        try MediaTools.assertDecodes(url)
    }

    func testTheLastFrameLastsUntilTheEnd() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.hasAudio = false
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<1, into: recorder)
        _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 5, timescale: 2)))
        let video = try XCTUnwrap(try ParsedMovie(url).video)
        XCTAssertEqual(video.mediaDuration, 225_000)
        XCTAssertEqual(video.samples.last?.duration, 225_000 - 29 * 3000)
        XCTAssertEqual(try MediaTools.probe(url, "format=duration"), ["2.500000"])
    }

    func testFramesBeforeTheStartOrOutOfOrderAreDropped() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.hasAudio = false
        let recorder = try script.makeRecorder(url)
        let buffer = try SyntheticMedia.frame(0, width: 160, height: 96)
        let frame = CMTime(value: 1, timescale: 30)
        func append(_ numerator: Int64) throws -> Bool {
            try recorder.append(
                buffer, at: RecordingScript.time(CMTime(value: numerator, timescale: 30)), duration: frame)
        }
        XCTAssertFalse(try append(-1))
        XCTAssertTrue(try append(3))
        XCTAssertFalse(try append(3))
        XCTAssertFalse(try append(2))
        XCTAssertTrue(try append(4))
        _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 6, timescale: 30)))
        let movie = try ParsedMovie(url)
        XCTAssertEqual(movie.video?.samples.count, 2)
        XCTAssertEqual(
            movie.video?.edits, [.init(duration: 9000, mediaTime: -1), .init(duration: 9000, mediaTime: 0)])
    }

    func testEveryCodecAndContainerDecodesToTheInput() throws {
        let folder = try TemporaryFolder()
        let cases: [(VideoSampleFormat.Codec, MovieContainer, Bool, String)] = [
            (.h264, .mov, false, "avc1"), (.h264, .mp4, true, "avc1"), (.hevc, .mov, true, "hvc1"),
            (.hevc, .mp4, false, "hvc1"), (.jpeg, .mov, true, "jpeg"),
        ]
        for (codec, container, isFullRange, entry) in cases {
            let url = folder.file("\(codec).\(container)")
            var script = RecordingScript()
            (script.codec, script.container, script.isFullRange) = (codec, container, isFullRange)
            script.hasAudio = false
            try script.record(url, seconds: 1)
            let movie = try ParsedMovie(url)
            XCTAssertEqual(movie.video?.sampleEntry, entry)
            XCTAssertEqual(movie.video?.samples.count, 30)
            try MediaTools.assertDecodes(url)
            XCTAssertEqual(
                try MediaTools.probe(url, "stream=color_range"), [isFullRange ? "pc" : "tv"], "\(codec) \(container)")
            let decoded = try MediaTools.decodeVideo(url, isFullRange: isFullRange)
            let size = 160 * 96 * 3 / 2
            XCTAssertEqual(decoded.count, 30 * size)
            for frame in [0, 13, 29] {
                let buffer = try SyntheticMedia.frame(frame, width: 160, height: 96)
                let quality = Self.lumaPSNR(decoded.subdata(in: frame * size..<(frame + 1) * size), buffer)
                XCTAssertGreaterThan(quality, 38, "\(codec) frame \(frame)")
            }
        }
    }

    func testAudioOnlyIsRecordedAsM4A() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.m4a")
        var script = RecordingScript()
        script.hasVideo = false
        script.container = .m4a
        script.interval = CMTime(value: 1, timescale: 1)
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<3.5, into: recorder)
        XCTAssertGreaterThanOrEqual(try ParsedMovie(url).fragmentCount, 2)
        _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 7, timescale: 2)))
        XCTAssertEqual(try ParsedMovie(url).topLevel, ["ftyp", "mdat", "moov"])
        try MediaTools.assertDecodes(url)
        XCTAssertEqual(try ParsedMovie(url).audio?.mediaDuration, 168_000 + 1024)
        try assertAudioFrameCount(url, 168_000)
    }

    func testEveryStorageFaultEndsTheRecordingAndReportsPlayability() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.interval = CMTime(value: 1, timescale: 1)
        var operation = 1
        var frameless = 0
        while true {
            try? FileManager.default.removeItem(at: url)
            let storage = SimStorage()
            storage.inject(.fail(.diskFull), atOperation: operation)
            var recorder: MovieRecorder?
            do {
                recorder = try script.makeRecorder(url, storage: storage)
                try script.feed(0..<2.5, into: XCTUnwrap(recorder))
                _ = try recorder?.finish(at: RecordingScript.time(CMTime(value: 5, timescale: 2)))
                break
            } catch let error as MovieError {
                XCTAssertEqual(error.code, .storage)
                XCTAssertEqual(FileManager.default.fileExists(atPath: url.path), error.hasPlayableContent)
                if error.hasPlayableContent {
                    try MediaTools.assertDecodes(url)
                    let frames = try MediaTools.probe(
                        url, "stream=nb_read_frames", ["-count_frames", "-select_streams", "v"])
                    let hasFrames = (frames.first.flatMap { Int($0) } ?? 0) > 0
                    XCTAssertEqual(recorder?.presentsFrames, hasFrames, "operation \(operation)")
                    frameless += hasFrames ? 0 : 1
                }
            }
            operation += 1
        }
        XCTAssertGreaterThan(operation, 20)
        // The encoder returns the first frames after sound was stored.
        XCTAssertGreaterThan(frameless, 0)
    }

    /// Expects a number of audio frames; ffmpeg 5.1 does not trim the last AAC packet, not even of its own files.
    private func assertAudioFrameCount(
        _ url: URL, _ count: Int, isExact: Bool = false, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let decoded = try MediaTools.decodeAudio(url).count
        XCTAssertGreaterThanOrEqual(decoded, count, file: file, line: line)
        XCTAssertLessThan(decoded, count + (isExact ? 1 : 1024), file: file, line: line)
    }

    /// Returns the peak signal-to-noise ratio of luma in dB.
    private static func lumaPSNR(_ decoded: Data, _ buffer: CVPixelBuffer) -> Double {
        let plane = buffer.planes[0]
        var sum = 0
        decoded.withUnsafeBytes { bytes in
            for y in 0..<96 {
                let row = plane.baseAddress + y * plane.bytesPerRow
                for x in 0..<160 {
                    let difference = Int(bytes[y * 160 + x]) - Int(row.load(fromByteOffset: x, as: UInt8.self))
                    sum += difference * difference
                }
            }
        }
        return 10 * log10(255 * 255 / max(Double(sum) / (160 * 96), 1e-9))
    }
}
