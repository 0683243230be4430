import CLibAV
import Foundation
import MediaTypes

/// Compresses audio to AAC-LC, Apple Lossless or Opus with libavcodec, or writes it as PCM.
///
/// The caller fills gaps with silence. The first input frame is at time zero. The times of encoded samples count frames
/// at the output's sample rate; the priming samples of AAC and Opus have negative times.
///
/// - Important: Confined to one thread at a time.
package final class AudioEncoder {
    /// The settings of the encoder.
    package let settings: AudioEncoderSettings
    /// The format of the encoded samples, for a movie's track.
    package let format: AudioSampleFormat
    /// The number of priming frames, at the output's sample rate, that a decoder outputs before the first input frame.
    package let initialPadding: Int
    /// The number of input frames so far, at the input's sample rate.
    package private(set) var inputFrameCount: Int64 = 0

    private enum Backend {
        case coded(CodecContext, AudioFrameQueue)
        /// Changes only the sample format.
        case pcm(PCMConverter)
        /// Also changes the sample rate or the channel count.
        case resampled(AudioFrameQueue, PCMConverter)
    }

    private let backend: Backend
    /// The number of PCM frames written so far, at the output's sample rate.
    private var pcmFrameCount: Int64 = 0
    private var isFinished = false

    /// Creates an encoder.
    ///
    /// - Throws: `.invalidSettings`, `.codecUnavailable` or `.codecFailed`.
    package init(_ settings: AudioEncoderSettings) throws(EncodingError) {
        try settings.check()
        self.settings = settings
        let rate = settings.outputSampleRate
        let channelCount = settings.outputChannelCount
        guard settings.codec != .pcm else {
            let output = settings.outputPCMFormat
            backend =
                settings.keepsRateAndChannelCount
                ? .pcm(PCMConverter(from: PCMFormat(settings.input.sample), to: output))
                : .resampled(
                    try AudioFrameQueue(
                        settings, frameSize: settings.pcmPacketFrameCount, sampleFormat: AV_SAMPLE_FMT_FLT),
                    PCMConverter(from: .float32, to: output))
            initialPadding = 0
            format = AudioSampleFormat(codec: .pcm(output), sampleRate: rate, channelCount: channelCount)
            return
        }
        let codec = try Self.openCodec(settings)
        let context = codec.pointer
        backend = .coded(
            codec,
            try AudioFrameQueue(
                settings, frameSize: Int(context.pointee.frame_size), sampleFormat: context.pointee.sample_fmt))
        initialPadding = Int(context.pointee.initial_padding)
        format = AudioSampleFormat(
            codec: try Self.sampleCodec(settings.codec, codec.extraData), sampleRate: rate,
            channelCount: channelCount, bitRate: settings.codec == .alac ? 0 : settings.outputBitRate)
    }

    /// Encodes the next frames.
    ///
    /// - Parameter bytes: Interleaved frames in the settings' input format.
    /// - Returns: The encoded samples that are complete, in order; may be empty.
    package func encode(_ bytes: UnsafeRawBufferPointer, frameCount: Int) throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { throw EncodingError(.invalidState, "the encoder is finished") }
        guard bytes.count == frameCount * settings.input.bytesPerFrame else {
            throw EncodingError(
                .formatMismatch,
                "\(bytes.count) bytes are not \(frameCount) frames of \(settings.input.bytesPerFrame) bytes")
        }
        guard frameCount > 0 else { return [] }
        defer { inputFrameCount += Int64(frameCount) }
        switch backend {
        case .pcm(let converter):
            return [makeSample(converter.convert(bytes), frameCount: frameCount)]
        case .resampled(let queue, let converter):
            try queue.append(bytes, frameCount: frameCount)
            return readPCM(from: queue, converter, isLast: false)
        case .coded(let codec, let queue):
            try queue.append(bytes, frameCount: frameCount)
            var samples: [EncodedSample] = []
            while let frame = try queue.nextFrame(isLast: false) { samples += try send(frame, to: codec) }
            return samples
        }
    }

    /// Returns the remaining samples. No frames can be encoded afterwards.
    package func finish() throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { return [] }
        isFinished = true
        guard inputFrameCount > 0 else { return [] }
        switch backend {
        case .pcm: return []
        case .resampled(let queue, let converter):
            try queue.flush()
            return readPCM(from: queue, converter, isLast: true)
        case .coded(let codec, let queue):
            try queue.flush()
            var samples: [EncodedSample] = []
            while let frame = try queue.nextFrame(isLast: true) { samples += try send(frame, to: codec) }
            samples += try send(nil, to: codec)
            return samples
        }
    }

    private func readPCM(from queue: AudioFrameQueue, _ converter: PCMConverter, isLast: Bool) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        while let (frames, count) = queue.nextInterleaved(isLast: isLast) {
            let data = frames.withUnsafeBytes { converter.convert($0) }
            samples.append(makeSample(data, frameCount: count))
        }
        return samples
    }

    private func makeSample(_ data: Data, frameCount: Int) -> EncodedSample {
        defer { pcmFrameCount += Int64(frameCount) }
        return EncodedSample(
            data: data, presentationTime: time(pcmFrameCount), duration: time(Int64(frameCount)),
            sampleCount: frameCount)
    }

    private func send(
        _ frame: UnsafeMutablePointer<AVFrame>?, to codec: CodecContext
    ) throws(EncodingError) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        try codec.send(frame) { packet throws(EncodingError) in
            guard let bytes = packet.pointee.data else { return }
            samples.append(
                EncodedSample(
                    data: Data(bytes: bytes, count: Int(packet.pointee.size)),
                    presentationTime: time(packet.pointee.pts), duration: time(Int64(format.framesPerPacket))))
        }
        return samples
    }

    private func time(_ frames: Int64) -> CMTime { CMTime(value: frames, timescale: format.sampleRate) }
}

extension AudioEncoder {
    private static func openCodec(_ settings: AudioEncoderSettings) throws(EncodingError) -> CodecContext {
        let codec: CodecContext
        switch settings.codec {
        case .pcm: preconditionFailure("PCM has no codec")
        case .aac:
            codec = try CodecContext(encoder: "aac")
            codec.pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        case .alac:
            codec = try CodecContext(encoder: "alac")
            let has24Bits = settings.outputPCMFormat.bitsPerSample > 16
            codec.pointer.pointee.sample_fmt = has24Bits ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P
            codec.pointer.pointee.bits_per_raw_sample = has24Bits ? 24 : 16
        case .opus:
            codec = try CodecContext(encoder: "libopus")
            codec.pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLT
        }
        let context = codec.pointer
        context.pointee.sample_rate = settings.outputSampleRate
        context.pointee.time_base = AVRational(num: 1, den: settings.outputSampleRate)
        if settings.codec != .alac { context.pointee.bit_rate = Int64(settings.outputBitRate) }
        av_channel_layout_default(&context.pointee.ch_layout, Int32(settings.outputChannelCount))
        try codec.open()
        return codec
    }

    /// Returns the codec with its decoder configuration in the form that movies store.
    private static func sampleCodec(
        _ codec: AudioEncoderSettings.Codec, _ extraData: [UInt8]
    ) throws(EncodingError) -> AudioSampleFormat.Codec {
        switch codec {
        case .pcm: preconditionFailure("PCM has no codec")
        case .aac:
            return .aac(configuration: Data(extraData))
        case .alac:
            // An atom of 36 bytes: size, type, version with flags (4 bytes each), then the `ALACSpecificConfig`.
            guard extraData.count >= 36 else {
                throw EncodingError(.codecFailed, "the ALAC encoder returned no configuration")
            }
            return .alac(configuration: Data(extraData[12..<36]))
        case .opus:
            guard let configuration = OpusConfiguration(header: extraData) else {
                throw EncodingError(.codecFailed, "the Opus encoder returned no header")
            }
            return .opus(configuration: Data(configuration.specificBox))
        }
    }
}
