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
    /// The presentation end of the packets so far; nil before the first packet.
    private(set) var end: Int64?
    /// Whether the container stores decode times. Those that libavformat guesses can be too late.
    private let hasDecodeTimes: Bool
    /// The last decode time; nil if unknown.
    private var decodeTime: Int64?
    /// `end` and `decodeTime` before the last packet.
    private var previous: (end: Int64?, decodeTime: Int64?)?

    /// The largest step forward that is not checked for a jump.
    static let forwardTolerance: Int64 = 3_000_000_000
    /// One day.
    private static let longestPacketDuration: Int64 = 86_400_000_000_000
    /// The largest step back, which can result from imprecise timestamps.
    private static let backTolerance: Int64 = 100_000_000

    init(_ track: MediaTrack, wrapPeriod: Int64?, hasDecodeTimes: Bool) {
        isVideo = track.isVideo
        self.hasDecodeTimes = hasDecodeTimes
        self.wrapPeriod = wrapPeriod
        guard case .video(let video) = track.content, video.frameDuration.isValid, video.frameDuration.value > 0 else {
            packetDuration = 33_333_333
            return
        }
        packetDuration = min(video.frameDuration.fileNanoseconds, Self.longestPacketDuration)
    }

    /// The largest step forward that is not checked for a jump: the usual duration can be longer than the limit. Reordered
    /// frames are stored several frames earlier or later.
    var tolerance: Int64 { max(Self.forwardTolerance, 10 * max(packetDuration, usualPause)) }

    /// Whether a time of the file continues the track.
    func continues(at fileTime: Int64) -> Bool {
        guard let end else { return true }
        let time = fileTime + offset
        // A presentation time is never earlier than the decode time of a preceding packet.
        let earliest = decodeTime.map { $0 - Self.backTolerance } ?? end - tolerance
        return time >= earliest && time <= end + tolerance
    }

    /// Ignores the last packet if its time is wrong: a packet at this time of the file, which does not continue the track,
    /// continues it without that packet.
    ///
    /// - Returns: Whether the last packet is ignored.
    mutating func ignoreLastPacket(before fileTime: Int64) -> Bool {
        guard let previous, let end = previous.end, end < self.end ?? end else { return false }
        var track = self
        (track.end, track.decodeTime, track.previous) = (end, previous.decodeTime, nil)
        guard track.continues(at: fileTime),
            track.distance(to: fileTime) <= max(Self.backTolerance, 10 * packetDuration)
        else { return false }
        self = track
        return true
    }

    /// The distance between a time of the file and the end of the track.
    func distance(to fileTime: Int64) -> Int64 { end.map { abs(fileTime + offset - $0) } ?? 0 }

    /// Adds a packet with the times of the file, which it moves to the timeline.
    mutating func add(_ packet: MediaPacket) {
        packet.move(presentation: offset, decode: offset)
        addMoved(packet)
    }

    /// Adds a packet with the times of the timeline.
    mutating func addMoved(_ packet: MediaPacket) {
        guard packet.isTimed else { return }
        previous = (end, decodeTime)
        let packetEnd = packet.time.fileNanoseconds + duration(of: packet)
        end = max(end ?? packetEnd, packetEnd)
        guard hasDecodeTimes, packet.decodeTime.isValid else { return }
        decodeTime = max(decodeTime ?? .min, packet.decodeTime.fileNanoseconds)
    }

    /// Returns the duration of a packet; the usual one if the container specifies none or a gap.
    func duration(of packet: MediaPacket) -> Int64 {
        let duration = packet.duration.isValid ? packet.duration.fileNanoseconds : packetDuration
        return duration <= tolerance ? duration : packetDuration
    }
}
