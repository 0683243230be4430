import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class VideoDecoderTests: XCTestCase {
    private struct Outcome {
        var frames: [MediaFixture.Frame] = []
        var damageMessages: [String] = []
    }

    /// Decodes at most `limit` frames of the first video track. Times are in microseconds.
    private func decode(_ path: String, limit: Int = .max) throws -> Outcome {
        let reader = try MediaFileReader(path: path)
        let track = try XCTUnwrap(reader.tracks.first { $0.isVideo })
        guard case .video(let video) = track.content else { return Outcome() }
        reader.select([track.index])
        let decoder = try VideoDecoder(reader: reader, track: track)
        let pixels = try MediaFixture.makeBuffer(
            Int(video.dimensions.width), Int(video.dimensions.height), decoder.pixelFormat)
        var outcome = Outcome()
        var isAtEnd = false
        while !isAtEnd && outcome.frames.count < limit {
            let output: VideoDecoder.Output
            switch try reader.next() {
            case .packet(let packet): output = try decoder.decode(packet)
            case .damaged(let message):
                outcome.damageMessages.append(message)
                continue
            case .end:
                output = try decoder.decode(nil)
                isAtEnd = true
            }
            if let damage = output.errorMessage { outcome.damageMessages.append(damage) }
            for frame in output.frames {
                try decoder.render(frame, into: pixels)
                let time = CMTimeConvertScale(frame.time, timescale: 1_000_000, method: .roundHalfAwayFromZero)
                let checksum = MediaFixture.adler(try MediaFixture.bytes(pixels))
                outcome.frames.append(MediaFixture.Frame(time: time.value, checksum: checksum))
            }
        }
        return outcome
    }

    func testFramesBeforeAnEditAreNotReturned() throws {
        // The copy begins with the key frame before its first presented frame.
        let folder = try MediaFixture.folder(self)
        for (name, arguments) in [
            ("av1", ["-c:v", "libaom-av1", "-cpu-used", "8", "-row-mt", "0"]),
            ("h264", ["-c:v", "libx264", "-bf", "2"]),
            ("vp9", ["-c:v", "libvpx-vp9", "-deadline", "realtime"]),
        ] {
            let whole = folder.appendingPathComponent("\(name).mp4").path
            let part = folder.appendingPathComponent("\(name)-part.mp4")
            for arguments in [
                ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-g", "20"] + arguments + [whole],
                ["-ss", "0.8", "-i", whole, "-c", "copy", part.path],
            ] {
                let result = try MediaTools.run("ffmpeg", ["-v", "error"] + arguments)
                XCTAssertEqual(result.status, 0, result.errors)
            }
            let map = try MovieMap(reading: DiskStorage().open(part, for: .reading))
            XCTAssertEqual(map.tracks.first?.samples.sampleCount, 20, name)
            let frames = try decode(part.path).frames
            XCTAssertEqual(frames.count, map.tracks.first?.presentedRuns.count, name)
            XCTAssertTrue(frames.allSatisfy { $0.time >= 0 }, name)
        }
    }

    func testAnAVIFileIsDecodedAsByFFmpeg() throws {
        let outcome = try decode(MediaFixture.path("street-3s.avi"), limit: 30)
        XCTAssertEqual(outcome.frames, try MediaFixture.frames("street-3s.video.framecrc"))
        XCTAssertEqual(outcome.damageMessages, [])
    }

    func testVariableFrameRateBFramesAndADamagedSliceAreDecodedAsByFFmpeg() throws {
        let outcome = try decode(MediaFixture.path("handheld-3s.mp4"))
        let frames = try MediaFixture.frames("handheld-3s.video.framecrc")
        XCTAssertEqual(outcome.frames.map(\.checksum), frames.map(\.checksum))
        // The last two frames are returned after the last packet. Their times are not compared, because the decode time
        // of that packet can replace a missing time.
        XCTAssertEqual(outcome.frames.prefix(88), frames.prefix(88))
        XCTAssertEqual(outcome.damageMessages, ["A non-intra slice in an IDR NAL unit."])
    }

    func testTrackPropertiesAreRead() throws {
        let reader = try MediaFileReader(path: MediaFixture.path("street-3s.avi"))
        let track = try XCTUnwrap(reader.tracks.first)
        guard case .video(let video) = track.content else { return XCTFail("no video") }
        XCTAssertEqual(video.dimensions.pixelSize, PixelSize(width: 768, height: 576))
        XCTAssertEqual(video.frameDuration, CMTime(value: 1, timescale: 10))
        XCTAssertEqual(video.rotation, .none)
        XCTAssertEqual(track.duration, CMTime(value: 3, timescale: 1))
        XCTAssertEqual(track.codecName, "msmpeg4")
    }

    /// Decodes a frame in a track whose description specifies another size, and returns the number of decoded frames.
    private func decodedFrameCount(
        _ codec: VideoSampleFormat.Codec, _ frameSize: (width: Int, height: Int), inTrackOf trackSize: (Int32, Int32)
    ) throws -> Int {
        let encoder = try VideoEncoder(
            VideoEncoderSettings(
                codec: codec,
                dimensions: CMVideoDimensions(width: Int32(frameSize.width), height: Int32(frameSize.height))))
        let pixels = try SyntheticMedia.frame(0, width: frameSize.width, height: frameSize.height)
        var samples = try encoder.encode(pixels, at: .zero, duration: CMTime(value: 1, timescale: 30))
        samples += try encoder.finish()
        let dimensions = CMVideoDimensions(width: trackSize.0, height: trackSize.1)
        let format = VideoSampleFormat(
            codec: codec, dimensions: dimensions, configuration: encoder.format.configuration)
        let configuration = try XCTUnwrap(DecoderConfiguration(MovieSampleFormat.video(format).makeDescription()))
        let track = MediaTrack(
            index: 0,
            content: .video(
                .init(dimensions: dimensions, rotation: .none, isFullRange: false, frameDuration: .invalid)),
            codecName: configuration.name, startTime: .zero, duration: .invalid,
            timeBase: MediaTimeBase(numerator: 1, denominator: 30))
        let decoder = try VideoDecoder(configuration, track: track, path: "frame")
        let sample = try XCTUnwrap(samples.first)
        let packet = sample.data.withUnsafeBytes { bytes in
            MediaPacket(bytes, track: track, presentation: 0, decode: 0, duration: 1, isKeyFrame: true)
        }
        return try decoder.decode(try XCTUnwrap(packet)).frames.count + decoder.decode(nil).frames.count
    }

    func testFramesOfMoreThanFourTimesTheTracksSizeAreRejected() throws {
        for codec in [VideoSampleFormat.Codec.h264, .jpeg] {
            // Frames of 2^21 pixels are accepted in tracks of any size.
            XCTAssertEqual(try decodedFrameCount(codec, (2048, 1024), inTrackOf: (64, 48)), 1, codec.name)
            XCTAssertEqual(try decodedFrameCount(codec, (2048, 2048), inTrackOf: (64, 48)), 0, codec.name)
            XCTAssertEqual(try decodedFrameCount(codec, (2048, 2048), inTrackOf: (1024, 1024)), 1, codec.name)
            XCTAssertEqual(try decodedFrameCount(codec, (2048, 2304), inTrackOf: (1024, 1024)), 0, codec.name)
        }
    }

    func testRandomDamageNeverCrashesTheDecoder() throws {
        let folder = try MediaFixture.folder(self)
        for (name, seeds) in [("street-3s.avi", 0..<12), ("handheld-3s.mp4", 12..<24)] {
            let original = try Data(contentsOf: URL(fileURLWithPath: MediaFixture.path(name)))
            for seed in seeds {
                var generator = SplitMix64(seed: UInt64(seed))
                var bytes = [UInt8](original.prefix(120_000))
                for _ in 0..<(1 << Int.random(in: 0...9, using: &generator)) {
                    // About half of the changes are in the first 4096 bytes, the headers of the container.
                    let end = Bool.random(using: &generator) ? bytes.count : 4096
                    bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
                let url = folder.appendingPathComponent("\(seed).bin")
                try Data(bytes).write(to: url)
                do {
                    let first = try decode(url.path, limit: 12)
                    let second = try decode(url.path, limit: 12)
                    XCTAssertEqual(first.frames, second.frames, "seed \(seed)")
                    XCTAssertEqual(first.damageMessages, second.damageMessages, "seed \(seed)")
                } catch let error as MediaFileError {
                    XCTAssertFalse(error.message.isEmpty)
                } catch let error as XCTestError {
                    // A file without a video track.
                    XCTAssertFalse(error.localizedDescription.isEmpty)
                }
            }
        }
    }
}
