import CLibAV
public import MediaTypes

/// Decodes an audio track to interleaved linear PCM at the track's own sample rate and channel count.
///
/// Samples that the container marks as padding at the beginning and the end (edit lists, encoder delay) are removed.
///
/// - Important: Confined to one thread at a time.
public final class AudioDecoder {
    /// Consecutive samples without a gap.
    public struct Chunk {
        /// The time of the first frame in the track's time scale; invalid if the container does not specify it.
        public var time: CMTime
        /// The number of frames; a frame is one sample of each channel.
        public var frameCount: Int
        /// Interleaved samples in native byte order.
        public var bytes: [UInt8]
    }

    /// The result of decoding one packet.
    public struct Output {
        /// The decoded audio.
        public var chunks: [Chunk]
        /// The decoder's error message if the packet could not be decoded.
        public var errorMessage: String?
    }

    /// The track that is decoded.
    public let track: MediaTrack
    /// The format of the decoded audio.
    package let format: AudioStreamFormat
    private let path: String
    private let decoder: MediaDecoder
    // Invariant: `resampler` is nil or configured for `input`.
    private var resampler: OpaquePointer?
    private var input: Input?

    private struct Input: Equatable {
        var format: Int32
        var rate: Int32
        var channelCount: Int32
        var channelMask: UInt64
    }

    /// Creates a decoder for a track of a file.
    ///
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(
        demuxer: ContainerDemuxer, track: MediaTrack, sample: AudioStreamFormat.Sample = .int16
    ) throws(MediaFileError) {
        guard case .audio(let audio) = track.content else {
            throw MediaFileError(
                .unsupportedCodec, path: demuxer.path, "track \(track.index) of \(demuxer.path) is not an audio track")
        }
        self.track = track
        path = demuxer.path
        format = AudioStreamFormat(
            sampleRate: Double(audio.sampleRate), channelCount: audio.channelCount, sample: sample)
        decoder = try MediaDecoder(demuxer: demuxer, track: track)
    }

    /// Creates a decoder for samples that are not read by a `ContainerDemuxer`.
    package init(
        _ configuration: DecoderConfiguration, track: MediaTrack, path: String, format: AudioStreamFormat
    ) throws(MediaFileError) {
        self.track = track
        self.path = path
        self.format = format
        decoder = try MediaDecoder(configuration, track: track, path: path)
    }

    deinit { swr_free(&resampler) }

    /// Discards all pending input and output, so that decoding can start at another packet. Also possible after the end
    /// of the data.
    package func reset() { decoder.reset() }

    /// Decodes a packet. With nil, returns the remaining output; then only `reset` may follow.
    ///
    /// - Throws: `.outOfMemory`, or `.unsupportedCodec` if a format change within the track is not supported.
    public func decode(_ packet: MediaPacket?) throws(MediaFileError) -> Output {
        let result = try decoder.decode(packet)
        var output = Output(chunks: [], errorMessage: result.errorMessage)
        for frame in result.frames where frame.pointer.pointee.nb_samples > 0 {
            if let chunk = try convert(frame) { output.chunks.append(chunk) }
        }
        return output
    }

    private func convert(_ frame: MediaFrame) throws(MediaFileError) -> Chunk? {
        let decoded = frame.pointer
        let resampler = try resampler(for: decoded)
        let capacity = swr_get_out_samples(resampler, decoded.pointee.nb_samples)
        guard capacity > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(capacity) * format.bytesPerFrame)
        let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var target = buffer.baseAddress
            return withUnsafeMutablePointer(to: &target) { target in
                decoded.pointee.extended_data.withMemoryRebound(
                    to: UnsafePointer<UInt8>?.self, capacity: Int(max(1, decoded.pointee.ch_layout.nb_channels))
                ) { source in
                    clibav_swr_convert(resampler, target, capacity, source, decoded.pointee.nb_samples)
                }
            }
        }
        guard count > 0 else { return nil }
        bytes.removeLast((Int(capacity) - Int(count)) * format.bytesPerFrame)
        return Chunk(time: frame.time, frameCount: Int(count), bytes: bytes)
    }

    private func resampler(for frame: UnsafeMutablePointer<AVFrame>) throws(MediaFileError) -> OpaquePointer {
        let current = Input(
            format: frame.pointee.format, rate: frame.pointee.sample_rate,
            channelCount: frame.pointee.ch_layout.nb_channels, channelMask: frame.pointee.ch_layout.u.mask)
        if let resampler, input == current { return resampler }
        swr_free(&resampler)
        var target = AVChannelLayout()
        av_channel_layout_default(&target, Int32(format.channelCount))
        var source = AVChannelLayout()
        // If the channel order is unspecified or the number of channels stays the same, channels are mapped by index.
        if frame.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC, current.channelCount != format.channelCount {
            av_channel_layout_copy(&source, &frame.pointee.ch_layout)
        } else {
            av_channel_layout_default(&source, current.channelCount)
        }
        defer {
            av_channel_layout_uninit(&target)
            av_channel_layout_uninit(&source)
        }
        let sampleFormat =
            switch format.sample {
            case .int16: AV_SAMPLE_FMT_S16
            case .int32: AV_SAMPLE_FMT_S32
            case .float32: AV_SAMPLE_FMT_FLT
            }
        let result = clibav_swr_alloc_set_opts2(
            &resampler, &target, sampleFormat, Int32(format.sampleRate), &source,
            AVSampleFormat(rawValue: current.format), current.rate)
        guard result >= 0, let resampler,
            AudioResampler.initialize(resampler, from: Int(current.channelCount), to: format.channelCount) >= 0
        else {
            swr_free(&self.resampler)
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "the audio of \(path) changes to \(current.rate) Hz and \(current.channelCount) channels, "
                    + "which is not supported")
        }
        input = current
        return resampler
    }
}
