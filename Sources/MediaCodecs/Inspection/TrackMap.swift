package import Foundation
package import MediaTypes

/// A track of a movie file: its format, its edit list and its samples.
package struct TrackMap: Sendable {
    /// An entry of the edit list (ISO/IEC 14496-12, 8.6.6).
    package struct Edit: Sendable, Hashable {
        /// The duration in ticks of the movie; 0 in a fragmented movie means up to the end of the media.
        package var duration: Int64
        /// The start in the media, in ticks of the track; -1 for an empty edit.
        package var mediaTime: Int64
        /// The playback rate.
        package var rate: Double

        package init(duration: Int64, mediaTime: Int64, rate: Double) {
            self.duration = duration
            self.mediaTime = mediaTime
            self.rate = rate
        }
    }

    /// A part of the movie's timeline and the media presented in it.
    package struct Segment: Sendable, Hashable {
        /// The range on the movie's timeline.
        package var target: CMTimeRange
        /// The range of the media, in the track's time scale; nil for an empty edit.
        package var source: CMTimeRange?
        /// The playback rate.
        package var rate = 1.0
    }

    /// The file with the samples of a sample description entry (ISO/IEC 14496-12, 8.7.2).
    package struct DataReference: Sendable, Hashable {
        /// The four-character code of the reference: `url `, `urn `, `alis`, ….
        package var type: String
        /// Whether the samples are in the same file as the description.
        package var isSelfContained: Bool

        package init(type: String, isSelfContained: Bool) {
            self.type = type
            self.isSelfContained = isSelfContained
        }
    }

    /// The track ID, unique in the file.
    package var number: UInt32
    /// The media type: `vide`, `soun`, `tmcd`, `meta`, `text`, ….
    package var handler = ""
    /// Whether the track is enabled.
    package var isEnabled = true
    /// The alternate group; 0 for none.
    package var alternateGroup: Int16 = 0
    /// The volume; 1 is full volume.
    package var volume = 1.0
    /// The time scale of the media in ticks per second.
    package var timescale: CMTimeScale = 0
    /// The duration in the track's header, in ticks of the movie; nil if unknown.
    package var headerDuration: Int64?
    /// The duration in the media's header, in ticks of the track; nil if unknown.
    package var mediaDuration: Int64?
    /// The movie's time scale in ticks per second; 0 if the movie has no valid one.
    package var movieTimescale: CMTimeScale = 0
    /// The transform for display.
    package var transform = CGAffineTransform.identity
    /// The perspective terms u, v and w of the matrix for display.
    package var perspective = MovieTrackConfiguration.affinePerspective
    /// The position in the stack of video tracks; tracks with lower numbers are in front.
    package var layer: Int16 = 0
    /// The display size in pixels, before the transform.
    package var size = CGSize.zero
    /// The ISO 639-2/T code of the language; nil if undetermined.
    package var languageCode: String?
    /// The BCP 47 tag of the language; nil if not specified.
    package var extendedLanguageTag: String?
    /// The edit list.
    package var edits: [Edit] = []
    /// The sample description entries.
    package var sampleEntries: [SampleEntry] = []
    /// The samples.
    package var samples = SampleMap()
    /// The number of samples that fragments describe, but whose media is not completely in the file; `samples` does not
    /// contain them.
    package var missingSampleCount: Int64 = 0
    /// The numbers of referenced tracks by reference type, such as `chap` or `tmcd`.
    package var references: [String: [UInt32]] = [:]
    /// The metadata of the track.
    package var metadata: [MovieMap.Entry] = []
    /// The data references of the sample description entries.
    package var dataReferences: [DataReference] = []
    /// The boxes that a copy of the track keeps byte for byte; nil if the track was not read from a movie.
    package var storedBoxes: StoredTrackBoxes?
    /// Why the track cannot be copied, after its name; empty if it can.
    package var copyRejectionReasons: [String] = []
    /// Descriptions of the boxes that a copy of the track does not contain.
    package var omittedBoxes: [String] = []
    /// The file offset of the track's box.
    package var offset: Int64 = 0

    /// Whether the track is a video track.
    package var isVideo: Bool { handler == "vide" }
    /// Whether the track is an audio track.
    package var isAudio: Bool { handler == "soun" }

    /// Creates an empty track.
    package init(number: UInt32) { self.number = number }

    /// Whether adjacent samples with a common size are one run. This applies to frames of PCM, and to the samples of one
    /// byte that old QuickTime files specify for compressed audio instead of packets.
    package func sharesRuns(sampleByteCount: UInt32) -> Bool {
        isAudio && sampleByteCount > 0 && (sampleByteCount == 1 || sampleEntries.allSatisfy(\.isPCM))
    }

    /// Converts a count of the track's ticks to a time.
    package func time(_ ticks: Int64) -> CMTime {
        timescale > 0 ? CMTime(value: ticks, timescale: timescale) : .invalid
    }

    /// The segments of the timeline in order, without gaps, from zero.
    package var segments: [Segment] {
        guard timescale > 0 else { return [] }
        let mediaEnd = samples.presentationEnd
        guard !edits.isEmpty else {
            let range = CMTimeRange(start: time(0), duration: time(max(0, mediaEnd)))
            return mediaEnd > 0 ? [Segment(target: range, source: range)] : []
        }
        let hasDurations = movieTimescale > 0
        var start = CMTime(value: 0, timescale: max(1, movieTimescale))
        var segments: [Segment] = []
        // Without durations only the start of the first media is known.
        for edit in hasDurations ? edits[...] : edits.filter({ $0.mediaTime >= 0 }).prefix(1) {
            var duration = CMTime(value: edit.duration, timescale: max(1, movieTimescale))
            if edit.duration == 0 || !hasDurations {
                guard edit.mediaTime >= 0, mediaEnd > edit.mediaTime else { continue }
                duration = time(mediaEnd - edit.mediaTime)
            }
            let target = CMTimeRange(start: start, duration: duration)
            var source: CMTimeRange?
            if edit.mediaTime >= 0 {
                let length =
                    edit.rate == 1 || edit.rate <= 0
                    ? duration : mediaDuration(of: edit, movieDuration: duration)
                source = CMTimeRange(start: time(edit.mediaTime), duration: length)
            }
            segments.append(Segment(target: target, source: source, rate: edit.rate))
            start = start + duration
        }
        return segments
    }

    /// Returns the duration of the media that an edit presents at its rate, a fixed-point number with 16 fractional
    /// bits; exact if the time scale allows it, otherwise rounded to a tick of the track.
    private func mediaDuration(of edit: Edit, movieDuration: CMTime) -> CMTime {
        let (unit, scale) = (Int64(1 << 16), Int64(movieDuration.timescale))
        let rate = Int64((edit.rate * Double(unit)).rounded())
        let (value, overflow) = movieDuration.value.multipliedReportingOverflow(by: rate)
        guard !overflow else { return CMTimeMultiplyByFloat64(movieDuration, multiplier: edit.rate) }
        // The denominator is a power of two times the movie's time scale: remove common powers of two.
        let shift = min(16, value == 0 ? 16 : value.trailingZeroBitCount)
        let denominator = scale * (unit >> shift)
        if let timescale = CMTimeScale(exactly: denominator) {
            return CMTime(value: value >> shift, timescale: timescale)
        }
        let ticks = (Double(value >> shift) / Double(denominator) * Double(timescale)).rounded()
        return time(Int64(ticks))
    }

    /// The end of the presentation of each run, in ticks.
    ///
    /// A video frame is presented until the next one begins. The duration of its sample is the time to the next sample in
    /// decode order.
    package var presentationEnds: [Int64] {
        var ends = samples.runs.map { $0.presentationTime + max(1, $0.totalDuration) }
        guard isVideo else { return ends }
        for frame in FrameTimes(samples).frames { ends[frame.sample] = max(frame.start + 1, frame.end) }
        return ends
    }

    /// The runs that are presented at least in part, in decode order.
    package var presentedRuns: [SampleMap.Run] {
        let sources = segments.compactMap { segment in
            // An edit of rate 0 presents one frame.
            segment.source.map { segment.rate == 0 ? CMTimeRange(start: $0.start, duration: time(1)) : $0 }
        }
        return zip(samples.runs, presentationEnds).filter { run, end in
            sources.contains { time(run.presentationTime) < $0.end && time(end) > $0.start }
        }.map(\.0)
    }

    /// The range from the first to the last presented media.
    package var timeRange: CMTimeRange {
        let presented = segments.filter { $0.source != nil }
        guard let first = presented.first, let last = presented.last else { return .zero }
        return CMTimeRange(start: first.target.start, end: last.target.end)
    }
}
