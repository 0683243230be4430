import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Passthrough exports keep audio in sync with video.
final class PassthroughSoundTests: XCTestCase {
    /// The number of frames from one clap to the next.
    private static let clapInterval = 10
    private static let rate = 48_000

    private func time(_ value: Int64, _ timescale: CMTimeScale = 30) -> CMTime {
        CMTime(value: value, timescale: timescale)
    }

    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange { CMTimeRange(start: time(start), end: time(end)) }

    /// Writes a movie of numbered frames with a clap, 20 ms of a tone, at every tenth frame.
    private func movie(
        _ fixture: AssetWriterFixture, _ name: String, frames: Int, _ format: AudioFormatID
    ) throws -> AVAsset {
        let writer = try fixture.makeWriter(name)
        let (video, audio) = (
            fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalKey: 15]), fixture.makeAudioInput(format)
        )
        for input in [video, audio] { fixture.system.run { writer.add(input) } }
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        let samplesPerVideoFrame = Self.rate / 30
        for frame in 0..<frames {
            video.append(try AssetWriterFixture.videoSample(frame, at: time(Int64(frame))))
            let values = (0..<samplesPerVideoFrame).map { index -> Int16 in
                guard frame % Self.clapInterval == 0, index < Self.rate / 50 else { return 0 }
                return Int16(16_000 * cos(2 * Double.pi * 2000 * Double(index) / Double(Self.rate)))
            }
            audio.append(
                try AssetWriterFixture.audioSample(
                    values.withUnsafeBytes { Data($0) },
                    flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16, channels: 1,
                    frameCount: samplesPerVideoFrame,
                    at: AssetWriterFixture.start + time(Int64(frame * samplesPerVideoFrame), CMTimeScale(Self.rate))))
        }
        fixture.finish(writer)
        return fixture.asset(name)
    }

    func testScaledSoundOfAnySampleSizeIsExported() throws {
        for (name, codec, bits) in [
            ("u8.mov", "pcm_u8", 16), ("s8.mov", "pcm_s8", 16), ("s24.mov", "pcm_s24le", 24),
            ("f32.mov", "pcm_f32be", 32),
            ("f64.mov", "pcm_f64le", 64),
        ] {
            let fixture = try AssetWriterFixture()
            let result = try ExternalTool.run(
                "ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", "sine=f=500:r=8000:d=2", "-c:a", codec, fixture.url(name).path])
            XCTAssertEqual(result.status, 0, result.errors)
            let composition = fixture.system.run { AVMutableComposition() }
            try composition.insertTimeRange(range(0, 60), of: fixture.asset(name), at: .zero)
            composition.scaleTimeRange(range(0, 60), toDuration: time(30))
            let session = try fixture.export(composition, AVAssetExportPresetPassthrough, "out.mov")
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            fixture.assertNoMisuse()
            let track = try XCTUnwrap(fixture.asset("out.mov").tracks.first, name)
            XCTAssertEqual(track.timeRange.duration.seconds, 1, accuracy: 0.05, name)
            let stream = track.typedFormatDescriptions.first?.audioStreamBasicDescription
            XCTAssertEqual(stream.map { Int($0.mBitsPerChannel) }, bits, name)
        }
    }

    /// Returns the times in seconds at which claps begin: a sample above 0.1 after at least 50 ms below it.
    private func claps(in samples: [Float], rate: Double) -> [Double] {
        var (times, lastLoud) = ([Double](), -Double.infinity)
        for (index, sample) in samples.enumerated() where abs(sample) > 0.1 {
            let time = Double(index) / rate
            if time - lastLoud > 0.05 { times.append(time) }
            lastLoud = time
        }
        return times
    }

    /// Returns the decoded audio samples of an asset, with silence in gaps.
    private func decodedAudio(of asset: AVAsset) throws -> [Float] {
        var result: [Float] = []
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        for sample in try asset.samples(.audio, settings) {
            let start = Int((sample.presentationTimeStamp.seconds * Double(Self.rate)).rounded())
            result += [Float](repeating: 0, count: max(0, start - result.count))
            let data = try XCTUnwrap(sample.dataBuffer).dataBytes()
            result += data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        return result
    }

    /// Returns the audio samples that ffmpeg decodes, with silence in gaps.
    private func audioDecodedByFFmpeg(_ url: URL) throws -> [Float] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-i", url.path, "-af", "aresample=async=1:first_pts=0", "-ar", "\(Self.rate)",
            "-ac", "1", "-f", "f32le", "-",
        ]
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// Asserts that the claps of a movie begin when their frames are shown.
    private func assertInSync(
        _ fixture: AssetWriterFixture, _ name: String, clapCount: Int, accuracy: Double, line: UInt = #line
    ) throws {
        let movie = fixture.asset(name)
        let expected = try movie.samples(.video, [:]).filter { sample in
            sample.counter.map { Int($0) % Self.clapInterval == 0 } ?? false
        }.map(\.presentationTimeStamp.seconds)
        XCTAssertEqual(expected.count, clapCount, line: line)
        let decoded = try DecodedMovie(fixture.url(name))
        let shown = zip(decoded.frames, decoded.counters).compactMap { frame, counter in
            counter.map { Int($0) % Self.clapInterval == 0 } == true ? frame.time.seconds : nil
        }
        let clapTimes = claps(in: try decodedAudio(of: movie), rate: Double(Self.rate))
        let ffmpegClapTimes = claps(in: try audioDecodedByFFmpeg(fixture.url(name)), rate: Double(Self.rate))
        XCTAssertEqual(clapTimes.count, clapCount, "\(clapTimes)", line: line)
        XCTAssertEqual(ffmpegClapTimes.count, clapCount, "\(ffmpegClapTimes)", line: line)
        for (clap, time) in zip(clapTimes, expected) { XCTAssertEqual(clap, time, accuracy: accuracy, line: line) }
        // libavformat trims audio at an edit between other edits only to whole packets of 21 ms.
        for (clap, time) in zip(ffmpegClapTimes, shown) { XCTAssertEqual(clap, time, accuracy: 0.022, line: line) }
    }

    private func passthrough(
        _ fixture: AssetWriterFixture, _ asset: AVAsset, _ name: String, _ type: AVFileType = .mov
    ) throws {
        let session = try fixture.export(asset, AVAssetExportPresetPassthrough, name, type) {
            $0.audioTimePitchAlgorithm = .varispeed
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
    }

    func testStoredAudioStaysInSyncAcrossEdits() throws {
        for format in [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM] {
            let fixture = try AssetWriterFixture()
            let first = try movie(fixture, "a.mov", frames: 60, format)
            let second = try movie(fixture, "b.mov", frames: 60, format)
            let composition = fixture.system.run { AVMutableComposition() }
            try composition.insertTimeRange(range(4, 33), of: first, at: .zero)
            try composition.insertTimeRange(range(17, 55), of: second, at: time(29))
            try passthrough(fixture, composition, "out.mov")
            // Frames 10, 20 and 30 of the first movie; 20, 30, 40 and 50 of the second.
            try assertInSync(fixture, "out.mov", clapCount: 7, accuracy: 0.001)
            let stored = Set(
                try [first, second].flatMap { try $0.samples(.audio, nil) }
                    .compactMap { try $0.dataBuffer?.dataBytes() })
            if format == kAudioFormatMPEG4AAC {
                for sample in try fixture.asset("out.mov").samples(.audio, nil) {
                    XCTAssertTrue(stored.contains(try XCTUnwrap(sample.dataBuffer).dataBytes()))
                }
            } else {
                let copied = try decodedAudio(of: fixture.asset("out.mov"))
                let original = try decodedAudio(of: first)
                XCTAssertEqual(copied[0..<29 * 1600], original[4 * 1600..<33 * 1600])
            }
        }
    }

    func testScaledAudioIsEncodedInSyncWithStoredFrames() throws {
        for (format, type) in [
            (kAudioFormatMPEG4AAC, AVFileType.mov), (kAudioFormatLinearPCM, .mov), (kAudioFormatMPEG4AAC, .mp4),
        ] {
            let fixture = try AssetWriterFixture()
            let source = try movie(fixture, "a.mov", frames: 60, format)
            let composition = fixture.system.run { AVMutableComposition() }
            try composition.insertTimeRange(range(0, 60), of: source, at: .zero)
            composition.scaleTimeRange(range(15, 45), toDuration: time(60))
            let name = "out.\(type == .mov ? "mov" : "mp4")"
            try passthrough(fixture, composition, name, type)
            try assertInSync(fixture, name, clapCount: 6, accuracy: 0.003)
            let copy = fixture.asset(name)
            XCTAssertEqual(copy.duration, time(90))
            let description = try XCTUnwrap(copy.tracks(withMediaType: .audio).first?.typedFormatDescriptions.first)
            XCTAssertEqual(description.mediaSubType.rawValue, format)
            let bytes = { (asset: AVAsset) in try asset.samples(.video, nil).map { try $0.dataBuffer?.dataBytes() } }
            XCTAssertEqual(try bytes(copy), try bytes(source))
        }
    }

    func testAudioOfSeveralFormatsIsEncoded() throws {
        let fixture = try AssetWriterFixture()
        let first = try movie(fixture, "a.mov", frames: 45, kAudioFormatMPEG4AAC)
        let second = try movie(fixture, "b.mov", frames: 45, kAudioFormatLinearPCM)
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 33), of: first, at: .zero)
        try composition.insertTimeRange(range(5, 45), of: second, at: time(33))
        try passthrough(fixture, composition, "out.mov")
        try assertInSync(fixture, "out.mov", clapCount: 8, accuracy: 0.003)
    }
}
