import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Every audio codec in every container that supports it, decoded by FFmpeg.
final class AudioCodecTests: XCTestCase {
    private let second = CMTime(value: 1, timescale: 1)

    private func write(
        _ settings: AudioEncoderSettings, to url: URL, container: MovieContainer, bytes: [UInt8]
    ) throws {
        let encoder = try AudioEncoder(settings)
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: container, fragmentInterval: .invalid))
        let track = try writer.addTrack(
            MovieTrackConfiguration(format: .audio(encoder.format), timescale: encoder.format.sampleRate))
        let frameSize = settings.input.bytesPerFrame
        var samples: [EncodedSample] = []
        try bytes.withUnsafeBytes { samples += try encoder.encode($0, frameCount: bytes.count / frameSize) }
        samples += try encoder.finish()
        for sample in samples { try writer.append(sample, to: track) }
        let end = CMTime(value: Int64(bytes.count / frameSize), timescale: Int32(settings.input.sampleRate))
        writer.extendLastSample(of: track, until: end)
        writer.setPresentationEnd(end, of: track)
        try writer.finish()
    }

    private var stereo: AudioStreamFormat { AudioStreamFormat(sampleRate: 48000, channelCount: 2, sample: .int16) }

    private func decoded(_ url: URL, format: String) throws -> [UInt8] {
        let result = try MediaTools.run("ffmpeg", ["-v", "error", "-i", url.path, "-map", "a", "-f", format, "-"])
        XCTAssertEqual(result.errors, "")
        return Array(result.output)
    }

    func testLosslessAudioIsReadBackExactly() throws {
        let folder = try TemporaryFolder()
        let bytes = SyntheticMedia.audio(frames: 0..<48000, channels: 2) {
            SyntheticMedia.tone($0) &* 7 &+ Int16($0 % 5)
        }
        for container in MovieContainer.allCases {
            let url = folder.file("alac.\(container.rawValue)")
            try write(AudioEncoderSettings(codec: .alac, input: stereo), to: url, container: container, bytes: bytes)
            XCTAssertTrue(try decoded(url, format: "s16le") == bytes, "\(container)")
            XCTAssertEqual(try MediaTools.probe(url, "stream=codec_name,duration"), ["alac,1.000000"])
        }
    }

    func testLosslessAudioKeepsTwentyFourBits() throws {
        let folder = try TemporaryFolder()
        let values = (0..<24000).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) & ~0xff }
        let bytes = values.withUnsafeBytes { Array($0) }
        let input = AudioStreamFormat(sampleRate: 48000, channelCount: 1, sample: .int32)
        for settings in [
            AudioEncoderSettings(codec: .alac, input: input),
            AudioEncoderSettings(codec: .pcm, input: input, pcmFormat: .int24),
            AudioEncoderSettings(
                codec: .pcm, input: input, pcmFormat: PCMFormat.int24.withByteOrder(isBigEndian: true)),
            AudioEncoderSettings(codec: .pcm, input: input),
            AudioEncoderSettings(codec: .pcm, input: input, pcmFormat: .float64),
        ] {
            let url = folder.file("\(settings.hashValue).mov")
            try write(settings, to: url, container: .mov, bytes: bytes)
            XCTAssertTrue(try decoded(url, format: "s32le") == bytes, "\(settings)")
        }
    }

    func testOpusPlaysFromZeroToTheEnd() throws {
        let folder = try TemporaryFolder()
        let bytes = SyntheticMedia.audio(frames: 0..<48000, channels: 2) { SyntheticMedia.tone($0) }
        for container in MovieContainer.allCases {
            let url = folder.file("opus.\(container.rawValue)")
            try write(AudioEncoderSettings(codec: .opus, input: stereo), to: url, container: container, bytes: bytes)
            let pcm = try MediaTools.decodeAudio(url)
            // FFmpeg does not trim the last packet; the edit list contains the end of the audio.
            XCTAssertEqual(pcm.count, 51 * 960 - 312, "\(container)")
            XCTAssertEqual(try MediaTools.probe(url, "format=duration"), ["1.000000"])
            // The tone is not shifted in time.
            let difference = (4800..<43200).map { abs(Int(pcm[$0]) - Int(SyntheticMedia.tone($0))) }.max() ?? 0
            XCTAssertLessThan(difference, 400, "\(container)")
        }
    }

    func testEveryCodecSupportsOtherSampleRates() throws {
        let folder = try TemporaryFolder()
        let input = AudioStreamFormat(sampleRate: 44100, channelCount: 1, sample: .float32)
        let values = (0..<44100).map { Float(SyntheticMedia.tone($0, rate: 44100)) / 32768 }
        let bytes = values.withUnsafeBytes { Array($0) }
        for (settings, rate, channels) in [
            (AudioEncoderSettings(codec: .pcm, input: input, sampleRate: 16000, channelCount: 2), 16000, 2),
            (AudioEncoderSettings(codec: .opus, input: input), 48000, 1),
            (AudioEncoderSettings(codec: .aac, input: input, sampleRate: 32000, channelCount: 2), 32000, 2),
            (AudioEncoderSettings(codec: .alac, input: input, sampleRate: 22050), 22050, 1),
        ] {
            let url = folder.file("\(settings.codec).mov")
            try write(settings, to: url, container: .mov, bytes: bytes)
            XCTAssertEqual(
                try MediaTools.probe(url, "stream=sample_rate,channels"), ["\(rate),\(channels)"], "\(settings.codec)")
            let pcm = try MediaTools.decodeAudio(url)
            XCTAssertEqual((Double(pcm.count) / 1024).rounded(.down), (Double(rate) / 1024).rounded(.up), accuracy: 1)
            XCTAssertEqual(try MediaTools.probe(url, "format=duration"), ["1.000000"], "\(settings.codec)")
            let loudest = pcm.map { abs(Int($0)) }.max() ?? 0
            XCTAssertGreaterThan(loudest, 2200, "\(settings.codec)")
        }
    }

    func testInvalidSettingsAreRejected() {
        for bad in [
            AudioEncoderSettings(codec: .pcm, input: stereo, pcmFormat: PCMFormat(bitsPerSample: 12)),
            AudioEncoderSettings(codec: .pcm, input: stereo, pcmFormat: PCMFormat(bitsPerSample: 16, isFloat: true)),
            AudioEncoderSettings(codec: .opus, input: stereo, bitRate: 1),
            AudioEncoderSettings(codec: .alac, input: stereo, sampleRate: 1_000_000),
        ] {
            XCTAssertThrowsError(try AudioEncoder(bad)) {
                XCTAssertEqual(($0 as? EncodingError)?.code, .invalidSettings)
            }
        }
    }
}
