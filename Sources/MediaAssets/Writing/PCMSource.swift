import Foundation
import MediaCodecs
import MediaTypes

/// The linear PCM of a client's sample buffers, and the way from there to interleaved sound of native order.
struct PCMSource: Hashable {
    /// What the encoders take: the source's rate and channels, and samples that lose nothing.
    let format: AudioStreamFormat
    /// The source's own samples, for writing them as they are.
    let pcmFormat: PCMFormat
    private let isInterleaved: Bool

    /// - Throws: `.unknown` where the description is not of sound, `.formatUnsupported` for other codings or samples.
    init(_ description: CMFormatDescription?) throws(AVError) {
        guard let stream = description?.audioStreamBasicDescription else {
            throw AVError(.unknown, "a sample buffer of sound has no description of its sound")
        }
        guard stream.mFormatID == kAudioFormatLinearPCM else {
            throw AVError(
                .formatUnsupported, "sound of type \(fourCharacterText(stream.mFormatID)) cannot be compressed again")
        }
        let flags = stream.mFormatFlags
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        let channelCount = Int(stream.mChannelsPerFrame)
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        var bits = Int(stream.mBitsPerChannel)
        let sampleCount = isInterleaved ? channelCount : 1
        // 24 bits in the upper part of 32 are 32 bits whose lowest are zero.
        if !isFloat, bits < 32, flags & kAudioFormatFlagIsAlignedHigh != 0,
            Int(stream.mBytesPerFrame) == 4 * sampleCount
        {
            bits = 32
        }
        pcmFormat = PCMFormat(
            bitsPerSample: bits, isFloat: isFloat, isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
        guard pcmFormat.isValid, isFloat || flags & kAudioFormatFlagIsSignedInteger != 0,
            Int(stream.mBytesPerFrame) == pcmFormat.byteCount * sampleCount, (1...8).contains(channelCount),
            stream.mSampleRate >= 1000, stream.mSampleRate <= 768_000
        else {
            throw AVError(
                .formatUnsupported,
                "PCM of \(stream.mBitsPerChannel) bits, \(stream.mBytesPerFrame) bytes a frame and \(channelCount) "
                    + "channels at \(stream.mSampleRate) Hz cannot be written; signed integers of 16, 24 and 32 bits "
                    + "and floating point of 32 and 64 can")
        }
        let sample: AudioStreamFormat.Sample = isFloat ? .float32 : bits == 16 ? .int16 : .int32
        format = AudioStreamFormat(sampleRate: stream.mSampleRate, channelCount: channelCount, sample: sample)
    }

    /// The sound of a buffer in `format`.
    func sound(of buffer: CMSampleBuffer) throws(AVError) -> Data {
        guard let block = buffer.dataBuffer else { throw AVError(.unknown, "a sample buffer of sound has no data") }
        let byteCount = buffer.numSamples * format.channelCount * pcmFormat.byteCount
        guard block.dataLength >= byteCount else {
            throw AVError(
                .unknown, "\(block.dataLength) bytes do not hold \(buffer.numSamples) frames of \(byteCount) bytes")
        }
        let converter = PCMConverter(from: pcmFormat, to: PCMFormat(format.sample))
        let sound = block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in
            converter.convert(UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
        }
        return isInterleaved || format.channelCount == 1 ? sound : interleave(sound, frameCount: buffer.numSamples)
    }

    /// Brings planes, one channel after the other, into frames.
    private func interleave(_ planes: Data, frameCount: Int) -> Data {
        let width = format.sample.byteCount
        let channelCount = format.channelCount
        var result = Data(count: planes.count)
        result.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) in
            planes.withUnsafeBytes { (source: UnsafeRawBufferPointer) in
                for channel in 0..<channelCount {
                    for frame in 0..<frameCount {
                        let from = (channel * frameCount + frame) * width
                        let to = (frame * channelCount + channel) * width
                        for byte in 0..<width { target[to + byte] = source[from + byte] }
                    }
                }
            }
        }
        return result
    }
}
