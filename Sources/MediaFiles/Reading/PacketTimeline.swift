import MediaCodecs

/// Removes jumps from the timestamps of a file, so that the media after a jump continues where the media before it ends.
///
/// A jump is a step back, or a step forward of more than a few seconds without data of any track. The packets after a
/// step are held until the track has continued for a second. Then:
/// - A long frame, regular pauses between the frames of a lone video track, or a pause of one track while another one
///   continues, are kept.
/// - If the track has returned to its earlier times, the packets in between lose their times.
/// - Otherwise the track is moved. Tracks that jump by the same size are moved together, so they stay synchronized.
struct PacketTimeline {
    /// The jumps that were removed so far, in the order of the file.
    private(set) var jumps: [TimestampJump] = []
    /// The tracks by their index.
    private var tracks: [Int: TrackTimeline]
    private let indicatesDurations: Bool
    /// The step whose cause is not known yet; nil if there is none.
    private var step: TimestampStep?
    /// The events that are ready.
    private var output: ArraySlice<MediaFileReader.Event> = []

    /// Creates the timeline of a file.
    ///
    /// - Parameters:
    ///   - tracks: By their index.
    ///   - indicatesDurations: Whether the container indicates how long each frame lasts.
    init(_ tracks: [Int: TrackTimeline] = [:], indicatesDurations: Bool = false) {
        self.tracks = tracks
        self.indicatesDurations = indicatesDurations
    }

    /// Returns the next event, with the times of the timeline; nil if another event of the file must be added first.
    mutating func next() -> MediaFileReader.Event? { output.popFirst() }

    /// Adds an event of the file.
    mutating func add(_ event: MediaFileReader.Event) {
        switch event {
        case .packet(let packet): add(packet)
        case .damaged:
            if step == nil { output.append(event) } else { step?.add(event) }
        case .end:
            finishStep()
            output.append(event)
        }
    }

    private mutating func add(_ packet: MediaPacket) {
        let index = packet.trackIndex
        if step == nil {
            var isContinuous = !packet.isTimed || continues(with: packet)
            if !isContinuous { isContinuous = tracks[index]?.ignoreLastPacket(before: packet) == true }
            if isContinuous {
                tracks[index]?.add(packet)
                return output.append(.packet(packet))
            }
            step = TimestampStep(of: index, tracks)
        }
        guard step?.add(packet) == true else {
            finishStep()
            return add(packet)
        }
        if step?.isDecided == true { finishStep() }
    }

    /// Whether a packet continues its track or, if it is the first one, begins when the others have come close.
    private func continues(with packet: MediaPacket) -> Bool {
        guard let track = tracks[packet.trackIndex] else { return true }
        guard track.end == nil, let latest = tracks.values.compactMap(\.end).max() else {
            return track.continues(with: packet)
        }
        return packet.time.fileNanoseconds + track.offset <= latest + TrackTimeline.forwardTolerance
    }

    private mutating func finishStep() {
        guard let result = step?.finish(indicatesDurations: indicatesDurations) else { return }
        step = nil
        tracks = result.tracks
        jumps += result.jumps
        output += result.events
    }
}
