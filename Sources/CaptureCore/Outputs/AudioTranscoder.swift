import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// Converts continuous audio to another sample rate, channel count or sample format.
///
/// - Important: Confined to the lock of its output.
final class AudioTranscoder {
    private let input: AudioStreamFormat
    private let encoder: AudioEncoder
    private let description: CMFormatDescription
    /// The sample rate of the converted audio in Hz.
    private let sampleRate: CMTimeScale
    /// The presentation time of the first frame.
    private let start: CMTime
    /// The sample position of the next input frame.
    private var position: Int64

    /// Creates a transcoder for audio that begins with `chunk`.
    ///
    /// - Returns: Nil if the conversion is not supported, for example with more than eight channels.
    init?(_ settings: WriterAudioSettings, startingWith chunk: AudioChunk) {
        var target = settings.encoder(for: chunk.format)
        target.pcmPacketFrameCount = 1024
        do throws(EncodingError) {
            encoder = try AudioEncoder(target)
        } catch {
            return nil
        }
        input = chunk.format
        start = chunk.presentationTime
        position = chunk.samplePosition
        sampleRate = encoder.format.sampleRate
        description = CMFormatDescription(
            pcm: target.outputPCMFormat.streamDescription(
                sampleRate: Double(sampleRate), channelCount: encoder.format.channelCount))
    }

    /// Whether a chunk continues the audio without a gap, in the same format.
    func canContinue(with chunk: AudioChunk) -> Bool {
        chunk.format == input && chunk.samplePosition == position && !chunk.followsDiscontinuity
    }

    /// Converts a chunk and returns the samples that are complete.
    func transcode(_ chunk: AudioChunk) -> [CMSampleBuffer] {
        position += Int64(chunk.frameCount)
        let samples = chunk.data.withUnsafeBytes { bytes in
            // Fails only after `finish` or for a wrong number of bytes, which cannot happen here.
            try? encoder.encode(bytes, frameCount: chunk.frameCount)
        }
        return (samples ?? []).map { sample in
            CMSampleBuffer(
                pcm: CMBlockBuffer(copying: [UInt8](sample.data)), format: description, frameCount: sample.sampleCount,
                timing: CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: sampleRate),
                    presentationTimeStamp: CMTime(nanoseconds: start.nanoseconds + sample.presentationTime.nanoseconds),
                    decodeTimeStamp: .invalid))
        }
    }
}

extension PCMFormat {
    /// Returns the Core Audio description of interleaved audio in this sample format.
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
