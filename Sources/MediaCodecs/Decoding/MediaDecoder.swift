import CLibAV
import MediaTypes

/// One decoder of libavcodec, fed with packets and emptied of frames.
///
/// One thread decodes, the caller's, so that the same input gives the same frames and complaints in every run.
///
/// - Important: Confined.
final class MediaDecoder {
    /// What became of a packet.
    struct Result {
        var frames: [MediaFrame] = []
        /// The decoder's words, where the packet or a part of it could not be decoded.
        var damage: String?
        /// Whether the damage cost the whole packet.
        var isLost = false
    }

    let track: MediaTrack
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let path: String

    convenience init(reader: MediaFileReader, track: MediaTrack) throws(MediaFileError) {
        let parameters = reader.parameters(ofTrack: track.index)
        try self.init(
            track, path: reader.path, codec: parameters.map { avcodec_find_decoder($0.pointee.codec_id) } ?? nil
        ) {
            avcodec_parameters_to_context($0, parameters) >= 0
        }
    }

    /// Makes a decoder for samples that do not come from the library's own reader.
    convenience init(
        _ configuration: DecoderConfiguration, track: MediaTrack, path: String
    ) throws(MediaFileError) {
        try LibAV.requireForReading(path)
        try self.init(
            track, path: path, codec: avcodec_find_decoder(configuration.codec), configure: configuration.apply)
    }

    /// - Parameter configure: Tells the decoder about the samples; false where memory ran out.
    private init(
        _ track: MediaTrack, path: String, codec: UnsafePointer<AVCodec>?,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Bool
    ) throws(MediaFileError) {
        self.track = track
        self.path = path
        guard let codec else {
            throw MediaFileError(
                .unsupportedCodec, path: path, "there is no decoder for track \(track.index) of \(path)")
        }
        context = avcodec_alloc_context3(codec)
        guard let context, configure(context) else {
            avcodec_free_context(&context)
            throw MediaFileError(.outOfMemory, path: path, "memory ran out while opening \(path)")
        }
        context.pointee.thread_count = 1
        // Else the picture depends on which instructions the processor has.
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        context.pointee.pkt_timebase = AVRational(num: track.timeBase.numerator, den: track.timeBase.denominator)
        context.pointee.max_pixels = 1 << 28
        let (result, complaint) = LibAVLog.capturing { avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&self.context)
            let reason = complaint ?? LibAVLog.text(for: result)
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "track \(track.index) (\(track.codecName)) of \(path) cannot be decoded: \(reason)")
        }
    }

    /// Forgets what it has taken, also where it was spent, to begin at another sample.
    func reset() {
        if let context { avcodec_flush_buffers(context) }
    }

    deinit { avcodec_free_context(&context) }

    /// Decodes a packet, or gives out what is still held where it is nil.
    func decode(_ packet: MediaPacket?) throws(MediaFileError) -> Result {
        guard let context else { return Result() }
        let (outcome, complaint) = LibAVLog.capturing { () -> (Result, Int32) in
            var result = Result()
            var code = avcodec_send_packet(context, packet?.pointer)
            if clibav_wants_more(code) != 0 {
                code = receive(from: context, into: &result)
                if code >= 0 { code = avcodec_send_packet(context, packet?.pointer) }
            }
            let received = receive(from: context, into: &result)
            return (result, code < 0 ? code : received)
        }
        var (result, code) = outcome
        if clibav_is_out_of_memory(code) != 0 {
            throw MediaFileError(.outOfMemory, path: path, "memory ran out while decoding \(path)")
        }
        let failed = code < 0 && clibav_is_end(code) == 0
        // Sound decoders complain about what they mend by themselves; there only a failure counts.
        if failed || (complaint != nil && track.isVideo) {
            result.damage = complaint ?? LibAVLog.text(for: code)
            result.isLost = failed
        } else if packet?.isCorrupt == true {
            result.damage = "the container marks the packet as incomplete"
        }
        return result
    }

    /// Takes all frames that are ready; a failed one does not keep back those behind it.
    private func receive(from context: UnsafeMutablePointer<AVCodecContext>, into result: inout Result) -> Int32 {
        var failure: Int32 = 0
        var failureCount = 0
        while failureCount < 16 {
            guard let frame = MediaFrame(timeBase: track.timeBase) else { return failure }
            let code = avcodec_receive_frame(context, frame.pointer)
            if code >= 0 {
                frame.readTimes()
                result.frames.append(frame)
            } else if clibav_wants_more(code) != 0 || clibav_is_end(code) != 0 {
                return failure
            } else {
                failure = code
                failureCount += 1
            }
        }
        return failure
    }
}

/// One decoded picture or run of sound in the decoder's memory.
///
/// - Important: Confined.
final class MediaFrame {
    let pointer: UnsafeMutablePointer<AVFrame>
    private let timeBase: MediaTimeBase
    /// The best that container and decoder together know: the presentation time, or the decode time where those of a
    /// track go astray; invalid where neither is there.
    private(set) var time = CMTime.invalid
    /// Invalid where unknown.
    private(set) var duration = CMTime.invalid

    init?(timeBase: MediaTimeBase) {
        guard let pointer = av_frame_alloc() else { return nil }
        self.pointer = pointer
        self.timeBase = timeBase
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    func readTimes() {
        time = timeBase.time(known(pointer.pointee.best_effort_timestamp))
        duration = pointer.pointee.pkt_duration > 0 ? timeBase.time(pointer.pointee.pkt_duration) : .invalid
    }
}
