import MediaAssets
import MediaCodecs
import MediaTypes

/// The times of a track's stored samples in an exported movie, and the edit list that presents them.
///
/// The media of the exported track is one sequence. It contains, for each edit group in order, the presented samples
/// and the samples that the decoder needs before them. Sample times include the rates of scaled edits, since players
/// ignore the rates of edit lists. The edit list presents the parts of this sequence at their times.
///
/// Edit groups share one edit if no sample between them must be hidden, because GStreamer's qtdemux presents a track
/// with one edit completely. For a track with several edits, qtdemux adds the media time of an edit's start to the
/// presentation time, and ends the track at the first key frame at which the sum exceeds the movie's duration.
struct StoredTrackLayout {
    /// An edit group and its position in the exported media. All times are in ticks of `timescale`.
    struct Part {
        let group: EditGroup
        /// The indices of the needed runs in the source's samples.
        let runs: Range<Int>
        /// The decode time of the first needed sample of each run.
        fileprivate(set) var decodeTimes: [Int64]
        /// The presentation time of the first needed sample of each run.
        fileprivate(set) var presentationTimes: [Int64]
        /// The end of the last sample in decode order.
        fileprivate(set) var decodeEnd: Int64
        /// The end of the last sample in presentation order.
        fileprivate var presentationEnd: Int64
        /// The media time at which the presentation begins.
        fileprivate var start: Int64
        /// The index in `decodeTimes` of the first run that is presented.
        fileprivate var firstPresented: Int
        /// Whether the part is presented by the same edit as the previous one.
        fileprivate var sharesEdit = false

        /// The earliest presentation time.
        fileprivate var presentationStart: Int64 { presentationTimes.min() ?? 0 }
        /// The earliest decode or presentation time.
        fileprivate var mediaStart: Int64 { min(decodeTimes.first ?? 0, presentationStart) }
    }

    /// Ticks per second of the exported media.
    let timescale: CMTimeScale
    /// The edit groups in the order of the exported media.
    private(set) var parts: [Part] = []
    /// The edit list of the exported track; empty edits fill the time in which nothing is presented.
    private(set) var edits: [MovieEdit] = []

    /// The highest time scale for exact times; the same limit as for recorded movies.
    private static let maximumTimescale: Int64 = 10_000_000

    /// Creates the layout of a track.
    ///
    /// - Parameter range: The part of the track's timeline to export.
    init(_ track: AVAssetTrack, in range: CMTimeRange) {
        let groups = EditGroup.groups(of: track, in: [range])
        timescale = Self.timescale(for: groups, of: track)
        for group in groups {
            if let part = makePart(group) { parts.append(part) }
        }
        for index in parts.indices.dropFirst() { shareEdit(index) }
        if parts.filter({ !$0.sharesEdit }).count > 1 { alignDecoding() }
        arrangeParts()
        setEdits(from: range.start)
    }

    /// Whether the exported track has all samples of the source track, in the same order.
    var isWholeTrack: Bool {
        guard parts.count == 1, let part = parts.first else { return false }
        let runs = part.group.media.map.samples.runs
        return part.runs == runs.indices && runs.allSatisfy { part.group.samples(of: $0) == 0..<$0.count }
    }

    /// The indices of the exported samples in the source, in the order of the export; empty if there are several sources.
    var sourceSamples: [Range<Int>] {
        guard let media = parts.first?.group.media, parts.allSatisfy({ $0.group.media === media }) else { return [] }
        let runs = media.map.samples.runs
        var starts = [0]
        for run in runs { starts.append(starts[starts.count - 1] + Int(run.count)) }
        var samples: [Range<Int>] = []
        for part in parts {
            for index in part.runs {
                let needed = part.group.samples(of: runs[index])
                let (first, end) = (starts[index] + Int(needed.lowerBound), starts[index] + Int(needed.upperBound))
                if let last = samples.last, last.upperBound == first {
                    samples[samples.count - 1] = last.lowerBound..<end
                } else if first < end {
                    samples.append(first..<end)
                }
            }
        }
        return samples
    }

    /// Converts a time to ticks.
    func ticks(_ time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero).value
    }

    /// Returns a part with the sample times of a group on the track's timeline; nil if the group has no samples.
    private func makePart(_ group: EditGroup) -> Part? {
        let (map, runs) = (group.media.map, group.runs)
        let samples = map.samples.runs[runs]
        guard !samples.isEmpty else { return nil }
        let (start, end) = (ticks(group.range.start), ticks(group.range.end))
        var part = Part(
            group: group, runs: runs, decodeTimes: [], presentationTimes: [], decodeEnd: 0, presentationEnd: .min,
            start: start, firstPresented: 0)
        part.decodeTimes.reserveCapacity(samples.count)
        part.presentationTimes.reserveCapacity(samples.count)
        // Players do not apply edits to texts and metadata: a sample that extends beyond the cut is shortened. Timecode
        // counts from its sample.
        let isCut =
            group.range != group.editRange && !map.isVideo && !map.isAudio && map.handler != "tmcd"
            && !map.samples.hasCompositionOffsets
        let presentationEnds = group.media.presentationEnds[runs]
        for (sample, presentationEnd) in zip(samples, presentationEnds) {
            let needed = group.samples(of: sample)
            let first = sample.decodeTime + Int64(needed.lowerBound) * Int64(sample.duration)
            let end = sample.decodeTime + Int64(needed.upperBound) * Int64(sample.duration)
            let offset = Int64(sample.compositionOffset)
            let sampleEnd = ticks(group.trackTime(ofTick: map.isVideo ? presentationEnd : end + offset))
            // Two samples must not have the same decode time after rounding, or if the source has overlapping fragments.
            var decode = ticks(group.trackTime(ofTick: first))
            if let last = part.decodeTimes.last { decode = max(decode, last + 1) }
            if isCut, decode < start, sampleEnd > start { decode = start }
            var presentation = ticks(group.trackTime(ofTick: first + offset))
            if offset >= 0 { presentation = max(decode, presentation) }
            // Players do not show a frame that begins before its edit.
            if map.isVideo, presentation < start, sampleEnd > start { presentation = start }
            part.decodeTimes.append(decode)
            part.presentationTimes.append(presentation)
            part.presentationEnd = max(part.presentationEnd, sampleEnd, presentation + 1)
            part.decodeEnd = max(decode + 1, ticks(group.trackTime(ofTick: end)))
        }
        if isCut, let last = part.decodeTimes.last { part.decodeEnd = max(last + 1, min(part.decodeEnd, end)) }
        part.firstPresented = part.presentationTimes.firstIndex { start <= $0 && $0 < end } ?? 0
        return part
    }

    /// Makes a part share the edit of the previous part if no sample between them must be hidden.
    ///
    /// The first decode times of the part are then increased so that they follow those of the previous part, which may
    /// have another rate.
    private mutating func shareEdit(_ index: Int) {
        let (previous, part) = (parts[index - 1], parts[index])
        let isVideo = part.group.media.map.isVideo
        let end = ticks(previous.group.range.end)
        guard previous.group.range.end == part.group.range.start,
            previous.presentationTimes.allSatisfy({ $0 < end }), part.presentationTimes.min() == end,
            isVideo ? previous.presentationEnd >= end : previous.presentationEnd == end,
            var decode = previous.decodeTimes.last
        else { return }
        var decodeTimes = part.decodeTimes
        for sample in decodeTimes.indices where decodeTimes[sample] <= decode {
            decodeTimes[sample] = decode + 1
            decode += 1
        }
        // No sample is decoded later than it is presented, unless it is in the source.
        let isTimely = decodeTimes.indices.allSatisfy { sample in
            decodeTimes[sample] <= max(part.presentationTimes[sample], part.decodeTimes[sample])
        }
        guard isTimely, let first = decodeTimes.first else { return }
        parts[index].decodeTimes = decodeTimes
        parts[index].decodeEnd = max(part.decodeEnd, decode + 1)
        parts[index].sharesEdit = true
        parts[index - 1].decodeEnd = first
    }

    /// Makes the delay from the decode time of the first presented sample to the start of the presentation equal in all
    /// edits.
    ///
    /// With equal delays, libavformat computes correct presentation times for all edits from the delay of the first
    /// one.
    private mutating func alignDecoding() {
        guard parts.contains(where: { $0.group.media.map.isVideo }) else { return }
        let delay = parts.filter { !$0.sharesEdit }.map { $0.start - $0.decodeTimes[$0.firstPresented] }.max() ?? 0
        for index in parts.indices where !parts[index].sharesEdit {
            let offset = parts[index].decodeTimes[parts[index].firstPresented] - (parts[index].start - delay)
            for sample in 0...parts[index].firstPresented { parts[index].decodeTimes[sample] -= offset }
        }
    }

    /// Places the parts one after the other in the media. Neither decode times nor presentation times of edits overlap,
    /// so that each media time is unambiguous.
    ///
    /// The decode times of an edit start after the presentation of the previous one. GStreamer's qtdemux reads an edit
    /// up to the first sample whose decode time reaches the end of the edit; if that sample belonged to the next edit,
    /// qtdemux would end the stream.
    private mutating func arrangeParts() {
        var (decodeEnd, presentationEnd, shift) = (Int64(0), Int64(0), Int64(0))
        for index in parts.indices {
            guard let first = parts[index].decodeTimes.first else { continue }
            if !parts[index].sharesEdit {
                // The writer moves samples that are presented before the start of the media.
                shift = index == 0 ? -first : max(decodeEnd, presentationEnd) - parts[index].mediaStart
            }
            for sample in parts[index].decodeTimes.indices {
                parts[index].decodeTimes[sample] += shift
                parts[index].presentationTimes[sample] += shift
            }
            parts[index].decodeEnd += shift
            parts[index].presentationEnd += shift
            parts[index].start += shift
            (decodeEnd, presentationEnd) = (parts[index].decodeEnd, parts[index].presentationEnd)
        }
    }

    /// Sets `edits` to those that present the parts.
    ///
    /// - Parameter start: The time on the track's timeline at which the exported movie begins.
    private mutating func setEdits(from start: CMTime) {
        var end = start
        for part in parts {
            let presented = part.group.range
            if part.sharesEdit {
                edits[edits.count - 1].duration = edits[edits.count - 1].duration + presented.duration
                end = presented.end
                continue
            }
            // Nothing is presented before the first sample.
            let lead = CMTime(value: max(0, part.presentationStart - part.start), timescale: timescale)
            let start = presented.start + lead
            if start > end { edits.append(MovieEdit(duration: start - end, mediaTime: nil)) }
            edits.append(
                MovieEdit(
                    duration: presented.duration - lead,
                    mediaTime: CMTime(value: part.start, timescale: timescale) + lead))
            end = presented.end
        }
    }

    /// Returns a time scale in which the sample times are exact, if it is not too high.
    private static func timescale(for groups: [EditGroup], of track: AVAssetTrack) -> CMTimeScale {
        guard let first = groups.first else { return track.naturalTimeScale }
        var common = ExactTimescale(first.media.map.timescale, limit: maximumTimescale)
        for group in groups { common.include(Int64(group.media.map.timescale)) }
        // Audio decoders expect ticks of the sample rate. Edits of audio are therefore rounded to whole audio frames.
        // The time scale of timecode is that of its frames.
        guard !first.media.map.isAudio, first.media.map.handler != "tmcd" else { return common.value }
        for group in groups {
            let isOneUnscaledEdit = groups.count == 1 && group.segments.count == 1 && !group.segments[0].isScaled
            for segment in group.segments where !isOneUnscaledEdit {
                for time in [segment.source.start, segment.target.start, segment.target.duration, segment.range.start] {
                    common.includeValue(of: time)
                }
                if let divisor = segment.tickDivisor {
                    let scale = ExactTimescale(segment.media.map.timescale, limit: maximumTimescale)
                        .including(segment.source.start)
                    let (value, overflows) = Int64(scale).multipliedReportingOverflow(by: divisor)
                    if !overflows { common.include(value) }
                }
            }
        }
        return common.value
    }
}

extension ExactTimescale {
    /// Returns the time scale in which a time is exact, too.
    fileprivate func including(_ time: CMTime) -> CMTimeScale {
        var scale = self
        scale.includeValue(of: time)
        return scale.value
    }
}

extension TimelineSegment {
    /// The factor by which the media's time scale is multiplied to make scaled times exact; nil if it is too large.
    fileprivate var tickDivisor: Int64? {
        guard isScaled else { return 1 }
        let (target, source) = (target.duration.lowestTerms, source.duration.lowestTerms)
        let (numerator, first) = target.numerator.multipliedReportingOverflow(by: source.denominator)
        let (denominator, second) = source.numerator.multipliedReportingOverflow(by: target.denominator)
        guard !first, !second, numerator > 0, denominator > 0 else { return nil }
        return denominator / ExactTimescale.greatestCommonDivisor(numerator, denominator)
    }
}

extension CMTime {
    /// The time in seconds as a fraction in lowest terms.
    fileprivate var lowestTerms: (numerator: Int64, denominator: Int64) {
        let scale = Int64(max(1, timescale))
        let divisor = max(1, ExactTimescale.greatestCommonDivisor(scale, value < 0 ? -value : value))
        return (value / divisor, scale / divisor)
    }
}
