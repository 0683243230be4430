import CLibAV
import CaptureHAL
import Foundation
import MediaTypes

/// Compresses sound to AAC-LC by libavcodec, or passes PCM through.
///
/// Sound comes without gaps; the first frame that comes is at zero on the encoder's timeline, and the samples' times
/// count frames from there: the priming of AAC lies before zero.
///
/// - Important: Confined.
package final class AudioEncoder {
    package let settings: AudioEncoderSettings
    /// What the samples are, for a movie's track; its sample rate is that of all counts below.
    package let format: AudioSampleFormat
    /// The frames that a decoder gives before the first that came in.
    package let initialPadding: Int
    /// How many frames came in, at the input's sample rate.
    package private(set) var inputFrameCount: Int64 = 0

    private enum Backend {
        case aac(CodecContext, AudioFrameQueue)
        case pcm
    }

    private let backend: Backend
    private var isFinished = false

    /// - Throws: `.invalidSettings` or `.codecUnavailable`.
    package init(_ settings: AudioEncoderSettings) throws(EncodingError) {
        try settings.check()
        self.settings = settings
        let rate = settings.outputSampleRate
        let channelCount = settings.outputChannelCount
        switch settings.codec {
        case .pcm:
            backend = .pcm
            initialPadding = 0
            format = AudioSampleFormat(codec: .pcm(settings.input.sample), sampleRate: rate, channelCount: channelCount)
        case .aac:
            let codec = try CodecContext(encoder: "aac")
            let context = codec.pointer
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.sample_rate = rate
            context.pointee.time_base = AVRational(num: 1, den: rate)
            context.pointee.bit_rate = Int64(settings.outputBitRate)
            av_channel_layout_default(&context.pointee.ch_layout, Int32(channelCount))
            try codec.open()
            backend = .aac(
                codec,
                try AudioFrameQueue(settings, frameSize: Int(context.pointee.frame_size)))
            initialPadding = Int(context.pointee.initial_padding)
            format = AudioSampleFormat(
                codec: .aac(configuration: Data(codec.extraData)), sampleRate: rate, channelCount: channelCount,
                bitRate: settings.outputBitRate)
        }
    }

    /// Compresses the next sound.
    ///
    /// - Parameter bytes: Interleaved frames of the settings' input format.
    /// - Returns: The samples that came out, in order.
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
        case .pcm:
            return [
                EncodedSample(
                    data: Data(bytes), presentationTime: time(inputFrameCount),
                    duration: time(Int64(frameCount)), sampleCount: frameCount)
            ]
        case .aac(let codec, let queue):
            try queue.append(bytes, frameCount: frameCount)
            var samples: [EncodedSample] = []
            while let frame = try queue.nextFrame(isLast: false) { samples += try send(frame, to: codec) }
            return samples
        }
    }

    /// Gives the samples that are still in the encoder; no sound can follow.
    package func finish() throws(EncodingError) -> [EncodedSample] {
        guard !isFinished else { return [] }
        isFinished = true
        guard case .aac(let codec, let queue) = backend, inputFrameCount > 0 else { return [] }
        try queue.flush()
        var samples: [EncodedSample] = []
        while let frame = try queue.nextFrame(isLast: true) { samples += try send(frame, to: codec) }
        samples += try send(nil, to: codec)
        return samples
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
