import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

/// The same input results in the same bytes, regardless of the previous contents of allocated memory.
///
/// In a new process, memory is all zeros, so that reads of uninitialized memory have no visible effect.
final class RepeatableEncodingTests: XCTestCase {
    /// Encodes without filling memory, and then once for each byte with which new memory is filled.
    private func assertRepeats(_ name: String, _ encode: () throws -> [Data], line: UInt = #line) throws {
        let first = try encode()
        XCTAssertFalse(first.isEmpty, name, line: line)
        defer { fillNewMemory(with: 0) }
        for byte: UInt8 in [1, 85, 170, 200, 255] {
            fillNewMemory(with: byte)
            let result = try encode()
            XCTAssertTrue(result == first, "\(name) differs in memory filled with \(byte)", line: line)
        }
    }

    /// Makes the C library fill allocated memory with the complement of a byte (`M_PERTURB`); 0 stops that.
    private func fillNewMemory(with byte: UInt8) {
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return XCTFail("no mallopt") }
        XCTAssertEqual(unsafeBitCast(symbol, to: Option.self)(-6, Int32(byte)), 1)
    }

    private func encode(_ settings: VideoEncoderSettings) throws -> [Data] {
        let encoder = try VideoEncoder(settings)
        var samples: [EncodedSample] = []
        for frame in 0..<24 {
            let buffer = try SyntheticMedia.frame(
                frame, width: Int(settings.dimensions.width), height: Int(settings.dimensions.height))
            samples += try encoder.encode(
                buffer, at: CMTime(value: Int64(frame), timescale: 30), duration: CMTime(value: 1, timescale: 30))
        }
        samples += try encoder.finish()
        return samples.map(\.data)
    }

    func testVideoEncodingIsRepeatableForAllWidths() throws {
        for codec in VideoSampleFormat.Codec.allCases {
            // 10, 11, 12, 16 and 20 macroblocks.
            for width: Int32 in codec == .h264 ? [160, 176, 192, 256, 320] : [160, 256] {
                for reorders in codec == .h264 ? [false, true] : [false] {
                    var settings = VideoEncoderSettings(
                        codec: codec, dimensions: CMVideoDimensions(width: width, height: 144))
                    settings.allowsFrameReordering = reorders
                    try assertRepeats("\(codec) \(width) \(reorders)") { try encode(settings) }
                }
            }
        }
    }

    func testAudioEncodingIsRepeatable() throws {
        for codec in AudioEncoderSettings.Codec.allCases {
            for (channelCount, rate) in [(1, 48000.0), (2, 44100), (1, 32000)] {
                let settings = AudioEncoderSettings(
                    codec: codec,
                    input: AudioStreamFormat(sampleRate: rate, channelCount: channelCount, sample: .int16),
                    sampleRate: 48000)
                try assertRepeats("\(codec) \(channelCount) \(rate)") {
                    let encoder = try AudioEncoder(settings)
                    var samples: [EncodedSample] = []
                    for start in stride(from: 0, to: 24000, by: 1600) {
                        // A tone with a burst, so that the encoder uses long and short blocks.
                        let bytes = SyntheticMedia.audio(frames: start..<start + 1600, channels: channelCount) {
                            frame in
                            frame % 9000 < 300 ? Int16(truncatingIfNeeded: frame &* 7919) : SyntheticMedia.tone(frame)
                        }
                        samples += try bytes.withUnsafeBytes { try encoder.encode($0, frameCount: 1600) }
                    }
                    samples += try encoder.finish()
                    return samples.map(\.data)
                }
            }
        }
    }
}
