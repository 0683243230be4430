import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Decodes movies of other programs, and compares the result with FFmpeg's.
final class DecoderConfigurationTests: XCTestCase {
    private func makeMovie(_ name: String, _ arguments: [String]) throws -> (file: MovieFile, url: URL) {
        let url = try MediaFixture.folder(self).appendingPathComponent(name)
        let result = try MediaTools.run("ffmpeg", ["-v", "error", "-f", "lavfi"] + arguments + [url.path])
        XCTAssertEqual(result.status, 0, "\(name): \(result.errors)")
        return (try MovieFile(reading: DiskStorage().open(url, for: .reading)), url)
    }

    private func makeVideo(_ name: String, _ arguments: [String]) throws -> (file: MovieFile, url: URL) {
        try makeMovie(name, ["-i", "testsrc2=s=128x96:r=25:d=0.4", "-strict", "-2", "-threads", "1"] + arguments)
    }

    func testVideoOfCamerasAndOtherProgramsIsDecodedAsByFFmpeg() throws {
        let movies: [(name: String, arguments: [String])] = [
            ("m2v1.mov", ["-c:v", "mpeg2video", "-bf", "2"]), ("xdv1.mov", ["-c:v", "mpeg2video", "-tag:v", "xdv1"]),
            ("xd54.mov", ["-c:v", "mpeg2video", "-tag:v", "xd54"]),
            ("hdv2.mov", ["-c:v", "mpeg2video", "-tag:v", "hdv2"]),
            ("m1v1.mov", ["-c:v", "mpeg1video"]),
            ("mpeg2.mp4", ["-c:v", "mpeg2video", "-bf", "2"]), ("mpeg1.mp4", ["-c:v", "mpeg1video"]),
            ("jpeg.mp4", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]), ("mpeg4.mp4", ["-c:v", "mpeg4", "-bf", "2"]),
            ("xvid.mov", ["-c:v", "mpeg4", "-tag:v", "XVID"]), ("ffv1.mov", ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
            ("h263.mov", ["-c:v", "h263"]), ("huffyuv.mov", ["-c:v", "huffyuv", "-pix_fmt", "yuv422p"]),
            ("uyvy.mov", ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"]),
            ("jp2.mov", ["-c:v", "jpeg2000", "-pix_fmt", "yuv420p"]),
            ("dv.mov", ["-vf", "scale=720:576", "-c:v", "dvvideo", "-pix_fmt", "yuv420p"]),
        ]
        for (name, arguments) in movies {
            let (file, url) = try makeVideo(name, arguments)
            let track = try XCTUnwrap(file.map.tracks.first)
            let source = try VideoFrameSource(file, track)
            let size = try XCTUnwrap(track.formatDescription).dimensions
            let pixels = try MediaFixture.makeBuffer(Int(size.width), Int(size.height), source.pixelFormat)
            let isFullRange = source.pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
            let expected = try MediaTools.decodeVideo(url, isFullRange: isFullRange)
            let byteCount = Int(size.width) * Int(size.height) * 3 / 2
            XCTAssertEqual(source.times.frames.count, 10, name)
            XCTAssertEqual(expected.count, 10 * byteCount, name)
            for index in source.times.frames.indices {
                try source.render(source.frame(index), into: pixels)
                let frame = try MediaFixture.bytes(pixels)
                let reference = expected[index * byteCount..<(index + 1) * byteCount]
                let difference = zip(frame, reference).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                XCTAssertLessThan(Double(difference) / Double(byteCount), 1, "\(name): frame \(index)")
            }
        }
    }

    /// Decodes the sound to floating point and returns the level of each channel in decibels.
    private func levels(_ file: MovieFile, seconds: Double) throws -> [Double] {
        let source = try AudioFrameSource(file, try XCTUnwrap(file.map.tracks.first), sample: .float32)
        let rate = source.format.sampleRate
        source.start(Int64(0.2 * rate)..<Int64(seconds * rate))
        var sums = [Double](repeating: 0, count: source.format.channelCount)
        var count = 0
        while let chunk = try source.next() {
            chunk.bytes.withUnsafeBytes { bytes in
                for (index, value) in bytes.bindMemory(to: Float.self).enumerated() {
                    sums[index % sums.count] += Double(value * value)
                }
            }
            count += chunk.frameCount
        }
        XCTAssertEqual(Double(count), (seconds - 0.2) * rate, accuracy: rate * 0.05)
        return sums.map { 10 * log10($0 / Double(max(1, count)) + 1e-12) }
    }

    func testSoundOfOtherProgramsIsDecodedWithItsLevel() throws {
        // Each channel of the tone has a level of -21.1 dB.
        let movies: [(name: String, channelCount: Int, arguments: [String])] = [
            ("mp3.mp4", 2, ["-c:a", "libmp3lame"]), ("mp2.mp4", 2, ["-c:a", "mp2"]), ("mp2.mov", 1, ["-c:a", "mp2"]),
            ("ac3.mp4", 1, ["-c:a", "ac3"]), ("eac3.mp4", 1, ["-c:a", "eac3"]), ("ac3.mov", 1, ["-c:a", "ac3"]),
            ("dts.mp4", 2, ["-c:a", "dca"]), ("dts.mov", 1, ["-c:a", "dca"]), ("vorbis.mp4", 2, ["-c:a", "libvorbis"]),
            ("ima4.mov", 1, ["-c:a", "adpcm_ima_qt"]), ("ms.mov", 1, ["-c:a", "adpcm_ms"]),
            ("ima.mov", 2, ["-c:a", "adpcm_ima_wav", "-af", "pan=stereo|c0=c0|c1=c0"]),
            ("gsm.mov", 1, ["-c:a", "libgsm", "-ar", "8000"]),
            ("gsm-ms.mov", 1, ["-c:a", "libgsm_ms", "-ar", "8000"]), ("alaw.mov", 1, ["-c:a", "pcm_alaw"]),
            ("nelly.mov", 1, ["-c:a", "nellymoser", "-ar", "16000"]),
        ]
        for (name, channelCount, arguments) in movies {
            let file = try makeMovie(name, ["-i", "sine=f=440:r=48000:d=1", "-strict", "-2"] + arguments).file
            let levels = try levels(file, seconds: 1)
            XCTAssertEqual(levels.count, channelCount, name)
            for level in levels { XCTAssertEqual(level, -21.1, accuracy: 0.7, name) }
        }
    }

    func testAllFramesOfASampleOfSpeechAreDecoded() throws {
        // The rate and the number of bytes of each frame, including the rate.
        let codecs: [(code: String, frames: [(rate: UInt8, byteCount: Int)])] = [
            ("sqcp", [(1, 4), (4, 35), (2, 8), (0, 1), (3, 17), (4, 35)]),
            ("sevc", [(1, 3), (4, 23), (3, 11), (0, 1), (4, 23), (4, 23)]),
        ]
        for (code, frames) in codecs {
            let stream = AudioStreamBasicDescription(
                mSampleRate: 8000, mFormatID: FourCharCode(fourCharacters: code), mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
            let description = try CMFormatDescription(audioStreamBasicDescription: stream)
            let configuration = try XCTUnwrap(DecoderConfiguration(description), code)
            let track = MediaTrack(
                index: 1, content: .audio(MediaTrack.Audio(sampleRate: 8000, channelCount: 1)),
                codecName: configuration.name, startTime: .zero, duration: .invalid,
                timeBase: MediaTimeBase(numerator: 1, denominator: 8000))
            let decoder = try AudioDecoder(
                configuration, track: track, path: code,
                format: AudioStreamFormat(sampleRate: 8000, channelCount: 1, sample: .int16))
            let bytes = frames.flatMap { frame in [frame.rate] + [UInt8](repeating: 0, count: frame.byteCount - 1) }
            let packet = bytes.withUnsafeBytes { bytes in
                MediaPacket(bytes, track: track, presentation: 0, decode: 0, duration: 960, isKeyFrame: true)
            }
            let chunks = try decoder.decode(try XCTUnwrap(packet)).chunks
            XCTAssertEqual(chunks.map(\.frameCount), [Int](repeating: 160, count: frames.count), code)
        }
    }

    func testTheChannelsOfAC3AreThoseOfTheStream() throws {
        for name in ["ac3", "eac3"] {
            let tone = ["-i", "sine=f=440:r=48000:d=0.2", "-c:a", name, "-ac", "6"]
            let track = try XCTUnwrap(makeMovie("a.mp4", tone).file.map.tracks.first)
            XCTAssertEqual(track.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame, 6, name)
        }
    }

    func testFormatsThatNeedAPaletteAreNotDecodable() throws {
        let track = try XCTUnwrap(makeVideo("smc.mov", ["-c:v", "smc"]).file.map.tracks.first)
        XCTAssertNil(DecoderConfiguration(try XCTUnwrap(track.formatDescription)))
    }

    func testPacketsOfAFixedSizeAreFoundAndCopied() throws {
        // QuickTime lists each of their decoded frames as a sample.
        for codec in ["adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "libgsm"] {
            let tone = ["-i", "sine=f=440:r=8000:d=1", "-c:a", codec, "-ar", "8000"]
            let (file, url) = try makeMovie("a.mov", tone)
            let track = try XCTUnwrap(file.map.tracks.first)
            let media = try XCTUnwrap(file.map.boxes.first { $0.type == "mdat" }).body
            XCTAssertEqual(track.samples.byteCount, Int64(media.count), codec)
            XCTAssertEqual(
                try MovieChecker.problems(of: file.map, in: DiskStorage().open(url, for: .reading)), [], codec)
            let copy = url.deletingLastPathComponent().appendingPathComponent("b.mov")
            _ = try MovieRepair.repair(url, to: copy, in: DiskStorage())
            XCTAssertEqual(try MediaTools.decodeAudio(copy), try MediaTools.decodeAudio(url), codec)
        }
    }
}
