import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

/// The linear PCM format of a client's sample buffers, and the conversion to interleaved native samples.
struct PCMSourceFormat: Hashable {
    /// The format for the encoders: the source's rate and channels, with samples of 16-bit or 32-bit integers or 32-bit
    /// floating point.
    let format: AudioStreamFormat
    /// The source's sample format, for writing samples unchanged.
    let pcmFormat: PCMFormat
    private let isInterleaved: Bool

    /// Reads the format from a description.
    ///
    /// - Throws: `.unknown` if the description is not of audio; `.formatUnsupported` for other codecs or sample types.
    init(_ description: CMFormatDescription?) throws(AVError) {
        guard let stream = description?.audioStreamBasicDescription else {
            throw AVError(.unknown, "an audio sample buffer has no audio format description")
        }
        guard stream.mFormatID == kAudioFormatLinearPCM else {
            throw AVError(
                .formatUnsupported,
                "audio of format \(fourCharacterText(stream.mFormatID)) is already compressed; append linear PCM")
        }
        let flags = stream.mFormatFlags
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        let channelCount = Int(stream.mChannelsPerFrame)
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        var bits = Int(stream.mBitsPerChannel)
        let sampleCount = isInterleaved ? channelCount : 1
        // 24 bits aligned high in 32 bits are 32-bit samples with 8 zero bits.
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
                "PCM of \(stream.mBitsPerChannel) bits, \(stream.mBytesPerFrame) bytes per frame and \(channelCount) "
                    + "channels at \(stream.mSampleRate) Hz cannot be written; signed integers of 16, 24 or 32 bits "
                    + "and floating point of 32 or 64 bits can")
        }
        let sample: AudioStreamFormat.Sample = isFloat ? .float32 : bits == 16 ? .int16 : .int32
        format = AudioStreamFormat(sampleRate: stream.mSampleRate, channelCount: channelCount, sample: sample)
    }

    /// Returns a buffer's samples in `format`.
    func interleavedSamples(of buffer: CMSampleBuffer) throws(AVError) -> Data {
        guard let block = buffer.dataBuffer else { throw AVError(.unknown, "an audio sample buffer has no data") }
        let byteCount = buffer.numSamples * format.channelCount * pcmFormat.byteCount
        guard block.dataLength >= byteCount else {
            throw AVError(
                .unknown,
                "\(block.dataLength) bytes are too few for \(buffer.numSamples) audio frames (\(byteCount) bytes)"
            )
        }
        let converter = PCMConverter(from: pcmFormat, to: PCMFormat(format.sample))
        let samples = block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in
            converter.convert(UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
        }
        return isInterleaved || format.channelCount == 1 ? samples : interleave(samples, frameCount: buffer.numSamples)
    }

    /// Interleaves planes that contain one channel each.
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
