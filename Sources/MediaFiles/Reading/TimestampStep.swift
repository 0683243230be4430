import MediaCodecs
import MediaTypes

/// A step in the timestamps of a track, and the packets of all tracks from there on until its cause is known.
///
/// All times are nanoseconds; those of `Part` are times of the file.
struct TimestampStep {
    /// The packets of a track after the step.
    private struct Part {
        /// The earliest presentation time.
        var start: Int64
        /// The latest end in presentation order.
        var end: Int64
        /// The presentation time of the packet that was added last.
        var last: Int64
        /// The end in decode order; nil if the first packet does not step back in decode order.
        var decodeEnd: Int64?
        /// Whether the track's last packet is one of them.
        var isCurrent = true

        mutating func add(_ time: Int64, _ decodeTime: Int64?, _ duration: Int64) {
            start = min(start, time)
            end = max(end, time + duration)
            last = time
            if let decodeEnd, let decodeTime { self.decodeEnd = max(decodeEnd, decodeTime + duration) }
            isCurrent = true
        }
    }

    /// The index of the track in which the step is.
    private let track: Int
    /// The end of that track at the step; 0 if it begins there.
    private let stepTime: Int64
    /// The timelines of the tracks without the packets in `parts`, by track index.
    private var tracks: [Int: TrackTimeline]
    /// The packets after the step, by track index.
    private var parts: [Int: Part] = [:]
    /// The events since the step, in the order of the file.
    private var events: [(event: MediaFileReader.Event, isAfterStep: Bool)] = []
    /// The size of the packets in `events`.
    private var byteCount = 0
    /// The distance to the packet that begins another step in the same track; nil if there is none.
    private var nextPause: Int64?

    /// The duration of the media after the step that is sufficient to decide about its cause.
    private static let decisionDuration: Int64 = 1_000_000_000
    /// The maximum number of packets that are held, and their maximum size.
    private static let limits = (eventCount: 50_000, byteCount: 32 << 20)
    /// The largest difference between the sizes of one jump in two tracks.
    private static let syncTolerance: Int64 = 2_000_000_000
    /// The longest frame of a lone video track if the container does not indicate durations, and if it does.
    private static let frameLimits: (implied: Int64, indicated: Int64) = (10_000_000_000, 3_600_000_000_000)
    /// The maximum ratio of two pauses of a time lapse: reordered frames are several pauses apart.
    private static let pauseRatioLimit: Int64 = 4

    /// Begins a step.
    ///
    /// - Parameters:
    ///   - track: The index of the track in which the step is, or which begins there.
    ///   - tracks: All tracks, by their index.
    init(of track: Int, _ tracks: [Int: TrackTimeline]) {
        self.track = track
        self.tracks = tracks
        stepTime = tracks[track]?.end ?? 0
    }

    /// Adds an event that is not a packet.
    mutating func add(_ event: MediaFileReader.Event) { events.append((event, false)) }

    /// Adds a packet; returns false if it begins another step.
    mutating func add(_ packet: MediaPacket) -> Bool {
        let index = packet.trackIndex
        guard let timeline = tracks[index] else {
            add(.packet(packet))
            return true
        }
        var isAfterStep = false
        if packet.isTimed {
            let time = packet.time.fileNanoseconds
            if let part = parts[index] {
                guard let continuesPart = continuesPart(part, packet, timeline) else {
                    if index == track { nextPause = abs(time - part.last) }
                    return false
                }
                isAfterStep = continuesPart
            } else {
                isAfterStep = timeline.end == nil ? beginsAfterStep(index, at: time) : !timeline.continues(with: packet)
            }
            if isAfterStep {
                let decodeTime = timeline.decodeTime(of: packet)
                let part = Part(
                    start: time, end: time, last: time,
                    decodeEnd: timeline.decodesBeforeEarlierPackets(packet) ? decodeTime : nil)
                parts[index, default: part].add(time, decodeTime, timeline.duration(of: packet))
            } else {
                parts[index]?.isCurrent = false
            }
        }
        if !isAfterStep { tracks[index]?.add(packet) }
        events.append((.packet(packet), isAfterStep))
        byteCount += packet.byteCount
        return true
    }

    /// Returns whether a packet continues the packets of its track after the step, not those before it; nil if it continues
    /// neither.
    private func continuesPart(_ part: Part, _ packet: MediaPacket, _ timeline: TrackTimeline) -> Bool? {
        let time = packet.time.fileNanoseconds
        var (before, after, confirmation) = (timeline.distance(to: time), abs(time - part.last), Int64(0))
        // After a small step back, the presentation times soon reach those before it. Decode times are in order: a packet
        // continues the last one of its track unless its time is clearly nearer to the other side.
        if let partEnd = part.decodeEnd, let end = timeline.decodeEnd, let decodeTime = timeline.decodeTime(of: packet)
        {
            (before, after) = (abs(decodeTime + timeline.offset - end), abs(decodeTime - partEnd))
            confirmation = TrackTimeline.backTolerance
        }
        // A packet belongs to the nearer side of the step: frames are not stored in presentation order.
        guard min(before, after) <= timeline.tolerance else { return nil }
        return part.isCurrent ? after <= max(before, confirmation) : before > max(after - 1, confirmation)
    }

    /// Whether the first packet of a track is nearer to the packets after the step than to those before it.
    private func beginsAfterStep(_ index: Int, at time: Int64) -> Bool {
        guard let timeline = tracks[track], let part = parts[track] else { return index == track }
        return abs(time - part.last) < timeline.distance(to: time)
    }

    /// Whether the packets are sufficient to decide about the cause.
    var isDecided: Bool {
        guard let part = parts[track] else { return false }
        if part.isCurrent, part.end - part.start > Self.decisionDuration { return true }
        if !part.isCurrent, (tracks[track]?.end ?? stepTime) - stepTime > Self.decisionDuration { return true }
        return events.count >= Self.limits.eventCount || byteCount >= Self.limits.byteCount
    }

    // MARK: Results

    /// The result of a step.
    struct Result {
        /// The tracks after the step, by their index.
        var tracks: [Int: TrackTimeline]
        /// The events in the order of the file, with the times of the timeline.
        var events: [MediaFileReader.Event] = []
        /// The jumps that were removed.
        var jumps: [TimestampJump] = []
    }

    /// Decides about the step.
    ///
    /// - Parameter indicatesDurations: Whether the container indicates how long each frame lasts.
    func finish(indicatesDurations: Bool) -> Result {
        var result = Result(tracks: tracks)
        if let pause = usualPause { result.tracks[track]?.usualPause = pause }
        let jumps = parts.filter { index, part in
            !(index == track && usualPause != nil) && isJump(index, part, indicatesDurations)
        }
        moveTracks(Set(jumps.keys), &result)
        // The packets of a track that has returned to its earlier times.
        for index in parts.keys.sorted() where parts[index]?.isCurrent == false { result.jumps += jump(of: index) }
        for (event, isAfterStep) in events {
            if isAfterStep, case .packet(let packet) = event { move(packet, &result.tracks) }
            result.events.append(event)
        }
        return result
    }

    /// Sets the offsets of the tracks after their jumps. Tracks that jump by about the same size get a common offset.
    ///
    /// - Parameter jumping: The indices of the tracks that jump.
    private func moveTracks(_ jumping: Set<Int>, _ result: inout Result) {
        var remaining = jumping
        // The track of the step comes first.
        while let first = remaining.contains(track) ? track : remaining.min() {
            let required = requiredOffset(first)
            let group = remaining.filter { abs(requiredOffset($0) - required) <= Self.syncTolerance }
            // Tracks whose packets after the same jump were earlier in the file.
            let movedTracks = tracks.filter { index, other in
                !jumping.contains(index) && other.offset != tracks[first]?.offset
                    && abs(other.offset - required) <= Self.syncTolerance
            }
            // The largest of the offsets, so that no media overlaps.
            let offset = group.map(requiredOffset).max() ?? required
            let common = max(offset, movedTracks.values.map(\.offset).max() ?? offset)
            // Tracks that begin after the step.
            let newTracks = tracks.keys.filter { index in
                guard let start = parts[first]?.start, tracks[index]?.end == nil else { return false }
                return parts[index].map { abs($0.start - start) <= Self.syncTolerance } ?? true
            }
            for index in group.union(movedTracks.keys).union(newTracks) { result.tracks[index]?.offset = common }
            // The jump of tracks that moved earlier is already in the list.
            if movedTracks.isEmpty { result.jumps += jump(of: first) }
            remaining.subtract(group)
        }
    }

    /// Returns the offset with which the packets of a track after the step follow those before it.
    private func requiredOffset(_ index: Int) -> Int64 {
        guard let end = tracks[index]?.end, let part = parts[index] else { return 0 }
        return end - part.start
    }

    /// The pause at the step if it is one of several between the frames of a lone video track, as in a time lapse; nil
    /// otherwise.
    private var usualPause: Int64? {
        guard tracks.count == 1, let part = parts[track], part.isCurrent, tracks[track]?.isVideo == true, let nextPause
        else { return nil }
        let pause = -requiredOffset(track) + (tracks[track]?.offset ?? 0)
        let limit = Self.pauseRatioLimit
        guard pause > 0, nextPause <= Self.frameLimits.indicated, pause <= limit * nextPause,
            nextPause <= limit * pause
        else { return nil }
        return pause
    }

    /// Whether a track jumps at the step; otherwise it pauses, has a long frame, or has returned to its earlier times.
    private func isJump(_ index: Int, _ part: Part, _ indicatesDurations: Bool) -> Bool {
        guard part.isCurrent, let timeline = tracks[index], let end = timeline.end else { return false }
        let start = part.start + timeline.offset
        guard start > end else { return true }
        let others = tracks.filter { $0.key != index }.values
        func continues(_ other: TrackTimeline, until time: Int64) -> Bool {
            other.end.map { $0 >= time - TrackTimeline.forwardTolerance } ?? false
        }
        if others.contains(where: { continues($0, until: start) }) { return false }
        // Audio has no long frames. A video track without audio can contain them.
        if !timeline.isVideo || others.contains(where: { !$0.isVideo && continues($0, until: end) }) {
            return start - end > timeline.tolerance
        }
        let limit = indicatesDurations ? Self.frameLimits.indicated : Self.frameLimits.implied
        return start - end > max(limit, timeline.tolerance)
    }

    /// Returns the jump of a track to its packets after the step; empty if it has none.
    private func jump(of index: Int) -> [TimestampJump] {
        guard let timeline = tracks[index], let end = timeline.end, let part = parts[index] else { return [] }
        // A packet that is alone outside of its track's times can be after media that follows the step.
        let time = part.isCurrent ? end : min(end, stepTime)
        var size = part.start + timeline.offset - time
        if let period = timeline.wrapPeriod, abs(size) > period / 2 { size -= size.signum() * period }
        return [TimestampJump(time: CMTime(fileNanoseconds: time), size: CMTime(fileNanoseconds: size))]
    }

    /// Moves a packet after the step to the timeline.
    private func move(_ packet: MediaPacket, _ result: inout [Int: TrackTimeline]) {
        let index = packet.trackIndex
        guard let before = tracks[index], let after = result[index], let part = parts[index] else { return }
        guard part.isCurrent else { return packet.removeTimes() }
        // The decode time of a reordered frame can be before the step.
        let isBefore =
            packet.decodeTime.isValid && before.end != nil
            && before.distance(to: packet.decodeTime.fileNanoseconds)
                < abs(packet.decodeTime.fileNanoseconds - part.start)
        packet.move(presentation: after.offset, decode: isBefore ? before.offset : after.offset)
        result[index]?.addMoved(packet)
    }
}
