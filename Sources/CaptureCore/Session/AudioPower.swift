import CaptureHAL
import Foundation
import MediaTypes

/// The average power and the peak hold level of one channel, in dB relative to full scale.
struct AudioPower: Sendable, Hashable {
    /// The lowest level, which Apple's meters report for silence.
    static let silence: Float = -160

    /// The root mean square of the last chunk.
    var average: Float = silence
    /// The peak level, which decays by 20 dB per second.
    var peakHold: Float = silence

    /// Returns the levels of each channel after a chunk.
    ///
    /// - Parameter previous: The levels before the chunk; channels that are missing begin with silence.
    static func levels(of chunk: AudioChunk, after previous: [AudioPower]) -> [AudioPower] {
        let format = chunk.format
        let decay = Float(20 * Double(chunk.frameCount) / format.sampleRate)
        return (0..<format.channelCount).map { channel in
            let (meanSquare, peak) = measure(chunk, channel)
            let old = channel < previous.count ? previous[channel] : AudioPower()
            return AudioPower(
                average: max(silence, Float(10 * log10(meanSquare))),
                peakHold: max(silence, Float(20 * log10(peak)), old.peakHold - decay))
        }
    }

    /// Returns the mean square and the maximum absolute value of a channel; full scale is 1.
    private static func measure(_ chunk: AudioChunk, _ channel: Int) -> (meanSquare: Double, peak: Double) {
        guard chunk.frameCount > 0 else { return (0, 0) }
        let stride = chunk.format.channelCount
        return chunk.data.withUnsafeBytes { bytes in
            var sum = 0.0
            var peak = 0.0
            func add(_ sample: Double) {
                sum += sample * sample
                peak = max(peak, abs(sample))
            }
            // A loop over a sequence takes several times as long in debug builds, in which clients run their tests.
            var index = channel
            while index < chunk.frameCount * stride {
                switch chunk.format.sample {
                case .int16: add(Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)) / 32768)
                case .int32: add(Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)) / 2_147_483_648)
                case .float32: add(Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)))
                }
                index += stride
            }
            return (sum / Double(chunk.frameCount), peak)
        }
    }
}
