import MediaTypes
import XCTest

@testable import MediaCodecs

final class AudioResamplerTests: XCTestCase {
    /// Returns the levels of the output channels for constant levels of the input channels.
    private func mix(_ levels: [Float], to count: Int, sample: AudioStreamFormat.Sample) throws -> [Float] {
        let resampler = try AudioResampler(
            from: AudioStreamFormat(sampleRate: 48000, channelCount: levels.count, sample: .float32),
            to: AudioStreamFormat(sampleRate: 48000, channelCount: count, sample: sample), path: "test")
        let frames = 256
        let input = (0..<frames).flatMap { _ in levels }
        let bytes = try resampler.convert(input.withUnsafeBytes { Array($0) }, frameCount: frames)
        return bytes.withUnsafeBytes { bytes in
            switch sample {
            case .float32: Array(bytes.bindMemory(to: Float.self).prefix(count))
            case .int16: bytes.bindMemory(to: Int16.self).prefix(count).map { Float($0) / 32768 }
            case .int32: bytes.bindMemory(to: Int32.self).prefix(count).map { Float($0) / 2_147_483_648 }
            }
        }
    }

    func testSurroundSoundIsMixedWithoutClipping() throws {
        // Left, right, center, low frequencies, and the two surround channels. Left of stereo is
        // L + 0.7071 C + 0.7071 Ls (ITU-R BS.775-3, annex 4), divided by the sum of the coefficients.
        let sum: Float = 1 + 2 * 0.7071
        for sample in [AudioStreamFormat.Sample.float32, .int16] {
            let all = try mix([1, 1, 1, 1, 1, 1], to: 2, sample: sample)
            for level in all { XCTAssertEqual(level, 1, accuracy: 0.001, "\(sample)") }
            let left = try mix([1, 0, 0, 0, 0, 0], to: 2, sample: sample)
            XCTAssertEqual(left[0], 1 / sum, accuracy: 0.001, "\(sample)")
            XCTAssertEqual(left[1], 0, accuracy: 0.001, "\(sample)")
            for level in try mix([0, 0, 1, 0, 0, 0], to: 2, sample: sample) {
                XCTAssertEqual(level, 0.7071 / sum, accuracy: 0.001, "\(sample)")
            }
        }
    }
}
