package import Foundation
package import MediaTypes

/// Writes a movie as an initialization segment and media segments (ISO/IEC 14496-12, 8.16; RFC 8216, 3.3).
///
/// Each segment begins with a key frame of the first video track, and contains the samples of the other tracks in the
/// same time range. Segments contain absolute times. Only a track that begins before zero is shifted, and an edit list
/// in the initialization segment compensates for that.
///
/// - Important: Confined to one thread at a time.
package final class MovieSegmentWriter: TrackWriter {
    /// The settings of a writer.
    package struct Configuration: Sendable {
        /// The file format.
        package var container: MovieContainer
        /// The segment duration; `.indefinite` if segments end only at the times passed to `endSegment(at:)`.
        package var interval: CMTime
        /// The start time of the first segment.
        package var start: CMTime
        /// Whether the segments conform to CMAF (ISO/IEC 23000-19), which permits one track only.
        package var isCMAF: Bool
        /// The sequence number of the first segment.
        package var firstSequenceNumber: UInt32

        /// Creates a configuration.
        package init(
            container: MovieContainer, interval: CMTime, start: CMTime = .zero, isCMAF: Bool = false,
            firstSequenceNumber: UInt32 = 1
        ) {
            self.container = container
            self.interval = interval
            self.start = start
            self.isCMAF = isCMAF
            self.firstSequenceNumber = firstSequenceNumber
        }
    }

    /// A summary of a track's samples in one segment.
    package struct TrackReport: Sendable, Hashable {
        /// The first sample of a video track.
        package struct FirstSample: Sendable, Hashable {
            /// The presentation time.
            package var presentationTime: CMTime
            /// The offset in bytes from the beginning of the segment.
            package var offset: Int
            /// The size of the sample in bytes.
            package var byteCount: Int
            /// Whether decoding can start here.
            package var isKeyFrame: Bool
        }

        /// The number of the track, from 1.
        package var trackNumber: Int
        /// The track's media type, such as `vide`.
        package var handler: String
        /// The earliest presentation time of the samples.
        package var earliestPresentationTime: CMTime
        /// The sum of the samples' durations.
        package var duration: CMTime
        /// The first sample of a video track; nil for other media.
        package var firstSample: FirstSample?
    }

    /// An initialization segment or a media segment.
    package struct Segment: Sendable {
        /// The bytes of the segment.
        package var data: Data
        /// Whether it is the initialization segment.
        package var isInitialization: Bool
        /// The tracks of a media segment; empty for the initialization segment.
        package var reports: [TrackReport]
    }

    private struct TrackState {
        let track: MovieTrack
        /// The samples that are not yet in a segment.
        var pending: [EncodedSample] = []
        var isFinished = false
        /// The end of the last sample; invalid until it is known.
        var end = CMTime.invalid
        /// The latest presentation time so far.
        var latest = CMTime.invalid
    }

    private let configuration: Configuration
    private let receive: (Segment) -> Void
    private var trackStates: [TrackState] = []
    private var sequenceNumber: UInt32
    /// The end of the current segment once it is known: the time of a key frame.
    private var boundary = CMTime.invalid
    /// The time from which the next key frame ends the current segment; invalid if there is none.
    private var nextBoundary: CMTime
    /// Whether the initialization segment has been delivered.
    private var hasInitialized = false
    private var state = TrackWriterState.writing

    /// Creates a writer.
    ///
    /// - Parameter receive: Called with each segment in order, first the initialization segment.
    package init(_ configuration: Configuration, receive: @escaping (Segment) -> Void) {
        self.configuration = configuration
        self.receive = receive
        sequenceNumber = configuration.firstSequenceNumber
        nextBoundary = configuration.interval.isNumeric ? configuration.start + configuration.interval : .invalid
    }

    /// Adds a track, before the first sample.
    ///
    /// - Throws: `.unsupportedFormat` or `.invalidState`.
    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        guard !hasInitialized, trackStates.allSatisfy({ !$0.latest.isValid }) else {
            throw MovieError(.invalidState, "a track cannot be added after the first sample")
        }
        if let reason = configuration.container.rejectionReason(for: track.format) {
            throw MovieError(.unsupportedFormat, reason)
        }
        if configuration.isCMAF, !trackStates.isEmpty {
            throw MovieError(.unsupportedFormat, "a CMAF stream has one track: use a separate writer for each track")
        }
        trackStates.append(TrackState(track: MovieTrack(number: UInt32(trackStates.count + 1), track)))
        return MovieTrackID(index: trackStates.count - 1)
    }

    /// Appends the next sample of a track, in decode order.
    ///
    /// - Throws: `.invalidSample` or `.invalidState`.
    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        try state.requireWriting("the sequence of segments")
        let isReference = id.index == referenceIndex
        if isReference, sample.isKeyFrame, nextBoundary.isNumeric, sample.presentationTime >= nextBoundary,
            !boundary.isValid
        {
            boundary = sample.presentationTime
            if configuration.interval.isNumeric {
                while nextBoundary <= boundary { nextBoundary = nextBoundary + configuration.interval }
            } else {
                nextBoundary = .invalid
            }
        }
        trackStates[id.index].pending.append(sample)
        let latest = trackStates[id.index].latest
        trackStates[id.index].latest = latest.isNumeric ? max(latest, sample.presentationTime) : sample.presentationTime
        try endSegmentIfComplete()
    }

    /// Ends the segment before the first key frame that is presented at `time` or later.
    package func endSegment(at time: CMTime) { nextBoundary = time }

    /// Ends a track, so that segments no longer wait for its samples. Does nothing after `finish` or `cancel`.
    package func finishTrack(_ id: MovieTrackID) throws(MovieError) {
        guard case .writing = state else { return }
        trackStates[id.index].isFinished = true
        try endSegmentIfComplete()
    }

    /// Sets the end of a track's last sample.
    package func extendLastSample(of id: MovieTrackID, until time: CMTime) { trackStates[id.index].end = time }

    /// Sets the time at which a track's presentation begins.
    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        let track = trackStates[id.index].track
        track.presentationFloor = time.isNumeric ? track.ticks(time) : nil
    }

    /// Does nothing: earlier segments cannot be changed, and a stream ends with its samples.
    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {}

    /// Writes the last segment.
    ///
    /// - Throws: `.empty` if no sample was appended, `.invalidState` after `finish` or `cancel`.
    package func finish() throws(MovieError) {
        try state.requireWriting("the sequence of segments")
        guard trackStates.contains(where: { $0.latest.isValid }) else {
            throw MovieError(.empty, "there are no samples")
        }
        for index in trackStates.indices { trackStates[index].isFinished = true }
        try endSegmentIfComplete()
        try writeSegment(until: .positiveInfinity)
        state = .finished
    }

    /// Stops writing; no further segment is delivered. Does nothing after `finish`.
    package func cancel() {
        if case .writing = state { state = .cancelled }
    }

    /// The index of the track with the key frames that begin segments.
    private var referenceIndex: Int { trackStates.firstIndex { $0.track.isVideo } ?? 0 }

    private func endSegmentIfComplete() throws(MovieError) {
        guard boundary.isValid else { return }
        let deadline = boundary + CMTime(value: 5, timescale: 1)
        let reference = trackStates[referenceIndex].latest
        // A late track delays a segment by at most five seconds.
        let isComplete = trackStates.allSatisfy { $0.isFinished || ($0.latest.isNumeric && $0.latest >= boundary) }
        guard isComplete || reference >= deadline else { return }
        let end = boundary
        boundary = .invalid
        try writeSegment(until: end)
    }
}

extension MovieSegmentWriter {
    /// Writes a segment of all samples presented before `end`.
    private func writeSegment(until end: CMTime) throws(MovieError) {
        var media: [UInt8] = []
        var reports: [TrackReport] = []
        var chunkOffsets: [(track: Int, offset: Int)] = []
        for index in trackStates.indices {
            let count = sampleCount(ofTrack: index, until: end)
            guard count > 0 else { continue }
            reports.append(try moveToChunk(index, count: count, mediaOffset: media.count))
            chunkOffsets.append((index, media.count))
            media += trackStates[index].track.pendingBytes
        }
        guard !media.isEmpty else { return }
        let prefix = segmentType
        // The size of the `moof` does not depend on its offsets: it is built once to measure it, then with the final
        // offsets.
        let tracks = trackStates.map(\.track)
        for (index, offset) in chunkOffsets {
            trackStates[index].track.chunkWasWritten(at: Int64(offset), inFragment: true)
        }
        if !hasInitialized { initialize() }
        let length = MovieFragment(sequenceNumber: sequenceNumber, tracks: tracks).build(at: 0).count
        let mediaOffset = prefix.count + length + 8
        // Data offsets are relative to the `moof`, chunk offsets to the media.
        let index = MovieFragment(sequenceNumber: sequenceNumber, tracks: tracks).build(at: Int64(-length - 8))
        for track in tracks { track.clearFragmentChunks() }
        sequenceNumber += 1
        var builder = BoxBuilder()
        builder.data(prefix)
        builder.data(index)
        builder.unsigned32(UInt32(clamping: media.count + 8))
        builder.code("mdat")
        builder.data(media)
        for report in reports.indices { reports[report].firstSample?.offset += mediaOffset }
        receive(Segment(data: Data(builder.bytes), isInitialization: false, reports: reports))
    }

    /// Returns the number of pending samples of a track that belong to the segment that ends at `end`.
    private func sampleCount(ofTrack index: Int, until end: CMTime) -> Int {
        guard end.isNumeric else { return trackStates[index].pending.count }
        // The segment ends before a key frame of the reference track, and contains all samples decoded before it.
        let isReference = index == referenceIndex
        return trackStates[index].pending.firstIndex { sample in
            sample.presentationTime >= end && (!isReference || sample.isKeyFrame)
        } ?? trackStates[index].pending.count
    }

    /// Moves pending samples to the chunk of their track.
    ///
    /// - Parameter mediaOffset: The offset in bytes of the chunk in the media of the segment.
    private func moveToChunk(_ index: Int, count: Int, mediaOffset: Int) throws(MovieError) -> TrackReport {
        let track = trackStates[index].track
        let samples = Array(trackStates[index].pending.prefix(count))
        trackStates[index].pending.removeFirst(count)
        for sample in samples {
            let decode = try track.validatedDecodeTime(of: sample)
            _ = track.endLastSample(at: decode)
            track.append(sample, at: decode)
        }
        if let next = trackStates[index].pending.first {
            _ = track.endLastSample(at: try track.validatedDecodeTime(of: next))
        } else if trackStates[index].end.isNumeric {
            track.extendLastSample(until: trackStates[index].end)
        }
        let first = samples[0]
        let earliest = samples.map(\.presentationTime).min() ?? first.presentationTime
        let duration = track.pendingRuns.reduce(Int64(0)) { $0 + Int64($1.count) * Int64($1.duration) }
        return TrackReport(
            trackNumber: index + 1, handler: track.configuration.format.handler, earliestPresentationTime: earliest,
            duration: CMTime(value: duration, timescale: track.timescale),
            firstSample: track.isVideo
                ? TrackReport.FirstSample(
                    presentationTime: first.presentationTime, offset: mediaOffset, byteCount: first.data.count,
                    isKeyFrame: first.isKeyFrame)
                : nil)
    }

    /// Delivers the initialization segment. Called with the first media segment, when the start of each track is known.
    private func initialize() {
        hasInitialized = true
        for state in trackStates {
            // Times in segments are absolute, but cannot be negative.
            state.track.fragmentOrigin = min(0, state.track.origin ?? 0)
            state.track.hasAbsoluteTimes = (state.track.origin ?? 0) >= 0
        }
        var builder = BoxBuilder()
        if configuration.isCMAF {
            builder.box("ftyp") { box in
                box.code("mp42")
                box.unsigned32(1)
                for brand in ["mp42", "isom", "iso6", "cmfc"] { box.code(brand) }
            }
        } else {
            configuration.container.appendFileType(to: &builder)
        }
        builder.data(
            MovieHeader(
                container: configuration.container, metadata: MovieMetadata(), tracks: trackStates.map(\.track),
                isFragmented: true
            ).build())
        receive(Segment(data: Data(builder.bytes), isInitialization: true, reports: []))
    }

    /// The `styp` box (ISO/IEC 14496-12, 8.16.2).
    private var segmentType: [UInt8] {
        var builder = BoxBuilder()
        builder.box("styp") { box in
            box.code("msdh")
            box.unsigned32(0)
            for brand in ["msdh", "iso6"] + (configuration.isCMAF ? ["cmfs"] : []) { box.code(brand) }
        }
        return builder.bytes
    }
}
