import MediaCodecs
import MediaTypes

/// A part of a track's timeline to read, within one edit.
package struct TimelineSegment {
    /// The file and its track that the edit presents.
    package let media: MediaSource
    /// The requested part, on the track's timeline; within the edit.
    package var range: CMTimeRange
    /// The whole edit, on the track's timeline.
    package let target: CMTimeRange
    /// The media that the edit presents, on the media's timeline.
    package let source: CMTimeRange

    package init(media: MediaSource, range: CMTimeRange, target: CMTimeRange, source: CMTimeRange) {
        self.media = media
        self.range = range
        self.target = target
        self.source = source
    }

    /// Returns the edits of a file's track that present media, in order.
    static func segments(of media: MediaSource) -> [TimelineSegment] {
        media.map.segments.compactMap { segment in
            segment.source.map {
                TimelineSegment(media: media, range: segment.target, target: segment.target, source: $0)
            }
        }
    }

    /// Returns a track's segments in time ranges, in order.
    package static func segments(of track: AVAssetTrack, in ranges: [CMTimeRange]) -> [TimelineSegment] {
        let timeline = track.timeline
        return ranges.flatMap { range in timeline.compactMap { $0.part(in: range) } }
    }

    /// Returns the part of the segment in a time range; nil if there is none.
    private func part(in range: CMTimeRange) -> TimelineSegment? {
        let part = target.intersection(range)
        guard part.isValid, part.duration > .zero else { return nil }
        var segment = self
        segment.range = part
        return segment
    }

    /// The playback rate: the duration of the presented media divided by its duration on the track's timeline.
    var speed: Double { isScaled ? source.duration.seconds / target.duration.seconds : 1 }

    /// Whether the playback rate is not 1.
    package var isScaled: Bool { source.duration != target.duration && source.duration > .zero }

    /// Returns the track time of a media tick, which may be outside the edit.
    package func trackTime(ofTick tick: Int64) -> CMTime {
        trackTime(ofMediaTime: CMTime(value: tick, timescale: media.map.timescale))
    }

    /// Returns the track time of a time on the media's timeline, which may be outside the edit.
    func trackTime(ofMediaTime time: CMTime) -> CMTime {
        let offset = time - source.start
        let scaled =
            isScaled ? CMTimeMapDurationFromRangeToRange(offset, fromRange: source, toRange: target) : offset
        return inMediaTimescale(target.start + scaled)
    }

    /// Returns the time on the media's timeline that is presented at a track time.
    package func mediaTime(at time: CMTime) -> CMTime {
        let offset = time - target.start
        return source.start
            + (isScaled ? CMTimeMapDurationFromRangeToRange(offset, fromRange: target, toRange: source) : offset)
    }

    /// Returns the media tick that is presented at a track time, rounded down.
    package func tick(at time: CMTime) -> Int64 {
        CMTimeConvertScale(mediaTime(at: time), timescale: media.map.timescale, method: .roundTowardNegativeInfinity)
            .value
    }

    /// Returns the first media tick that is not presented before a track time.
    package func tickEnd(at time: CMTime) -> Int64 {
        CMTimeConvertScale(mediaTime(at: time), timescale: media.map.timescale, method: .roundTowardPositiveInfinity)
            .value
    }

    /// Returns the time in the media's time scale if the conversion is exact; otherwise unchanged.
    private func inMediaTimescale(_ time: CMTime) -> CMTime {
        let timescale = media.map.timescale
        let converted = CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero)
        return converted == time ? CMTime(value: converted.value, timescale: timescale) : time
    }
}
