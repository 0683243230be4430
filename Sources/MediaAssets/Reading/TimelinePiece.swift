import MediaCodecs
import MediaTypes

/// A part of a track's timeline that is to be read, and the edit that shows something there.
struct TimelinePiece {
    /// What is asked for, on the track's timeline; inside the edit.
    let range: CMTimeRange
    /// The whole edit.
    let target: CMTimeRange
    /// What the edit shows, on the media's timeline.
    let source: CMTimeRange
    let timescale: CMTimeScale

    /// The pieces of a track in time ranges, in order.
    static func pieces(of track: TrackMap, in ranges: [CMTimeRange]) -> [TimelinePiece] {
        ranges.flatMap { range in
            track.segments.compactMap { segment -> TimelinePiece? in
                guard let source = segment.source else { return nil }
                let part = segment.target.intersection(range)
                guard part.isValid, part.duration > .zero else { return nil }
                return TimelinePiece(range: part, target: segment.target, source: source, timescale: track.timescale)
            }
        }
    }

    /// A tick of the media on the track's timeline, also outside the edit.
    func trackTime(ofTick tick: Int64) -> CMTime {
        let offset = CMTime(value: tick, timescale: timescale) - source.start
        return inTrackScale(target.start + scaled(offset, from: source.duration, to: target.duration))
    }

    /// The tick of the media that is shown at a time of the track, rounded down.
    func tick(at time: CMTime) -> Int64 {
        let offset = scaled(time - target.start, from: target.duration, to: source.duration)
        return CMTimeConvertScale(
            source.start + offset, timescale: timescale, method: .roundTowardNegativeInfinity
        ).value
    }

    /// The first tick of the media that is not shown any more at a time of the track.
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

    /// The same in the track's own timescale, where that is exact.
    private func inTrackScale(_ time: CMTime) -> CMTime {
        let converted = CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero)
        return converted == time ? CMTime(value: converted.value, timescale: timescale) : time
    }
}
