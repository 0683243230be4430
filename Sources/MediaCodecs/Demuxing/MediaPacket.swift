package import CLibAV
public import MediaTypes

/// One compressed sample of a track.
///
/// - Important: Confined to one thread at a time.
public final class MediaPacket {
    let pointer: UnsafeMutablePointer<AVPacket>
    private let timeBase: MediaTimeBase
    /// The index of the track in the container.
    public let trackIndex: Int
    /// The presentation time in the track's time scale; invalid if the container does not specify it.
    public private(set) var presentationTime: CMTime
    /// The decode time in the track's time scale; invalid if the container does not specify it.
    public private(set) var decodeTime: CMTime
    /// The duration; invalid if unknown.
    public let duration: CMTime
    /// Whether decoding can start at this packet.
    public let isKeyFrame: Bool
    /// Whether the container marks the packet as incomplete.
    public let isCorrupt: Bool

    package init(pointer: UnsafeMutablePointer<AVPacket>, timeBase: MediaTimeBase) {
        self.pointer = pointer
        self.timeBase = timeBase
        let packet = pointer.pointee
        trackIndex = Int(packet.stream_index)
        presentationTime = timeBase.time(knownTimestamp(packet.pts))
        decodeTime = timeBase.time(knownTimestamp(packet.dts))
        duration = packet.duration > 0 ? timeBase.time(packet.duration) : .invalid
        isKeyFrame = packet.flags & AV_PKT_FLAG_KEY != 0
        isCorrupt = packet.flags & AV_PKT_FLAG_CORRUPT != 0
    }

    /// Creates a packet from the bytes of a sample; nil if memory ran out.
    ///
    /// - Parameters:
    ///   - presentation: The presentation time in units of the track's time base; likewise `decode` and `duration`.
    ///   - duration: 0 if unknown.
    package init?(
        _ bytes: UnsafeRawBufferPointer, track: MediaTrack, presentation: Int64, decode: Int64, duration: Int64,
        isKeyFrame: Bool
    ) {
        var packet = av_packet_alloc()
        guard let pointer = packet, let count = Int32(exactly: bytes.count), av_new_packet(pointer, count) >= 0 else {
            av_packet_free(&packet)
            return nil
        }
        if let source = bytes.baseAddress, !bytes.isEmpty {
            pointer.pointee.data.update(from: source.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
        pointer.pointee.pts = presentation
        pointer.pointee.dts = decode
        pointer.pointee.duration = duration
        pointer.pointee.flags = isKeyFrame ? AV_PKT_FLAG_KEY : 0
        self.pointer = pointer
        timeBase = track.timeBase
        trackIndex = track.index
        presentationTime = track.timeBase.time(presentation)
        decodeTime = track.timeBase.time(decode)
        self.duration = duration > 0 ? track.timeBase.time(duration) : .invalid
        self.isKeyFrame = isKeyFrame
        isCorrupt = false
    }

    /// The offset of the packet's data in the file; nil if the container does not provide it.
    package var filePosition: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// The size of the compressed data in bytes.
    public var byteCount: Int { Int(pointer.pointee.size) }

    /// The presentation time; the decode time if there is no presentation time.
    public var time: CMTime { presentationTime.isValid ? presentationTime : decodeTime }

    /// Whether the packet is only decoded, not presented, such as those before the first frame of an edit.
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether the packet has a position on the file's timeline. Discarded packets have none.
    package var isTimed: Bool { time.isValid && !isDiscarded }

    /// Adds nanoseconds to the times.
    package func move(presentation: Int64, decode: Int64) {
        func moved(_ units: Int64, _ nanoseconds: Int64) -> Int64 {
            guard nanoseconds != 0, let units = knownTimestamp(units) else { return units }
            return units &+ timeBase.units(nanoseconds)
        }
        setTimes(moved(pointer.pointee.pts, presentation), moved(pointer.pointee.dts, decode))
    }

    /// Sets the presentation time to the decode time plus an offset, and decreases the decode time by a delay. Both are
    /// numbers of units of the time base.
    func setTimes(offset: Int64, delay: Int64) {
        guard let decode = knownTimestamp(pointer.pointee.dts) else { return }
        setTimes(decode &+ offset, decode &- delay)
    }

    /// Removes the times.
    package func removeTimes() { setTimes(clibav_no_timestamp(), clibav_no_timestamp()) }

    private func setTimes(_ presentation: Int64, _ decode: Int64) {
        pointer.pointee.pts = presentation
        pointer.pointee.dts = decode
        presentationTime = timeBase.time(knownTimestamp(presentation))
        decodeTime = timeBase.time(knownTimestamp(decode))
    }
}

/// Returns a timestamp of libavformat or libavcodec in units of its time base; nil for `AV_NOPTS_VALUE`.
package func knownTimestamp(_ units: Int64) -> Int64? { units == clibav_no_timestamp() ? nil : units }
