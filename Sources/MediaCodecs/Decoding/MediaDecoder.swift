import CLibAV
import MediaTypes

/// A decoder of libavcodec.
///
/// It decodes on the caller's thread only, so that the same input results in the same frames and messages in every run.
///
/// - Important: Confined to one thread at a time.
final class MediaDecoder {
    /// The result of decoding one packet.
    struct Result {
        var frames: [MediaFrame] = []
        /// The decoder's message if the packet or a part of it could not be decoded.
        var errorMessage: String?
        /// Whether the decoder refused the packet, so that it results in no frame.
        var isRefused = false
    }

    /// The number of errors after which `receive` returns, so that its loop ends if the decoder always fails.
    private static let failureLimit = 16

    let track: MediaTrack
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let path: String
    /// Nil if packets need not be split.
    private var parser: FrameParser?
    /// The packets whose frames have not been returned yet, in decode order, for a decoder that also returns the frames of
    /// discarded packets.
    ///
    /// Packets of several edits can have equal timestamps; the frame of the first one is returned first.
    private var pendingPackets: [(timestamp: Int64, isDiscarded: Bool)] = []
    /// More than the number of frames that a decoder delays. Older packets have no frame.
    private static let maximumPendingCount = 256

    /// Creates a decoder.
    ///
    /// - Parameter refusesDamage: Whether damaged frames of a codec without references between frames are refused. Other
    ///   codecs mark them, see `MediaFrame.isDamaged`.
    convenience init(
        demuxer: ContainerDemuxer, track: MediaTrack, refusesDamage: Bool = false
    ) throws(MediaFileError) {
        let parameters = demuxer.parameters(ofTrack: track.index)
        try self.init(
            track, path: demuxer.path, codec: parameters.map { avcodec_find_decoder($0.pointee.codec_id) } ?? nil
        ) { context in
            if refusesDamage, let descriptor = avcodec_descriptor_get(context.pointee.codec_id),
                descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
            {
                context.pointee.err_recognition |= AV_EF_EXPLODE
            }
            // libavformat takes the track's size from the frames themselves, so that size cannot serve as a limit.
            context.pointee.max_pixels = 1 << 28
            return avcodec_parameters_to_context(context, parameters) >= 0
        }
    }

    /// Creates a decoder for samples that are not read by a `ContainerDemuxer`.
    convenience init(
        _ configuration: DecoderConfiguration, track: MediaTrack, path: String
    ) throws(MediaFileError) {
        try LibAV.requireForReading(path)
        try self.init(
            track, path: path, codec: avcodec_find_decoder(configuration.codec), configure: configuration.apply)
    }

    /// - Parameter configure: Configures the decoder for the samples and sets the maximum number of pixels of a frame;
    ///   returns false if memory ran out.
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
        // Otherwise the frames depend on the processor's instruction set.
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        context.pointee.pkt_timebase = AVRational(num: track.timeBase.numerator, den: track.timeBase.denominator)
        let (result, message) = LibAVLog.capturing { avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&self.context)
            let reason = message ?? LibAVLog.text(for: result)
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "track \(track.index) (\(track.codecName)) of \(path) cannot be decoded: \(reason)")
        }
        parser = FrameParser(for: context.pointee.codec_id)
    }

    /// Discards all pending input and output, so that decoding can start at another sample. Also possible after the end
    /// of the data.
    func reset() {
        if let context { avcodec_flush_buffers(context) }
        pendingPackets = []
    }

    deinit { avcodec_free_context(&context) }

    /// Decodes a packet; with nil, returns the remaining frames.
    func decode(_ packet: MediaPacket?) throws(MediaFileError) -> Result {
        guard let context else { return Result() }
        // Decoders of external libraries, such as that of AV1, return the frames of all packets; libavcodec's own ones do
        // not return those of discarded packets.
        if let packet, track.isVideo, context.pointee.codec?.pointee.wrapper_name != nil {
            pendingPackets.append((packet.pointer.pointee.pts, packet.isDiscarded))
            if pendingPackets.count > Self.maximumPendingCount { pendingPackets.removeFirst() }
        }
        var packets = [packet]
        if let packet, let parser {
            guard let frames = parser.split(packet, of: track, context) else { throw outOfMemory() }
            packets = frames
        }
        let (outcome, message) = LibAVLog.capturing { () -> (Result, Int32) in
            var result = Result()
            var failure: Int32 = 0
            for packet in packets {
                let code = decode(packet, in: context, into: &result)
                if code < 0, failure >= 0 { failure = code }
            }
            return (result, failure)
        }
        var (result, code) = outcome
        if clibav_is_out_of_memory(code) != 0 { throw outOfMemory() }
        result.isRefused = code < 0 && clibav_is_end(code) == 0
        // Audio decoders also log errors that they conceal, so a message without a failure is ignored for audio.
        if result.isRefused || (message != nil && track.isVideo) {
            result.errorMessage = message ?? LibAVLog.text(for: code)
        } else if packet?.isCorrupt == true, result.frames.isEmpty {
            result.errorMessage = "the container marks the packet as incomplete"
        }
        return result
    }

    /// Decodes a packet; returns the first error, 0 if there was none.
    private func decode(
        _ packet: MediaPacket?, in context: UnsafeMutablePointer<AVCodecContext>, into result: inout Result
    ) -> Int32 {
        var code = avcodec_send_packet(context, packet?.pointer)
        if clibav_is_again(code) != 0 {
            code = receive(from: context, into: &result)
            if code >= 0 { code = avcodec_send_packet(context, packet?.pointer) }
        }
        let received = receive(from: context, into: &result)
        return code < 0 ? code : received
    }

    /// Whether a frame that was returned is only decoded, not presented.
    private func isDiscarded(_ frame: MediaFrame) -> Bool {
        let timestamp = frame.pointer.pointee.pts
        guard let index = pendingPackets.firstIndex(where: { $0.timestamp == timestamp }) else { return false }
        return pendingPackets.remove(at: index).isDiscarded
    }

    private func outOfMemory() -> MediaFileError {
        MediaFileError(.outOfMemory, path: path, "memory ran out while decoding \(path)")
    }

    /// Receives all available frames. Continues after a frame that cannot be decoded, up to `failureLimit` times.
    ///
    /// - Returns: The last error; 0 if there was none.
    private func receive(from context: UnsafeMutablePointer<AVCodecContext>, into result: inout Result) -> Int32 {
        var failure: Int32 = 0
        var failureCount = 0
        while failureCount < Self.failureLimit {
            guard let frame = MediaFrame(timeBase: track.timeBase) else { return clibav_error_out_of_memory() }
            let code = avcodec_receive_frame(context, frame.pointer)
            if code >= 0 {
                if isDiscarded(frame) { continue }
                frame.readTimes()
                result.frames.append(frame)
            } else if clibav_is_again(code) != 0 || clibav_is_end(code) != 0 {
                return failure
            } else {
                failure = code
                failureCount += 1
            }
        }
        return failure
    }
}

/// A decoded video frame or run of audio, in the decoder's memory.
///
/// - Important: Confined to one thread at a time.
final class MediaFrame {
    let pointer: UnsafeMutablePointer<AVFrame>
    private let timeBase: MediaTimeBase
    /// The best timestamp that container and decoder provide: the presentation time, or the decode time if the track's
    /// presentation times are inconsistent; invalid if neither exists.
    private(set) var time = CMTime.invalid
    /// The presentation time of the packet; invalid if it has none.
    private(set) var presentationTime = CMTime.invalid
    /// The duration; invalid if unknown.
    private(set) var duration = CMTime.invalid

    /// Whether the decoder reports damage in the frame, such as a concealed part or a missing reference.
    var isDamaged: Bool { clibav_is_damaged(pointer) != 0 }

    init?(timeBase: MediaTimeBase) {
        guard let pointer = av_frame_alloc() else { return nil }
        self.pointer = pointer
        self.timeBase = timeBase
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// Reads the times that the decoder has stored in the frame.
    func readTimes() {
        time = timeBase.time(knownTimestamp(pointer.pointee.best_effort_timestamp))
        presentationTime = timeBase.time(knownTimestamp(pointer.pointee.pts))
        let units = clibav_frame_duration(pointer)
        duration = units > 0 ? timeBase.time(units) : .invalid
    }
}
