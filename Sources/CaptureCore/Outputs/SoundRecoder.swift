import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// Brings a run of sound without a gap into another rate, number of channels or form of samples.
///
/// - Important: Confined.
final class SoundRecoder {
    private let input: AudioStreamFormat
    private let encoder: AudioEncoder
    private let description: CMFormatDescription
    private let rate: CMTimeScale
    /// The time of the first frame.
    private let start: CMTime
    /// The position of the frame that comes next.
    private var position: Int64

    /// - Returns: nil where the library cannot convert such sound, as from or to more than eight channels.
    init?(_ settings: WriterAudioSettings, from chunk: AudioChunk) {
        var wanted = settings.encoder(for: chunk.format)
        wanted.pcmPacketFrameCount = 1024
        do throws(EncodingError) {
            encoder = try AudioEncoder(wanted)
        } catch {
            return nil
        }
        input = chunk.format
        start = chunk.presentationTime
        position = chunk.samplePosition
        rate = encoder.format.sampleRate
        description = CMFormatDescription(
            pcm: wanted.outputPCMFormat.streamDescription(
                sampleRate: Double(rate), channelCount: encoder.format.channelCount))
    }

    /// Whether the sound goes on where the last ended.
    func takes(_ chunk: AudioChunk) -> Bool {
        chunk.format == input && chunk.samplePosition == position && !chunk.followsDiscontinuity
    }

    /// What is ready of the sound so far.
    func recode(_ chunk: AudioChunk) -> [CMSampleBuffer] {
        position += Int64(chunk.frameCount)
        let samples = chunk.data.withUnsafeBytes { bytes in
            // Only a finished encoder and bytes of a wrong count are refused, and these are neither.
            try? encoder.encode(bytes, frameCount: chunk.frameCount)
        }
        return (samples ?? []).map { sample in
            CMSampleBuffer(
                pcm: CMBlockBuffer(copying: [UInt8](sample.data)), format: description, frameCount: sample.sampleCount,
                timing: CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: rate),
                    presentationTimeStamp: CMTime(nanoseconds: start.nanoseconds + sample.presentationTime.nanoseconds),
                    decodeTimeStamp: .invalid))
        }
    }
}

extension PCMFormat {
    /// Interleaved sound of such samples, as Core Audio describes it.
    func streamDescription(sampleRate: Double, channelCount: Int) -> AudioStreamBasicDescription {
        var flags = kAudioFormatFlagIsPacked
        flags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        let bytesPerFrame = UInt32(byteCount * channelCount)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame,
            mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(bitsPerSample), mReserved: 0)
    }
}
