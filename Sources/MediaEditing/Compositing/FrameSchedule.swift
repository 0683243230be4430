import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// The times of the frames of a video composition in a time range.
struct FrameSchedule {
    /// The start times of the frames in ascending order, followed by the end of the last frame.
    private(set) var times: [CMTime] = []

    /// Creates the schedule of a composition.
    ///
    /// The first frame starts at the start of the range. If the composition has a track for frame timing, the other
    /// frames start with the frames of that track, and in its gaps at intervals of the frame duration. Otherwise, all
    /// frames have the frame duration.
    /// - Parameter range: A range with a numeric duration.
    init(_ composition: AVVideoComposition, _ tracks: [AVAssetTrack], in range: CMTimeRange) {
        guard range.duration > .zero else { return }
        let interval = composition.frameDuration
        let track = tracks.first { $0.trackID == composition.sourceTrackIDForFrameTiming }
        var end = range.start
        for segment in track.map({ TimelineSegment.segments(of: $0, in: [range]) }) ?? [] {
            append(every: interval, from: end, to: segment.range.start)
            append(FrameTimes(segment.media.map.samples), segment)
            end = segment.range.end
        }
        append(every: interval, from: end, to: range.end)
        times.append(range.end)
    }

    /// Returns the index of the frame that is shown at a time. After the end, it is that of the last frame; before the
    /// first frame, it is nil.
    func index(at time: CMTime) -> Int? {
        guard times.count > 1, let first = times.first, time >= first else { return nil }
        var (low, high) = (0, times.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func append(every interval: CMTime, from start: CMTime, to end: CMTime) {
        var index: Int32 = 0
        var time = start
        while time < end {
            times.append(time)
            index += 1
            time = start + CMTimeMultiply(interval, multiplier: index)
        }
    }

    private mutating func append(_ frames: FrameTimes, _ segment: TimelineSegment) {
        times.append(segment.range.start)
        let first = frames.index(at: segment.tick(at: segment.range.start)).map { $0 + 1 } ?? 0
        for frame in frames.frames[min(first, frames.frames.count)...] {
            let time = segment.trackTime(ofTick: frame.start)
            guard time < segment.range.end else { break }
            if time > segment.range.start { times.append(time) }
        }
    }
}
