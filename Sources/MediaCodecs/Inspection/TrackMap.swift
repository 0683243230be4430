package import Foundation
package import MediaTypes

/// A track of a movie file: what it is, how it lies on the movie's timeline, and where its samples are.
package struct TrackMap: Sendable {
    /// An entry of the edit list (ISO/IEC 14496-12, 8.6.6).
    package struct Edit: Sendable, Hashable {
        /// In ticks of the movie; 0 in a fragmented movie means to the end.
        package var duration: Int64
        /// In ticks of the track; -1 for an empty edit.
        package var mediaTime: Int64
        package var rate: Double
    }

    /// A part of the movie's timeline, and what of the track's media it shows.
    package struct Segment: Sendable, Hashable {
        package var target: CMTimeRange
        /// In the track's timescale; nil where nothing is shown.
        package var source: CMTimeRange?
    }

    /// From the file, unique in it.
    package var number: UInt32
    /// What kind of media: `vide`, `soun`, `tmcd`, `meta`, `text`, ….
    package var handler = ""
    package var isEnabled = true
    package var alternateGroup: Int16 = 0
    package var volume = 1.0
    package var timescale: CMTimeScale = 0
    /// What the track's header says, in ticks of the movie.
    package var headerDuration: Int64 = 0
    /// What the media's header says, in ticks of the track.
    package var mediaDuration: Int64 = 0
    /// The movie's timescale.
    package var movieTimescale: CMTimeScale = 0
    package var transform = CGAffineTransform.identity
    /// The size for display before the transform.
    package var size = CGSize.zero
    /// ISO 639-2/T; nil for undetermined.
    package var languageCode: String?
    /// BCP 47.
    package var extendedLanguageTag: String?
    package var edits: [Edit] = []
    package var sampleEntries: [SampleEntry] = []
    package var samples = SampleMap()
    /// The numbers of other tracks by the kind of reference, as `chap`, `tmcd`.
    package var references: [String: [UInt32]] = [:]
    package var metadata: [MovieMap.Entry] = []
    /// Where the track's box begins.
    package var offset: Int64 = 0

    package var isVideo: Bool { handler == "vide" }
    package var isAudio: Bool { handler == "soun" }

    package init(number: UInt32) { self.number = number }

    /// A count of the track's ticks as a time.
    package func time(_ ticks: Int64) -> CMTime {
        timescale > 0 ? CMTime(value: ticks, timescale: timescale) : .invalid
    }

    /// The parts of the timeline in order, without gaps, from the movie's zero on.
    package var segments: [Segment] {
        guard timescale > 0 else { return [] }
        let mediaEnd = samples.presentationEnd
        guard !edits.isEmpty, movieTimescale > 0 else {
            let range = CMTimeRange(start: time(0), duration: time(max(0, mediaEnd)))
            return mediaEnd > 0 ? [Segment(target: range, source: range)] : []
        }
        var start = CMTime(value: 0, timescale: movieTimescale)
        var segments: [Segment] = []
        for edit in edits {
            var duration = CMTime(value: edit.duration, timescale: movieTimescale)
            if edit.duration == 0 {
                guard edit.mediaTime >= 0, mediaEnd > edit.mediaTime else { continue }
                duration = time(mediaEnd - edit.mediaTime)
            }
            let target = CMTimeRange(start: start, duration: duration)
            var source: CMTimeRange?
            if edit.mediaTime >= 0 {
                let length =
                    edit.rate == 1 || edit.rate <= 0
                    ? duration : CMTimeMultiplyByFloat64(duration, multiplier: edit.rate)
                source = CMTimeRange(start: time(edit.mediaTime), duration: length)
            }
            segments.append(Segment(target: target, source: source))
            start = start + duration
        }
        return segments
    }

    /// The samples of which something is shown, in decode order.
    package var shownRuns: [SampleMap.Run] {
        let sources = segments.compactMap(\.source)
        return samples.runs.filter { run in
            let (start, end) = (time(run.presentationTime), time(run.presentationTime + run.totalDuration))
            return sources.contains { start < $0.end && end > $0.start }
        }
    }

    /// From the first to the last moment that shows something.
    package var timeRange: CMTimeRange {
        let shown = segments.filter { $0.source != nil }
        guard let first = shown.first, let last = shown.last else { return .zero }
        return CMTimeRange(start: first.target.start, end: last.target.end)
    }
}
