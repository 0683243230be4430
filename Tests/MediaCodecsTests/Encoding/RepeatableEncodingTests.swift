import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

/// The same input results in the same bytes, regardless of the previous contents of allocated memory.
///
/// In a new process, memory is all zeros, so that reads of uninitialized memory have no visible effect.
final class RepeatableEncodingTests: XCTestCase {
    /// Encodes without filling memory, and then with each of several values of `M_PERTURB`.
    private func assertRepeats(_ name: String, _ encode: () throws -> [Data], line: UInt = #line) throws {
        let first = try encode()
        XCTAssertFalse(first.isEmpty, name, line: line)
        defer { setMemoryPerturbation(0) }
        for value: UInt8 in [1, 85, 170, 200, 255] {
            setMemoryPerturbation(value)
            let result = try encode()
            XCTAssertTrue(result == first, "\(name) differs if M_PERTURB is \(value)", line: line)
        }
    }

    /// Sets `M_PERTURB`: the C library fills allocated memory with the complement of the value; 0 stops that.
    private func setMemoryPerturbation(_ value: UInt8) {
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return XCTFail("no mallopt") }
        XCTAssertEqual(unsafeBitCast(symbol, to: Option.self)(-6, Int32(value)), 1)
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
            // Rows of 10, 11, 12, 16 and 20 macroblocks.
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
