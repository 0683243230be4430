import Foundation
import MediaCodecs
import MediaTypes

extension TrackMap {
    /// Whether the samples have the sizes and sync flags of those of another track, and the same presentation times
    /// relative to the first sample.
    func hasPresentation(of other: TrackMap) -> Bool {
        let (first, second) = (samples.runs.first, other.samples.runs.first)
        guard let first, let second else { return first == nil && second == nil }
        let shift = second.presentationTime - first.presentationTime
        guard samples.runs.count == other.samples.runs.count else {
            // Adjacent frames of PCM share runs.
            return samples.presentationEnd - samples.presentationStart
                >= other.samples.presentationEnd - other.samples.presentationStart
        }
        return zip(samples.runs, other.samples.runs).allSatisfy { written, source in
            written.presentationTime + shift == source.presentationTime && written.size == source.size
                && written.isSync == source.isSync
        }
    }

    /// The edit list of a copy of the samples: that of the track, limited to the media that the samples cover. Empty for a
    /// track without an edit list whose media begins at zero.
    var copiedEdits: [MovieEdit] {
        guard let first = samples.runs.first,
            !edits.isEmpty || first.decodeTime > 0 || samples.presentationStart < first.decodeTime
        else { return [] }
        let media = CMTimeRange(
            start: time(min(first.decodeTime, samples.presentationStart)), end: time(samples.presentationEnd))
        // Rounding to the movie's time scale changes each end by up to a tick.
        let tolerance = CMTime(value: 1, timescale: max(1, movieTimescale))
        var result: [MovieEdit] = []
        func append(_ duration: CMTime, _ mediaTime: CMTime?, rate: Double = 1) {
            guard duration > .zero else { return }
            if mediaTime == nil, let last = result.last, last.mediaTime == nil {
                result[result.count - 1].duration = last.duration + duration
            } else {
                result.append(MovieEdit(duration: duration, mediaTime: mediaTime, rate: rate))
            }
        }
        for segment in segments {
            guard let source = segment.source else {
                append(segment.target.duration, nil)
                continue
            }
            let isCovered = source.start >= media.start && source.end <= media.end + tolerance
            if isCovered || segment.rate != 1 {
                append(segment.target.duration, source.start, rate: segment.rate)
                continue
            }
            let (start, end) = (max(source.start, media.start), min(source.end, media.end))
            guard start < end else {
                append(segment.target.duration, nil)
                continue
            }
            append(start - source.start, nil)
            append(end - start, start)
            append(source.end - end, nil)
        }
        // Nothing follows the last media.
        while let last = result.last, last.mediaTime == nil { result.removeLast() }
        return result
    }
}
