import CLibAV

/// An encoder of libavcodec and its output packet.
///
/// - Important: Confined to one thread at a time.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    let name: String

    /// Allocates the encoder with a name, such as `libx264`, without opening it.
    init(encoder name: String) throws(EncodingError) {
        try LibAV.requireForEncoding()
        _ = Self.disableLog
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw EncodingError(.codecUnavailable, "libavcodec has no encoder \(name); install a version with it")
        }
        guard let pointer = avcodec_alloc_context3(codec) else {
            throw EncodingError(.codecFailed, "memory ran out while creating the encoder \(name)")
        }
        guard let packet = av_packet_alloc() else {
            var context: UnsafeMutablePointer<AVCodecContext>? = pointer
            avcodec_free_context(&context)
            throw EncodingError(.codecFailed, "memory ran out while creating the encoder \(name)")
        }
        self.pointer = pointer
        self.packet = packet
        self.name = name
        // Bit-exact: the same bytes on every machine, without version strings. Global header: parameter sets are in
        // `extradata`, not in the stream.
        pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
    }

    /// Sets a private option of the encoder.
    func set(_ option: String, to value: String) throws(EncodingError) {
        let result = av_opt_set(pointer.pointee.priv_data, option, value, 0)
        guard result >= 0 else {
            throw EncodingError(.invalidSettings, "\(name) does not accept \(option)=\(value)", result: result)
        }
    }

    func open() throws(EncodingError) {
        let result = avcodec_open2(pointer, nil, nil)
        guard result >= 0 else {
            throw EncodingError(.invalidSettings, "\(name) rejects its settings", result: result)
        }
    }

    /// The decoder configuration.
    var extraData: [UInt8] {
        guard let bytes = pointer.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(pointer.pointee.extradata_size)))
    }

    /// Sends a frame, or nil to flush the encoder, and calls `receive` for each available packet.
    func send(
        _ frame: UnsafeMutablePointer<AVFrame>?, receive: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void
    ) throws(EncodingError) {
        var result = avcodec_send_frame(pointer, frame)
        while result == clibav_error_again() {
            try drain(receive)
            result = avcodec_send_frame(pointer, frame)
        }
        guard result >= 0 else {
            throw EncodingError(.codecFailed, "\(name) failed", result: result)
        }
        try drain(receive)
    }

    private func drain(_ receive: (UnsafeMutablePointer<AVPacket>) throws(EncodingError) -> Void) throws(EncodingError)
    {
        while true {
            let result = avcodec_receive_packet(pointer, packet)
            if result == clibav_error_again() || result == clibav_error_end() { return }
            guard result >= 0 else {
                throw EncodingError(.codecFailed, "\(name) failed", result: result)
            }
            defer { av_packet_unref(packet) }
            try receive(packet)
        }
    }

    /// Disables the log, which libavcodec writes to stderr by default. Errors are reported by result codes.
    private static let disableLog: Void = av_log_set_level(AV_LOG_QUIET)
}
