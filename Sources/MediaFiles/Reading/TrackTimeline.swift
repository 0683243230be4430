import MediaCodecs
import MediaTypes

/// The position of a track on the timeline of a file. All times are nanoseconds.
struct TrackTimeline {
    let isVideo: Bool
    /// The usual duration of a packet.
    let packetDuration: Int64
    /// The period after which timestamps restart from 0; nil if they do not.
    let wrapPeriod: Int64?
    /// The difference between a time on the timeline and the file's time.
    var offset: Int64 = 0
    /// The usual pause between the frames of a track that consists of long frames; 0 for other tracks.
    var usualPause: Int64 = 0
    /// Whether the container stores decode times. Those that libavformat guesses can be too late.
    private let hasDecodeTimes: Bool
    private var position = Position()
    /// The position before the last packet; nil if it is unknown.
    private var previous: Position?

    /// The times that the packets so far have reached on the timeline.
    private struct Position {
        /// The presentation end; nil before the first packet.
        var end: Int64?
        /// The last decode time; nil if unknown.
        var decodeTime: Int64?
        /// The end of the packet with the last decode time, in decode order; nil if unknown.
        var decodeEnd: Int64?
    }

    /// The largest step forward that is never a jump, for tracks with short packets.
    static let forwardTolerance: Int64 = 3_000_000_000
    /// The largest step back that is never a jump: imprecise timestamps cause smaller ones.
    static let backTolerance: Int64 = 100_000_000
    /// The maximum distance, in packets, between the positions of a reordered frame in the file and in presentation order.
    private static let reorderLimit: Int64 = 10
    /// The duration of audio packets, and of video packets of an unknown frame rate: 1/30 s.
    private static let defaultPacketDuration: Int64 = 33_333_333
    /// One day.
    private static let longestPacketDuration: Int64 = 86_400_000_000_000

    init(_ track: MediaTrack, wrapPeriod: Int64?, hasDecodeTimes: Bool) {
        isVideo = track.isVideo
        self.hasDecodeTimes = hasDecodeTimes
        self.wrapPeriod = wrapPeriod
        guard case .video(let video) = track.content, video.frameDuration.isValid, video.frameDuration.value > 0 else {
            packetDuration = Self.defaultPacketDuration
            return
        }
        packetDuration = min(video.frameDuration.fileNanoseconds, Self.longestPacketDuration)
    }

    /// The largest step forward that is not checked for a jump: at least that between reordered frames, which can exceed
    /// `forwardTolerance` if the frames are long.
    var tolerance: Int64 { max(Self.forwardTolerance, Self.reorderLimit * max(packetDuration, usualPause)) }

    /// The presentation end of the packets so far; nil before the first packet.
    var end: Int64? { position.end }
    /// The end of the packets so far in decode order; nil if unknown.
    var decodeEnd: Int64? { position.decodeEnd }

    /// Whether a packet with times of the file continues the track.
    func continues(with packet: MediaPacket) -> Bool {
        guard let end else { return true }
        let time = packet.time.fileNanoseconds + offset
        guard time <= end + tolerance else { return false }
        guard let last = position.decodeTime else { return time >= end - tolerance }
        // A presentation time is never earlier than the decode time of a preceding packet.
        let earliest = min(time, decodeTime(of: packet).map { $0 + offset } ?? time)
        return earliest >= last - Self.backTolerance
    }

    /// Returns the decode time of a packet in the file; nil if the container does not store it.
    func decodeTime(of packet: MediaPacket) -> Int64? {
        hasDecodeTimes && packet.decodeTime.isValid ? packet.decodeTime.fileNanoseconds : nil
    }

    /// Returns to the position before the last packet if the time of that packet is wrong: without it, the next packet
    /// continues the track.
    ///
    /// - Parameter packet: The next packet, with times of the file. It does not continue the track.
    /// - Returns: Whether the last packet is ignored.
    mutating func ignoreLastPacket(before packet: MediaPacket) -> Bool {
        // After a jump back, the last packet has continued the track.
        guard let previous, let end = previous.end, let last = position.end,
            last - end > Self.backTolerance + packetDuration
        else { return false }
        var track = self
        (track.position, track.previous) = (previous, nil)
        guard track.continues(with: packet),
            track.distance(to: packet.time.fileNanoseconds)
                <= max(Self.backTolerance, Self.reorderLimit * packetDuration)
        else { return false }
        self = track
        return true
    }

    /// The distance between a time of the file and the end of the track; the maximum before its first packet.
    func distance(to fileTime: Int64) -> Int64 { end.map { abs(fileTime + offset - $0) } ?? .max }

    /// Whether the decode time of a packet of the file is before that of an earlier packet.
    func decodesBeforeEarlierPackets(_ packet: MediaPacket) -> Bool {
        guard let last = position.decodeTime, let time = decodeTime(of: packet) else { return false }
        return time + offset < last
    }

    /// Adds a packet with the times of the file, which it moves to the timeline.
    mutating func add(_ packet: MediaPacket) {
        packet.move(presentation: offset, decode: offset)
        addMoved(packet)
    }

    /// Adds a packet with the times of the timeline.
    mutating func addMoved(_ packet: MediaPacket) {
        guard packet.isTimed else { return }
        previous = position
        let duration = duration(of: packet)
        let packetEnd = packet.time.fileNanoseconds + duration
        position.end = max(end ?? packetEnd, packetEnd)
        guard let time = decodeTime(of: packet), time >= position.decodeTime ?? .min else { return }
        position.decodeTime = time
        position.decodeEnd = time + duration
    }

    /// Returns the duration of a packet; the usual one if the container specifies none or a gap.
    func duration(of packet: MediaPacket) -> Int64 {
        let duration = packet.duration.isValid ? packet.duration.fileNanoseconds : packetDuration
        return duration <= tolerance ? duration : packetDuration
    }
}
