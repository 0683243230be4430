package import MediaCodecs
import MediaFiles
package import MediaTypes

/// Consecutive edits of a track that present contiguous parts of the same media, each at its own rate.
///
/// A reader or an export needs each sample of a group only once.
package struct EditGroup {
    /// The edits, at least one.
    package private(set) var segments: [TimelineSegment]

    /// Returns the groups of a track in time ranges, in order.
    package static func groups(of track: AVAssetTrack, in ranges: [CMTimeRange]) -> [EditGroup] {
        TimelineSegment.segments(of: track, in: ranges).reduce(into: []) { groups, segment in
            if groups.last?.continues(with: segment) == true {
                groups[groups.count - 1].segments.append(segment)
            } else {
                groups.append(EditGroup(segments: [segment]))
            }
        }
    }

    package var media: MediaSource { segments[0].media }

    /// The requested range on the track's timeline.
    package var range: CMTimeRange {
        CMTimeRangeFromTimeToTime(start: segments[0].range.start, end: segments[segments.count - 1].range.end)
    }

    /// The range of the whole edits on the track's timeline, including parts that were not requested.
    package var editRange: CMTimeRange {
        CMTimeRangeFromTimeToTime(start: segments[0].target.start, end: segments[segments.count - 1].target.end)
    }

    /// The first media tick that is presented.
    var startTick: Int64 { segments[0].tick(at: segments[0].range.start) }
    /// The media tick at which the presentation ends.
    var endTick: Int64 { segments[segments.count - 1].tickEnd(at: range.end) }

    /// Returns the track time of a media tick, which may be outside the group.
    package func trackTime(ofTick tick: Int64) -> CMTime {
        let time = CMTime(value: tick, timescale: media.map.timescale)
        let segment = segments.last { $0.source.start <= time } ?? segments[0]
        return segment.trackTime(ofTick: tick)
    }

    private func continues(with next: TimelineSegment) -> Bool {
        guard let last = segments.last else { return false }
        return last.media === next.media && last.range.end == last.target.end && next.range.start == next.target.start
            && last.target.end == next.target.start && last.source.end == next.source.start
    }

    /// The indices, in decode order, of the runs with samples that are presented or needed to decode presented ones.
    /// Video starts at a key frame that is presented at or before the start of the group; audio includes the codec's
    /// pre-roll.
    package var runs: Range<Int> {
        let map = media.map
        let runs = map.samples.runs
        let (start, end, presentationEnds) = (startTick, endTick, media.presentationEnds)
        var (first, last) = (runs.count, -1)
        for (index, run) in runs.enumerated() where run.presentationTime < end && presentationEnds[index] > start {
            first = min(first, index)
            last = max(last, index)
        }
        guard first <= last else { return 0..<0 }
        if map.isVideo {
            // Frames that precede a key frame in presentation order may depend on frames before it.
            while first > 0, !runs[first].isSync || runs[first].presentationTime > start { first -= 1 }
        } else if map.isAudio, runs[first].count == 1 {
            first = max(0, first - preRollCount)
        }
        return first..<last + 1
    }

    private var preRollCount: Int {
        guard let configuration = media.map.formatDescription.flatMap(DecoderConfiguration.init) else {
            // Twice the pre-roll of Opus (80 ms, RFC 7845, 4.6) in packets of 20 ms, for codecs that are only copied.
            return 8
        }
        return configuration.preRollCount
    }

    /// Returns the indices of the needed samples of a run: all samples of compressed media, or the presented samples of
    /// linear PCM.
    package func samples(of run: SampleMap.Run) -> Range<UInt32> {
        run.count > 1 || media.map.sampleEntries.first?.isLinearPCM == true ? frames(of: run) : 0..<run.count
    }

    /// Returns the indices of the presented samples of a linear PCM run.
    func frames(of run: SampleMap.Run) -> Range<UInt32> {
        let duration = Int64(max(1, run.duration))
        func index(_ tick: Int64) -> UInt32 {
            min(UInt32(clamping: max(0, (tick - run.presentationTime + duration - 1) / duration)), run.count)
        }
        let (low, high) = (index(startTick), index(endTick))
        return low..<max(low, high)
    }
}
