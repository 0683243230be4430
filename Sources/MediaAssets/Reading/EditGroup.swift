import MediaCodecs
import MediaTypes

/// Edits that present consecutive parts of the same media, each at its own speed. Together they need each sample once.
struct EditGroup {
    private(set) var segments: [TimelineSegment]

    /// Returns the groups of a track in time ranges, in order.
    static func groups(of track: AVAssetTrack, in ranges: [CMTimeRange]) -> [EditGroup] {
        TimelineSegment.segments(of: track, in: ranges).reduce(into: []) { groups, segment in
            if groups.last?.continues(with: segment) == true {
                groups[groups.count - 1].segments.append(segment)
            } else {
                groups.append(EditGroup(segments: [segment]))
            }
        }
    }

    var media: MediaSource { segments[0].media }

    /// The range on the track's timeline.
    var range: CMTimeRange {
        CMTimeRangeFromTimeToTime(start: segments[0].range.start, end: segments[segments.count - 1].range.end)
    }

    /// The time of the edits on the track's timeline, also where it is not read.
    var editRange: CMTimeRange {
        CMTimeRangeFromTimeToTime(start: segments[0].target.start, end: segments[segments.count - 1].target.end)
    }

    /// The first media tick that is presented.
    var startTick: Int64 { segments[0].tick(at: segments[0].range.start) }
    /// The media tick at which the presentation ends.
    var endTick: Int64 { segments[segments.count - 1].tickEnd(at: range.end) }

    /// Returns the track time of a media tick, also outside the group.
    func trackTime(ofTick tick: Int64) -> CMTime {
        let time = CMTime(value: tick, timescale: media.map.timescale)
        let segment = segments.last { $0.source.start <= time } ?? segments[0]
        return segment.trackTime(ofTick: tick)
    }

    private func continues(with next: TimelineSegment) -> Bool {
        guard let last = segments.last else { return false }
        return last.media === next.media && last.range.end == last.target.end && next.range.start == next.target.start
            && last.target.end == next.target.start && last.source.end == next.source.start
    }

    /// The runs, in decoding order, whose samples are presented or needed to decode those: video from a key frame that
    /// is presented no later than the group begins, audio with the packets of the codec's pre-roll.
    var runs: Range<Int> {
        let map = media.map
        let runs = map.samples.runs
        let (start, end) = (startTick, endTick)
        var (first, last) = (runs.count, -1)
        for (index, run) in runs.enumerated()
        where run.presentationTime < end && run.presentationTime + max(1, run.totalDuration) > start {
            first = min(first, index)
            last = max(last, index)
        }
        guard first <= last else { return 0..<0 }
        if map.isVideo {
            // Frames that precede a key frame in presentation order may depend on frames before it.
            while first > 0, !runs[first].isSync || runs[first].presentationTime > start { first -= 1 }
        } else if map.isAudio {
            first = max(0, first - preRollCount)
        }
        return first..<last + 1
    }

    private var preRollCount: Int {
        media.map.formatDescription.flatMap(DecoderConfiguration.init)?.preRollCount ?? 0
    }

    /// Returns the indexes of the samples of a run that are needed: all of compressed media, the presented ones of
    /// others.
    func samples(of run: SampleMap.Run) -> Range<UInt32> {
        run.count > 1 || media.map.sampleEntries.first?.isLinearPCM == true ? frames(of: run) : 0..<run.count
    }

    /// Returns the indexes of the samples of a run of linear PCM that are presented.
    func frames(of run: SampleMap.Run) -> Range<UInt32> {
        let duration = Int64(max(1, run.duration))
        func index(_ tick: Int64) -> UInt32 {
            min(UInt32(clamping: max(0, (tick - run.presentationTime + duration - 1) / duration)), run.count)
        }
        let (low, high) = (index(startTick), index(endTick))
        return low..<max(low, high)
    }
}
