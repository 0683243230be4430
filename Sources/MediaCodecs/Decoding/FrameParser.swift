import CLibAV

/// Splits packets with several frames for decoders that decode only the first frame of a packet.
struct FrameParser {
    private let codec: AVCodecID

    /// Creates a parser; nil for a codec whose decoder accepts several frames in a packet.
    init?(for codec: AVCodecID) {
        // 3GPP TS 26.244, 6.5: a sample contains a number of frames that the track specifies.
        guard codec == AV_CODEC_ID_AMR_NB || codec == AV_CODEC_ID_AMR_WB else { return nil }
        self.codec = codec
    }

    /// Returns the frames of a packet; nil if memory ran out. The first frame has the times of the packet, the others
    /// have none.
    func split(
        _ packet: MediaPacket, of track: MediaTrack, _ context: UnsafeMutablePointer<AVCodecContext>
    ) -> [MediaPacket]? {
        // libavcodec's parser keeps the last frame until it receives the next one, so each packet needs its own.
        guard let parser = av_parser_init(Int32(bitPattern: codec.rawValue)) else { return nil }
        defer { av_parser_close(parser) }
        let source = packet.pointer.pointee
        var frames: [MediaPacket] = []
        var offset = 0
        var isFlushed = false
        while !isFlushed {
            var bytes: UnsafeMutablePointer<UInt8>?
            var count: Int32 = 0
            isFlushed = offset >= Int(source.size)
            offset += Int(
                av_parser_parse2(
                    parser, context, &bytes, &count, isFlushed ? nil : source.data + offset,
                    isFlushed ? 0 : source.size - Int32(offset), source.pts, source.dts, source.pos))
            guard count > 0, let bytes else { continue }
            let isFirst = frames.isEmpty
            guard
                let frame = MediaPacket(
                    UnsafeRawBufferPointer(start: bytes, count: Int(count)), track: track,
                    presentation: isFirst ? source.pts : clibav_no_timestamp(),
                    decode: isFirst ? source.dts : clibav_no_timestamp(), duration: 0, isKeyFrame: true)
            else { return nil }
            frames.append(frame)
        }
        return frames
    }
}
