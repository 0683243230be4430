import CLibAV

/// Splits packets with several frames for decoders that decode only the first frame of a packet.
struct FrameParser {
    private let codec: AVCodecID
    /// The number of bytes of a frame by its first byte, the rate; nil for a codec with a parser in libavcodec.
    private let byteCounts: [UInt8: Int]?

    /// Creates a parser; nil for a codec whose decoder accepts several frames in a packet.
    ///
    /// The samples of these codecs contain a number of frames that the track specifies (3GPP TS 26.244, 6.5; 3GPP2
    /// C.S0050, 8).
    init?(for codec: AVCodecID) {
        self.codec = codec
        switch codec {
        case AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB: byteCounts = nil
        // RFC 2658, 3.2: blank, eighth, quarter, half and full rate, and an erased frame.
        case AV_CODEC_ID_QCELP: byteCounts = [0: 1, 1: 4, 2: 8, 3: 17, 4: 35, 14: 1]
        // RFC 3558, 5: blank, eighth, half and full rate, and an erased frame.
        case AV_CODEC_ID_EVRC: byteCounts = [0: 1, 1: 3, 3: 11, 4: 23, 14: 1]
        default: return nil
        }
    }

    /// Returns the frames of a packet; nil if memory ran out. The first frame has the times of the packet, the others
    /// have none.
    func split(
        _ packet: MediaPacket, of track: MediaTrack, _ context: UnsafeMutablePointer<AVCodecContext>
    ) -> [MediaPacket]? {
        if let byteCounts { return split(packet, of: track, byteCounts) }
        // libavcodec's parser keeps the last frame until it receives the next one, so each packet needs its own.
        guard let parser = clibav_av_parser_init(codec) else { return nil }
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
            let data = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            guard let frame = Self.frame(data, of: track, packet, isFirst: frames.isEmpty) else { return nil }
            frames.append(frame)
        }
        return frames
    }

    /// Returns the frames of a packet, each with the size that its first byte indicates; nil if memory ran out. Data that
    /// begins with an unknown rate is one frame, which the decoder refuses.
    private func split(_ packet: MediaPacket, of track: MediaTrack, _ byteCounts: [UInt8: Int]) -> [MediaPacket]? {
        var data = UnsafeRawBufferPointer(start: packet.pointer.pointee.data, count: packet.byteCount)[...]
        var frames: [MediaPacket] = []
        while let rate = data.first {
            let bytes = UnsafeRawBufferPointer(rebasing: data.prefix(byteCounts[rate] ?? data.count))
            guard let frame = Self.frame(bytes, of: track, packet, isFirst: frames.isEmpty) else { return nil }
            frames.append(frame)
            data = data.dropFirst(bytes.count)
        }
        return frames
    }

    /// Creates a packet with a frame of another packet; nil if memory ran out.
    private static func frame(
        _ bytes: UnsafeRawBufferPointer, of track: MediaTrack, _ packet: MediaPacket, isFirst: Bool
    ) -> MediaPacket? {
        let source = packet.pointer.pointee
        return MediaPacket(
            bytes, track: track, presentation: isFirst ? source.pts : clibav_no_timestamp(),
            decode: isFirst ? source.dts : clibav_no_timestamp(), duration: 0, isKeyFrame: true)
    }
}
