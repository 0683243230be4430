import CLibAV
public import MediaTypes

/// Decodes an audio track to interleaved linear PCM at the track's own rate and number of channels.
///
/// What the container marks as padding at begin and end (edit lists, encoder delay) is left out.
///
/// - Important: Confined.
public final class AudioDecoder {
    /// A run of samples without a gap.
    public struct Chunk {
        /// The time of the first frame in the track's own unit; invalid where the container does not tell.
        public var time: CMTime
        public var frameCount: Int
        /// Interleaved, native endian.
        public var bytes: [UInt8]
    }

    /// What became of a packet.
    public struct Output {
        public var chunks: [Chunk]
        /// The decoder's words, where the packet could not be decoded.
        public var damage: String?
    }

    public let track: MediaTrack
    package let format: AudioStreamFormat
    private let path: String
    private let decoder: MediaDecoder
    // Invariant: `resampler` takes what `input` describes, or is nil.
    private var resampler: OpaquePointer?
    private var input: Input?

    private struct Input: Equatable {
        var format: Int32
        var rate: Int32
        var channelCount: Int32
        var mask: UInt64
    }

    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(
        reader: MediaFileReader, track: MediaTrack, sample: AudioStreamFormat.Sample = .int16
    ) throws(MediaFileError) {
        guard case .audio(let audio) = track.content else {
            throw MediaFileError(
                .unsupportedCodec, path: reader.path, "track \(track.index) of \(reader.path) is no sound")
        }
        self.track = track
        path = reader.path
        format = AudioStreamFormat(
            sampleRate: Double(audio.sampleRate), channelCount: audio.channelCount, sample: sample)
        decoder = try MediaDecoder(reader: reader, track: track)
    }

    /// Makes a decoder for samples that come from elsewhere.
    package init(
        _ configuration: DecoderConfiguration, track: MediaTrack, path: String, format: AudioStreamFormat
    ) throws(MediaFileError) {
        self.track = track
        self.path = path
        self.format = format
        decoder = try MediaDecoder(configuration, track: track, path: path)
    }

    deinit { swr_free(&resampler) }

    /// Forgets what it has taken, also where it was spent, to begin at another packet.
    package func reset() { decoder.reset() }

    /// Decodes a packet, or gives out what is still held where it is nil, after which the decoder is spent.
    ///
    /// - Throws: `.outOfMemory`, or `.unsupportedCodec` where a change of format in mid-track cannot be followed.
    public func decode(_ packet: MediaPacket?) throws(MediaFileError) -> Output {
        let result = try decoder.decode(packet)
        var output = Output(chunks: [], damage: result.damage)
        for frame in result.frames where frame.pointer.pointee.nb_samples > 0 {
            if let chunk = try convert(frame) { output.chunks.append(chunk) }
        }
        return output
    }

    private func convert(_ frame: MediaFrame) throws(MediaFileError) -> Chunk? {
        let picture = frame.pointer
        let resampler = try resampler(for: picture)
        let capacity = swr_get_out_samples(resampler, picture.pointee.nb_samples)
        guard capacity > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(capacity) * format.bytesPerFrame)
        let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var target = buffer.baseAddress
            return withUnsafeMutablePointer(to: &target) { target in
                picture.pointee.extended_data.withMemoryRebound(
                    to: UnsafePointer<UInt8>?.self, capacity: Int(max(1, picture.pointee.ch_layout.nb_channels))
                ) { source in
                    swr_convert(resampler, target, capacity, source, picture.pointee.nb_samples)
                }
            }
        }
        guard count > 0 else { return nil }
        bytes.removeLast((Int(capacity) - Int(count)) * format.bytesPerFrame)
        return Chunk(time: frame.time, frameCount: Int(count), bytes: bytes)
    }

    private func resampler(for frame: UnsafeMutablePointer<AVFrame>) throws(MediaFileError) -> OpaquePointer {
        let present = Input(
            format: frame.pointee.format, rate: frame.pointee.sample_rate,
            channelCount: frame.pointee.ch_layout.nb_channels, mask: frame.pointee.ch_layout.u.mask)
        if let resampler, input == present { return resampler }
        swr_free(&resampler)
        var target = AVChannelLayout()
        av_channel_layout_default(&target, Int32(format.channelCount))
        var source = AVChannelLayout()
        // Layouts without an order, and layouts of as many channels, are taken channel by channel.
        if frame.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC, present.channelCount != format.channelCount {
            av_channel_layout_copy(&source, &frame.pointee.ch_layout)
        } else {
            av_channel_layout_default(&source, present.channelCount)
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
        let result = swr_alloc_set_opts2(
            &resampler, &target, sampleFormat, Int32(format.sampleRate), &source,
            AVSampleFormat(rawValue: present.format), present.rate, 0, nil)
        guard result >= 0, let resampler, swr_init(resampler) >= 0 else {
            swr_free(&self.resampler)
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "the sound of \(path) changes to \(present.rate) Hz and \(present.channelCount) channels, "
                    + "which cannot be followed")
        }
        input = present
        return resampler
    }
}
