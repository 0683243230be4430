import MediaCodecs
import MediaTypes

/// A part of a track's timeline to read, within one edit.
struct TimelineSegment {
    /// The requested part, on the track's timeline; within the edit.
    let range: CMTimeRange
    /// The whole edit, on the track's timeline.
    let target: CMTimeRange
    /// The media that the edit presents, on the media's timeline.
    let source: CMTimeRange
    let timescale: CMTimeScale

    /// Returns a track's segments in time ranges, in order.
    static func segments(of track: TrackMap, in ranges: [CMTimeRange]) -> [TimelineSegment] {
        ranges.flatMap { range in
            track.segments.compactMap { segment -> TimelineSegment? in
                guard let source = segment.source else { return nil }
                let part = segment.target.intersection(range)
                guard part.isValid, part.duration > .zero else { return nil }
                return TimelineSegment(range: part, target: segment.target, source: source, timescale: track.timescale)
            }
        }
    }

    /// Returns the track time of a media tick, also outside the edit.
    func trackTime(ofTick tick: Int64) -> CMTime {
        let offset = CMTime(value: tick, timescale: timescale) - source.start
        return inTrackScale(target.start + scaled(offset, from: source.duration, to: target.duration))
    }

    /// Returns the media tick that is presented at a track time, rounded down.
    func tick(at time: CMTime) -> Int64 {
        let offset = scaled(time - target.start, from: target.duration, to: source.duration)
        return CMTimeConvertScale(
            source.start + offset, timescale: timescale, method: .roundTowardNegativeInfinity
        ).value
    }

    /// Returns the first media tick that is not presented before a track time.
    func tickEnd(at time: CMTime) -> Int64 {
        let offset = scaled(time - target.start, from: target.duration, to: source.duration)
        return CMTimeConvertScale(
            source.start + offset, timescale: timescale, method: .roundTowardPositiveInfinity
        ).value
    }

    private func scaled(_ time: CMTime, from: CMTime, to: CMTime) -> CMTime {
        guard from != to, from > .zero else { return time }
        return CMTimeMultiplyByFloat64(time, multiplier: to.seconds / from.seconds)
    }

    /// Returns the time in the track's timescale if the conversion is exact.
    private func inTrackScale(_ time: CMTime) -> CMTime {
        let converted = CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero)
        return converted == time ? CMTime(value: converted.value, timescale: timescale) : time
    }
}
