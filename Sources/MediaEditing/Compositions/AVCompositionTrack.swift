import AssetTypes
public import Foundation
import MediaAssets
import MediaCodecs
import MediaFiles
public import MediaTypes

/// A segment of a track of a composition: a part of a source track, or an empty segment.
public final class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.
    let edit: EditList.Edit

    init(_ edit: EditList.Edit) {
        self.edit = edit
        super.init(timeMapping: edit.mapping)
    }

    /// Creates an empty segment.
    public convenience init(timeRange: CMTimeRange) { self.init(EditList.Edit(target: timeRange, source: nil)) }

    /// Creates a segment that presents a part of a track of a file. If the file has no such track, the segment presents
    /// nothing.
    public convenience init(
        url URL: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange, targetTimeRange: CMTimeRange
    ) {
        let track = AVURLAsset(url: URL).track(withTrackID: trackID)
        self.init(
            EditList.Edit(
                target: targetTimeRange,
                source: EditList.Source(
                    url: URL, trackID: trackID, range: sourceTimeRange, timeline: track?.timeline ?? [])))
    }

    /// The file of the source; nil for an empty segment and for a part of another composition.
    public var sourceURL: URL? { edit.source?.url }
    /// The ID of the source track; `kCMPersistentTrackID_Invalid` for an empty segment.
    public var sourceTrackID: CMPersistentTrackID { edit.source?.trackID ?? kCMPersistentTrackID_Invalid }
}

/// A track of a composition.
///
/// - Important: Thread-safe.
public class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // SAFETY: all state is behind the lock of `contents`.
    private let contents: CompositionTrackContents
    var state: Lock<CompositionTrackContents.State> { contents.state }

    init(
        _ type: AVMediaType, _ id: CMPersistentTrackID, _ state: CompositionTrackContents.State,
        of composition: AVComposition
    ) {
        contents = CompositionTrackContents(type, id, state)
        super.init(contents, of: composition)
    }

    override public var trackID: CMPersistentTrackID { contents.id }
    override public var mediaType: AVMediaType { contents.type }
    override public var isSelfContained: Bool { false }

    override public var timeRange: CMTimeRange {
        let list = state.withLock { $0.list }
        guard let first = list.edits.first(where: { $0.source != nil }) else { return .zero }
        return CMTimeRangeFromTimeToTime(start: first.target.start, end: list.end)
    }

    /// The segments, each an `AVCompositionTrackSegment`.
    override public var segments: [AVAssetTrackSegment] {
        state.withLock { $0.list }.edits.map(AVCompositionTrackSegment.init)
    }

    override public var totalSampleDataLength: Int64 {
        presented.reduce(0) { $0 + Int64($1.run.size) * Int64($1.run.count) }
    }

    override public var estimatedDataRate: Float {
        let seconds = timeRange.duration.seconds
        return seconds > 0 ? Float(Double(totalSampleDataLength) * 8 / seconds) : 0
    }

    override public var nominalFrameRate: Float {
        guard mediaType == .video else { return 0 }
        let length = timeline.reduce(0) { $0 + $1.target.duration.seconds }
        return length > 0 ? Float(Double(presented.count) / length) : 0
    }

    override public var minFrameDuration: CMTime {
        guard mediaType == .video else { return .invalid }
        let durations = timeline.flatMap { segment in
            let ticks = presentedRuns(of: segment).frameIntervals
            return ticks.map { segment.trackTime(ofTick: $0.upperBound) - segment.trackTime(ofTick: $0.lowerBound) }
        }
        return durations.filter { $0 > .zero }.min() ?? .invalid
    }

    /// The samples that are presented at least in part.
    private var presented: [(segment: TimelineSegment, run: SampleMap.Run)] {
        timeline.flatMap { segment in presentedRuns(of: segment).map { (segment, $0) } }
    }

    /// Returns the samples that a segment presents at least in part.
    private func presentedRuns(of segment: TimelineSegment) -> [SampleMap.Run] {
        zip(segment.media.map.samples.runs, segment.media.presentationEnds).filter { run, end in
            segment.trackTime(ofTick: run.presentationTime) < segment.target.end
                && segment.trackTime(ofTick: end) > segment.target.start
        }.map(\.0)
    }

    override public func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
        super.segment(forTrackTime: trackTime) as? AVCompositionTrackSegment
    }

    override public func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
        timeline.first { $0.target.containsTime(trackTime) }?.mediaTime(at: trackTime) ?? .invalid
    }
}

/// A track of a composition that can be changed.
public final class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    // SAFETY: as its superclass.

    override public var isEnabled: Bool {
        get { super.isEnabled }
        set { state.withLock { $0.isEnabled = newValue } }
    }
    override public var naturalTimeScale: CMTimeScale {
        get { super.naturalTimeScale }
        set { state.withLock { $0.timescale = newValue } }
    }
    override public var languageCode: String? {
        get { super.languageCode }
        set { state.withLock { $0.languageCode = newValue } }
    }
    override public var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { state.withLock { $0.extendedLanguageTag = newValue } }
    }
    /// Identity until it is set: the transform of a source is not copied.
    override public var preferredTransform: CGAffineTransform {
        get { super.preferredTransform }
        set { state.withLock { $0.transform = newValue } }
    }
    override public var preferredVolume: Float {
        get { super.preferredVolume }
        set { state.withLock { $0.volume = newValue } }
    }

    /// Inserts a part of a track. Media at and after the start time moves later. If this track ends before the start
    /// time, an empty segment fills the gap.
    ///
    /// - Parameter startTime: The time of the insertion; invalid for the end of this track.
    /// - Throws: `.invalidSourceMedia` if the track has another media type, or if the range is not numeric or outside
    ///   the track.
    public func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
        insert([try edit(presenting: timeRange, of: track, at: .zero)], at: startTime)
    }

    /// Inserts parts of tracks, one after the other; see `insertTimeRange(_:of:at:)`. If a part is shortened because
    /// its track ends, the next part follows without a gap.
    public func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
        guard timeRanges.count == tracks.count else {
            throw AVError(.invalidSourceMedia, "\(timeRanges.count) time ranges for \(tracks.count) tracks")
        }
        var edits: [EditList.Edit] = []
        for (range, track) in zip(timeRanges.map(\.timeRangeValue), tracks) {
            edits.append(try edit(presenting: range, of: track, at: edits.last?.target.end ?? .zero))
        }
        insert(edits, at: startTime)
    }

    /// Inserts an empty range. It has no effect at or after the end of the track.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.start.isNumeric, timeRange.duration.isNumeric, timeRange.start >= .zero else { return }
        state.withLock { state in
            guard timeRange.start < state.list.end else { return }
            let target = CMTimeRange(start: .zero, duration: timeRange.duration)
            state.list.insert([EditList.Edit(target: target, source: nil)], at: timeRange.start)
        }
    }

    /// Removes a time range. Media after it moves earlier.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        state.withLock { $0.list.remove(timeRange) }
    }

    /// Changes the duration of a time range, and thus the rate of its media. Media after it moves accordingly.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard duration.isNumeric, duration > .zero else { return }
        state.withLock { $0.list.scale(timeRange, to: duration) }
    }

    /// The segments, each an `AVCompositionTrackSegment`. Setting segments that are not valid is misuse and has no
    /// effect; see `validateSegments(_:)`.
    override public var segments: [AVAssetTrackSegment] {
        get { super.segments }
        set {
            let edits = newValue.compactMap { ($0 as? AVCompositionTrackSegment)?.edit }
            do {
                guard edits.count == newValue.count else {
                    throw AVError(.invalidSourceMedia, "the segments must be of class AVCompositionTrackSegment")
                }
                try validateSegments(newValue.compactMap { $0 as? AVCompositionTrackSegment })
                state.withLock { $0.list = EditList(edits) }
            } catch {
                asset?.system.misuse.report(
                    .invalidArgument, "-[AVMutableCompositionTrack setSegments:] \(error.localizedDescription)")
            }
        }
    }

    /// Checks that the target ranges of segments are numeric, that the first one starts at zero, and that they follow
    /// each other without gaps.
    public func validateSegments(_ trackSegments: [AVCompositionTrackSegment]) throws {
        var end = CMTime.zero
        for (index, segment) in trackSegments.enumerated() {
            let target = segment.timeMapping.target
            guard target.start.isNumeric, target.duration.isNumeric, target.duration > .zero else {
                throw AVError(.compositionTrackSegmentsNotContiguous, "segment \(index) has no numeric target range")
            }
            guard target.start == end else {
                throw AVError(
                    index == 0
                        ? .invalidCompositionTrackSegmentSourceStartTime : .compositionTrackSegmentsNotContiguous,
                    "segment \(index) starts at \(target.start.seconds) s; it must start at \(end.seconds) s")
            }
            end = target.end
        }
    }

    /// Adds a reference to another track of the composition.
    public func addTrackAssociation(to compositionTrack: AVCompositionTrack, type: AVAssetTrack.AssociationType) {
        let id = UInt32(compositionTrack.trackID)
        state.withLock { state in
            if state.references[type.rawValue]?.contains(id) != true {
                state.references[type.rawValue, default: []].append(id)
            }
        }
    }

    /// Removes a reference to another track of the composition.
    public func removeTrackAssociation(to compositionTrack: AVCompositionTrack, type: AVAssetTrack.AssociationType) {
        state.withLock { state in
            let rest = (state.references[type.rawValue] ?? []).filter { $0 != UInt32(compositionTrack.trackID) }
            state.references[type.rawValue] = rest.isEmpty ? nil : rest
        }
    }

    /// Copies the properties of a track that do not depend on its edits.
    ///
    /// Its references are copied with the identifiers of the tracks of its asset.
    func copyProperties(of track: AVAssetTrack) {
        let map = track.map
        state.withLock { state in
            state.isEnabled = map.isEnabled
            state.transform = map.transform
            state.volume = Float(map.volume)
            state.timescale = map.timescale
            state.languageCode = map.languageCode
            state.extendedLanguageTag = map.extendedLanguageTag
            state.references = map.references
            state.alternateGroup = map.alternateGroup
            state.layer = map.layer
            state.perspective = map.perspective
            state.metadata = map.metadata
            state.trackBoxes = map.storedBoxes?.trackBoxes ?? []
        }
    }

    /// Inserts edits.
    ///
    /// - Parameters:
    ///   - edits: Edits whose targets are in order, without gaps, from zero.
    ///   - startTime: The time of the insertion; invalid for the end of this track.
    private func insert(_ edits: [EditList.Edit], at startTime: CMTime) {
        state.withLock { state in
            state.list.insert(edits, at: startTime.isNumeric ? max(.zero, startTime) : state.list.end)
        }
    }

    /// Returns an edit that presents a part of a track. A part that extends beyond the end of the track is shortened.
    ///
    /// - Parameter startTime: The start of the edit's target.
    private func edit(
        presenting timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime
    ) throws(AVError) -> EditList.Edit {
        guard track.mediaType == mediaType else {
            throw AVError(
                .invalidSourceMedia,
                "\(track.path) has media of type \(track.mediaType.rawValue) and cannot be inserted into a track of type "
                    + mediaType.rawValue)
        }
        let limit = CMTimeRangeFromTimeToTime(start: .zero, end: track.timeRange.end)
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration.isNumeric, timeRange.start >= .zero,
            timeRange.duration > .zero, timeRange.start < limit.end
        else {
            throw AVError(
                .invalidSourceMedia,
                "the time range from \(timeRange.start.seconds) s, \(timeRange.duration.seconds) s long, has no media of "
                    + "\(track.path), which ends at \(limit.end.seconds) s")
        }
        let source = EditList.Source(
            url: track is AVCompositionTrack ? nil : track.timeline.first?.media.file.url, trackID: track.trackID,
            range: timeRange.intersection(limit),
            timeline: track.timeline)
        return EditList.Edit(
            target: CMTimeRange(start: startTime, duration: source.range.duration), source: source)
    }
}
