import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

final class AudioEncoderTests: XCTestCase {
    private func encode(_ settings: AudioEncoderSettings, chunks: [Int]) throws -> (AudioEncoder, [EncodedSample]) {
        let encoder = try AudioEncoder(settings)
        var samples: [EncodedSample] = []
        for count in chunks {
            let bytes = [UInt8](repeating: 1, count: count * settings.input.bytesPerFrame)
            try bytes.withUnsafeBytes { samples += try encoder.encode($0, frameCount: count) }
        }
        samples += try encoder.finish()
        return (encoder, samples)
    }

    private let stereo = AudioStreamFormat(sampleRate: 48000, channelCount: 2, sample: .int16)

    func testPacketsAreContiguousAndCoverTheInput() throws {
        for chunks in [[1024], [1], [480, 480, 480], Array(repeating: 960, count: 50), [100_000]] {
            let (encoder, samples) = try encode(AudioEncoderSettings(input: stereo), chunks: chunks)
            XCTAssertEqual(encoder.initialPadding, 1024)
            for (index, sample) in samples.enumerated() {
                XCTAssertEqual(sample.presentationTime, CMTime(value: Int64(index - 1) * 1024, timescale: 48000))
            }
            let total = chunks.reduce(0, +)
            XCTAssertEqual(encoder.inputFrameCount, Int64(total))
            XCTAssertGreaterThanOrEqual((samples.count - 1) * 1024, total)
            XCTAssertLessThan((samples.count - 2) * 1024, total + 1024)
        }
    }

    func testTheOutputDoesNotDependOnChunkSizes() throws {
        let settings = AudioEncoderSettings(input: stereo)
        let first = try encode(settings, chunks: [9600]).1
        let second = try encode(settings, chunks: [1, 9599]).1
        let third = try encode(settings, chunks: Array(repeating: 480, count: 20)).1
        XCTAssertEqual(first.map(\.data), second.map(\.data))
        XCTAssertEqual(first.map(\.data), third.map(\.data))
    }

    func testSampleRatesAndFormatsAreConverted() throws {
        for sample in AudioStreamFormat.Sample.allCases {
            for (rate, expected) in [(44100.0, Int32(44100)), (16000, 16000), (11024, 11025), (37800, 44100)] {
                let settings = AudioEncoderSettings(
                    input: AudioStreamFormat(sampleRate: rate, channelCount: 1, sample: sample))
                let (encoder, samples) = try encode(settings, chunks: Array(repeating: 441, count: 40))
                XCTAssertEqual(encoder.format.sampleRate, expected)
                let frames = 441.0 * 40 * Double(expected) / rate
                XCTAssertGreaterThanOrEqual(Double(samples.count - 1) * 1024, frames - 1)
                XCTAssertLessThan(Double(samples.count - 2) * 1024, frames + 1024)
            }
        }
    }

    func testPCMIsNotChanged() throws {
        let (_, samples) = try encode(AudioEncoderSettings(codec: .pcm, input: stereo), chunks: [480, 1, 960])
        XCTAssertEqual(samples.map(\.sampleCount), [480, 1, 960])
        XCTAssertEqual(samples.map(\.presentationTime.value), [0, 480, 481])
        XCTAssertEqual(samples.map(\.data.count), [1920, 4, 3840])
    }

    func testInvalidSettingsAreRejected() {
        for bad in [
            AudioEncoderSettings(input: AudioStreamFormat(sampleRate: 0, channelCount: 1, sample: .int16)),
            AudioEncoderSettings(input: AudioStreamFormat(sampleRate: 48000, channelCount: 0, sample: .int16)),
            AudioEncoderSettings(input: stereo, sampleRate: 47999),
            AudioEncoderSettings(codec: .pcm, input: stereo, sampleRate: 900),
        ] {
            XCTAssertThrowsError(try AudioEncoder(bad)) {
                XCTAssertEqual(($0 as? EncodingError)?.code, .invalidSettings)
            }
        }
    }
}
