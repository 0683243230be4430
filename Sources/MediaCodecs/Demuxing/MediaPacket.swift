import CLibAV
public import MediaTypes

/// One compressed sample of a track.
///
/// - Important: Confined.
public final class MediaPacket {
    let pointer: UnsafeMutablePointer<AVPacket>
    public let trackIndex: Int
    /// In the track's own unit; invalid where the container gives none.
    public let presentationTime: CMTime
    public let decodeTime: CMTime
    /// Invalid where unknown.
    public let duration: CMTime
    public let isKeyFrame: Bool
    /// Whether the container says that bytes are missing.
    public let isCorrupt: Bool

    init(pointer: UnsafeMutablePointer<AVPacket>, timeBase: MediaTimeBase) {
        self.pointer = pointer
        let packet = pointer.pointee
        trackIndex = Int(packet.stream_index)
        presentationTime = timeBase.time(known(packet.pts))
        decodeTime = timeBase.time(known(packet.dts))
        duration = packet.duration > 0 ? timeBase.time(packet.duration) : .invalid
        isKeyFrame = packet.flags & AV_PKT_FLAG_KEY != 0
        isCorrupt = packet.flags & AV_PKT_FLAG_CORRUPT != 0
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    public var byteCount: Int { Int(pointer.pointee.size) }

    /// When the packet is presented, or decoded where it does not say.
    public var time: CMTime { presentationTime.isValid ? presentationTime : decodeTime }
}

/// A time of the library's, nil where it stands for none.
func known(_ units: Int64) -> Int64? { units == clibav_no_time() ? nil : units }
