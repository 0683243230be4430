import AssetTypes
import CaptureHAL
public import Foundation
import MediaTypes

/// One audio channel of a connection, with a level meter and a gain; clients may retain and poll it.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioChannel: NSObject, Sendable {
    private struct State {
        var power = AudioPower()
        var volume: Float = 1
        var isEnabled = true
    }

    private let state = Lock(State())

    /// The root mean square of the last audio chunk in dB relative to full scale; -160 for silence and before the first
    /// chunk.
    public var averagePowerLevel: Float { state.withLock { $0.power.average } }

    /// The peak level in dB relative to full scale; decays by 20 dB per second.
    public var peakHoldLevel: Float { state.withLock { $0.power.peakHold } }

    /// The gain factor of the samples: 0 (silence) or greater; 1 by default. Results are clipped at full scale. Setting
    /// a negative value sets 0; setting a value that is not finite sets 1.
    ///
    /// The power levels are measured after the gain.
    /// - Note: Unlike Apple, it is not limited to macOS.
    public var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isFinite ? max(0, newValue) : 1 } }
    }

    /// Whether the channel is enabled; true by default. A disabled channel is silent, so that the number of channels
    /// does not change.
    ///
    /// - Note: Unlike Apple, it is not limited to macOS.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// The effective gain: 0 while the channel is disabled.
    var gain: Float { state.withLock { $0.isEnabled ? $0.volume : 0 } }

    var power: AudioPower {
        get { state.withLock { $0.power } }
        set { state.withLock { $0.power = newValue } }
    }
}

extension AVCaptureConnection {
    /// The channels of an audio connection, for level meters, also before the first audio chunk; empty for video.
    ///
    /// The same objects are returned each time, unless the device changes its number of channels.
    public var audioChannels: [AVCaptureAudioChannel] {
        guard mediaType == .audio else { return [] }
        guard let description = inputPorts.first?.deliveredDescription?.audioStreamBasicDescription else {
            return state.withLock { $0.audioChannels }
        }
        return channels(Int(description.mChannelsPerFrame))
    }

    /// Returns an audio chunk with the gains of the channels applied, and updates the meters of the channels.
    func applyChannels(to chunk: AudioChunk) -> AudioChunk {
        let channels = channels(chunk.format.channelCount)
        let amplified = chunk.amplified(by: channels.map(\.gain))
        let levels = AudioPower.levels(of: amplified, after: channels.map(\.power))
        for (channel, level) in zip(channels, levels) { channel.power = level }
        return amplified
    }

    /// Returns the channels, after adding or removing channels at the end to match a count.
    private func channels(_ count: Int) -> [AVCaptureAudioChannel] {
        state.withLock { state in
            let oldCount = state.audioChannels.count
            if count > oldCount {
                state.audioChannels += (oldCount..<count).map { _ in AVCaptureAudioChannel() }
            } else {
                state.audioChannels.removeLast(oldCount - count)
            }
            return state.audioChannels
        }
    }
}

extension AudioChunk {
    /// Returns the chunk with the samples of each channel multiplied by a factor, clipped at full scale; unchanged if
    /// all are 1.
    func amplified(by gains: [Float]) -> AudioChunk {
        guard gains.contains(where: { $0 != 1 }), gains.count == format.channelCount else { return self }
        var bytes = data.withUnsafeBytes { [UInt8]($0) }
        bytes.withUnsafeMutableBytes { bytes in
            for index in 0..<(frameCount * gains.count) {
                let gain = Double(gains[index % gains.count])
                switch format.sample {
                case .int16: bytes.scale(index, Int16.self, by: gain)
                case .int32: bytes.scale(index, Int32.self, by: gain)
                case .float32:
                    let sample = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                    let scaled = min(1, max(-1, sample * Float(gain)))
                    bytes.storeBytes(of: scaled, toByteOffset: 4 * index, as: Float.self)
                }
            }
        }
        var chunk = self
        chunk.data = CMBlockBuffer(copying: bytes)
        return chunk
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func scale<Sample: FixedWidthInteger>(_ index: Int, _ type: Sample.Type, by gain: Double) {
        let offset = index * MemoryLayout<Sample>.size
        let (minimum, maximum) = (Double(Sample.min), Double(Sample.max))
        let scaled = (Double(loadUnaligned(fromByteOffset: offset, as: Sample.self)) * gain).rounded()
        storeBytes(of: Sample(scaled.clamped(minimum, maximum)), toByteOffset: offset, as: Sample.self)
    }
}

extension Double {
    fileprivate func clamped(_ minimum: Double, _ maximum: Double) -> Double {
        Swift.min(maximum, Swift.max(minimum, self))
    }
}
