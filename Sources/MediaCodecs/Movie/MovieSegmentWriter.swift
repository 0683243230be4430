package import Foundation
package import MediaTypes

/// Writes a movie as an initialization segment and media segments (ISO/IEC 14496-12, 8.16; RFC 8216, 3.3).
///
/// Every segment begins with a key frame of the first video track, and holds of the other tracks what is shown in its
/// time. Times in segments are those of the samples; only a track that begins before zero is shifted, and an edit list
/// in the initialization segment shifts it back.
///
/// - Important: Confined.
package final class MovieSegmentWriter: TrackWriter {
    package struct Configuration: Sendable {
        package var container: MovieContainer
        /// The time between segments; `.indefinite` for segments that end by `endSegment(at:)` only.
        package var interval: CMTime
        /// When the first segment begins.
        package var start: CMTime
        /// Whether the segments tell that they keep to CMAF (ISO/IEC 23000-19), which takes one track.
        package var isCMAF: Bool
        /// The first segment's number.
        package var firstSequenceNumber: UInt32

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

    /// What a track has in a segment.
    package struct TrackReport: Sendable, Hashable {
        package struct FirstSample: Sendable, Hashable {
            package var presentationTime: CMTime
            /// From the segment's begin, in bytes.
            package var offset: Int
            package var byteCount: Int
            package var isKeyFrame: Bool
        }

        package var trackNumber: Int
        /// The track's handler, as `vide`.
        package var handler: String
        package var earliestPresentationTime: CMTime
        package var duration: CMTime
        /// For video.
        package var firstSample: FirstSample?
    }

    package struct Segment: Sendable {
        package var data: Data
        package var isInitialization: Bool
        /// Empty for the initialization segment.
        package var reports: [TrackReport]
    }

    private struct Lane {
        let track: MovieTrack
        var waiting: [EncodedSample] = []
        var isFinished = false
        /// When the last sample ends; known at the end.
        var end = CMTime.invalid
        /// The latest presentation time that came.
        var latest = CMTime.invalid
    }

    private let configuration: Configuration
    private let receive: (Segment) -> Void
    private var lanes: [Lane] = []
    private var sequenceNumber: UInt32
    /// When the segment that is being gathered ends, once it is known: a key frame comes there.
    private var boundary = CMTime.invalid
    private var nextBoundary: CMTime
    private var hasInitialized = false
    private var isOver = false

    /// - Parameter receive: Takes the segments in order, the initialization segment first.
    package init(_ configuration: Configuration, receive: @escaping (Segment) -> Void) {
        self.configuration = configuration
        self.receive = receive
        sequenceNumber = configuration.firstSequenceNumber
        nextBoundary = configuration.interval.isNumeric ? configuration.start + configuration.interval : .invalid
    }

    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        guard !hasInitialized, lanes.allSatisfy({ !$0.latest.isValid }) else {
            throw MovieError(.invalidState, "a track cannot be added after the first sample")
        }
        if let reason = configuration.container.refusal(of: track.format) {
            throw MovieError(.unsupportedFormat, reason)
        }
        if configuration.isCMAF, !lanes.isEmpty {
            throw MovieError(.unsupportedFormat, "a CMAF stream has one track; write each track by a writer of its own")
        }
        lanes.append(Lane(track: MovieTrack(number: UInt32(lanes.count + 1), track)))
        return MovieTrackID(index: lanes.count - 1)
    }

    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        guard !isOver else { throw MovieError(.invalidState, "the segments are finished") }
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
        lanes[id.index].waiting.append(sample)
        let latest = lanes[id.index].latest
        lanes[id.index].latest = latest.isNumeric ? max(latest, sample.presentationTime) : sample.presentationTime
        try endSegmentIfComplete()
    }

    /// Ends the segment before the first key frame that is shown at `time` or later.
    package func endSegment(at time: CMTime) { nextBoundary = time }

    package func finishTrack(_ id: MovieTrackID) throws(MovieError) {
        lanes[id.index].isFinished = true
        try endSegmentIfComplete()
    }

    package func extendLastSample(of id: MovieTrackID, until time: CMTime) { lanes[id.index].end = time }

    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        let track = lanes[id.index].track
        track.presentationFloor = time.isNumeric ? track.ticks(time) : nil
    }

    /// Does nothing: what has left in a segment cannot be taken back, and the end of a stream is that of its samples.
    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {}

    package func finish() throws(MovieError) {
        guard lanes.contains(where: { $0.latest.isValid }) else {
            throw MovieError(.empty, "no sample came")
        }
        for index in lanes.indices { lanes[index].isFinished = true }
        try endSegmentIfComplete()
        try writeSegment(until: .positiveInfinity)
        isOver = true
    }

    package func cancel() { isOver = true }

    /// The track whose key frames begin segments.
    private var referenceIndex: Int { lanes.firstIndex { $0.track.isVideo } ?? 0 }

    private func endSegmentIfComplete() throws(MovieError) {
        guard boundary.isValid else { return }
        let patience = boundary + CMTime(value: 5, timescale: 1)
        let reference = lanes[referenceIndex].latest
        // A track that lags far behind does not hold the segment up for ever.
        let isComplete = lanes.allSatisfy { $0.isFinished || ($0.latest.isNumeric && $0.latest >= boundary) }
        guard isComplete || reference >= patience else { return }
        let end = boundary
        boundary = .invalid
        try writeSegment(until: end)
    }
}

extension MovieSegmentWriter {
    /// Writes a segment of all samples that are shown before `end`.
    private func writeSegment(until end: CMTime) throws(MovieError) {
        var media: [UInt8] = []
        var reports: [TrackReport] = []
        var chunkOffsets: [(lane: Int, offset: Int)] = []
        for index in lanes.indices {
            let count = self.count(index, until: end)
            guard count > 0 else { continue }
            reports.append(try gather(index, count: count, mediaOffset: media.count))
            chunkOffsets.append((index, media.count))
            media += lanes[index].track.pendingBytes
        }
        guard !media.isEmpty else { return }
        let prefix = segmentType
        // The index is as long whatever its offsets are: once to measure it, once for good.
        let tracks = lanes.map(\.track)
        for (lane, offset) in chunkOffsets { lanes[lane].track.chunkWasWritten(at: Int64(offset), inFragment: true) }
        if !hasInitialized { initialize() }
        let length = MovieFragment(sequenceNumber: sequenceNumber, tracks: tracks).build(at: 0).count
        let mediaOffset = prefix.count + length + 8
        // Data offsets count from the `moof`, and the chunks' offsets from the media.
        let index = MovieFragment(sequenceNumber: sequenceNumber, tracks: tracks).build(at: Int64(-length - 8))
        for track in tracks { track.fragmentWasCommitted() }
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

    /// How many waiting samples, in decode order, come before the first that is for the next segment.
    private func count(_ index: Int, until end: CMTime) -> Int {
        guard end.isNumeric else { return lanes[index].waiting.count }
        // The reference ends right before its key frame; what is decoded before that belongs here.
        let isReference = index == referenceIndex
        return lanes[index].waiting.firstIndex { sample in
            sample.presentationTime >= end && (!isReference || sample.isKeyFrame)
        } ?? lanes[index].waiting.count
    }

    /// Moves samples into the track's chunk.
    private func gather(_ index: Int, count: Int, mediaOffset: Int) throws(MovieError) -> TrackReport {
        let track = lanes[index].track
        let samples = Array(lanes[index].waiting.prefix(count))
        lanes[index].waiting.removeFirst(count)
        for sample in samples {
            let decode = try track.admit(sample)
            _ = track.close(at: decode)
            track.append(sample, at: decode)
        }
        if let next = lanes[index].waiting.first {
            _ = track.close(at: try track.admit(next))
        } else if lanes[index].end.isNumeric {
            track.extendLastSample(until: lanes[index].end)
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

    /// Gives out the header of the movie, once the first samples have told where its tracks begin.
    private func initialize() {
        hasInitialized = true
        for lane in lanes {
            // Times in segments are absolute, but cannot be negative.
            lane.track.fragmentOrigin = min(0, lane.track.origin ?? 0)
            lane.track.hasAbsoluteTimes = (lane.track.origin ?? 0) >= 0
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
                container: configuration.container, metadata: MovieMetadata(), tracks: lanes.map(\.track),
                isFragmented: true
            ).build())
        receive(Segment(data: Data(builder.bytes), isInitialization: true, reports: []))
    }

    /// `styp` (ISO/IEC 14496-12, 8.16.2).
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
