import AssetTypes
import MediaCodecs
import MediaTypes

/// Writes the samples of all inputs to one file.
///
/// The configurations of all tracks must be known before the first sample is written, and the configuration of a track
/// is known after its first sample. Encoded samples therefore wait until every input has received a sample or is
/// finished. `AssetWriterState` limits the number of waiting audio and video samples; for metadata, which may never
/// arrive, the engine buffers at most two seconds of other samples.
///
/// - Important: Confined to the writer's worker, except for `init`.
final class AssetWriterEngine: @unchecked Sendable {
    // SAFETY: created on the client's thread before any work is submitted; then only used by the worker.
    private struct Track {
        let processor: any TrackProcessor
        var id: MovieTrackID?
        /// Samples that wait until the configurations of all tracks are known.
        var waiting: [EncodedSample] = []
        var isFinished = false
    }

    /// The maximum duration of buffered samples while the first metadata sample is missing.
    private static let maximumWaitingDuration = CMTime(value: 2, timescale: 1)

    private let writer: any TrackWriter
    private var tracks: [Track]
    /// Whether the tracks have been added to the file writer.
    private var hasBegun = false
    /// Whether output times are source times, as in segments, instead of relative to the session's start.
    private let keepsSourceTimes: Bool
    private let references: [Reference]
    /// The tracks of a movie that are written beside those of the inputs; nil for none. The writer is then one of a file.
    private let copies: ExportTracks?
    /// The output time of the session's start.
    private var offset = CMTime.zero

    /// A reference between the tracks of two inputs.
    struct Reference {
        /// The index of the referring input.
        let source: Int
        /// The index of the referenced input.
        let target: Int
        let relation: MovieTrackRelation
    }

    init(
        _ writer: any TrackWriter, _ processors: [any TrackProcessor], references: [Reference] = [],
        copies: ExportTracks? = nil, keepsSourceTimes: Bool = false
    ) {
        self.copies = copies
        self.references = references
        self.keepsSourceTimes = keepsSourceTimes
        self.writer = writer
        tracks = processors.map { Track(processor: $0) }
    }

    /// Processes a sample that a client appended to an input.
    ///
    /// - Parameters:
    ///   - index: The index of the input.
    ///   - origin: The session's start on the source's timeline.
    func process(_ sample: WriterSample, at index: Int, origin: CMTime) throws(AVError) {
        if keepsSourceTimes { offset = origin }
        try append(try tracks[index].processor.process(sample, origin: origin), at: index)
    }

    /// Finishes an input; no more samples follow.
    func finishInput(at index: Int) throws(AVError) {
        guard !tracks[index].isFinished else { return }
        let samples = try tracks[index].processor.finish()
        tracks[index].isFinished = true
        try append(samples, at: index)
        try finishTrack(of: tracks[index])
    }

    /// Completes the file.
    ///
    /// - Parameter end: The session's end on the movie's timeline; nil for the end of the samples.
    func finish(at end: CMTime?) throws(AVError) {
        for index in tracks.indices { try finishInput(at: index) }
        try appendCopies(until: .positiveInfinity)
        if let end {
            for track in tracks {
                guard let id = track.id else { continue }
                let trackEnd = track.processor.end.isValid ? min(end, track.processor.end) : end
                writer.setPresentationEnd(trackEnd + offset, of: id)
            }
        }
        try writing { () throws(MovieError) in try writer.finish() }
    }

    /// Ends the segment after the samples processed so far.
    func endSegment() {
        guard let segments = writer as? MovieSegmentWriter else { return }
        let ends = tracks.filter { $0.processor.end.isNumeric }
        guard let reference = ends.first(where: { $0.processor.track?.format.isVideo == true }) ?? ends.first else {
            return
        }
        for track in tracks { track.processor.forceKeyFrame() }
        // The next frame may start slightly before the previous one's end.
        let isVideo = reference.processor.track?.format.isVideo == true
        let slack = CMTime(value: isVideo ? 1 : 0, timescale: 1000)
        segments.endSegment(at: reference.processor.end + offset - slack)
    }

    /// Stops writing and removes the file.
    func cancel() { writer.cancel() }

    /// Tries to complete the file with the samples written so far, after an error in another component.
    func completePartialFile() {
        // Only the original error is reported.
        try? writer.finish()
    }

    private func append(_ samples: [EncodedSample], at index: Int) throws(AVError) {
        guard hasBegun else {
            tracks[index].waiting += shifted(samples)
            if let first = tracks[index].waiting.first, let last = tracks[index].waiting.last,
                last.decodeTime - first.decodeTime >= Self.maximumWaitingDuration
            {
                for track in tracks where !track.isFinished { track.processor.configureTrack() }
            }
            return try beginIfPossible()
        }
        guard let id = tracks[index].id else { return }
        for sample in shifted(samples) { try append(sample, to: id) }
    }

    /// Writes a sample of an input, and before it the samples of the copied tracks up to its time.
    private func append(_ sample: EncodedSample, to id: MovieTrackID) throws(AVError) {
        try appendCopies(until: sample.decodeTime)
        try writing { () throws(MovieError) in try writer.append(sample, to: id) }
    }

    /// Writes the samples of the copied tracks up to a time.
    private func appendCopies(until time: CMTime) throws(AVError) {
        guard let copies, let movie = writer as? MovieFileWriter else { return }
        while let position = copies.position, position <= time { try copies.appendNext(to: movie) }
    }

    /// Returns samples with their output times.
    private func shifted(_ samples: [EncodedSample]) -> [EncodedSample] {
        guard keepsSourceTimes else { return samples }
        return samples.map { sample in
            var sample = sample
            sample.presentationTime = sample.presentationTime + offset
            sample.decodeTime = sample.decodeTime + offset
            return sample
        }
    }

    /// Adds the tracks to the file writer and writes the waiting samples, if all configurations are known.
    private func beginIfPossible() throws(AVError) {
        guard tracks.allSatisfy({ $0.isFinished || $0.processor.track != nil }) else { return }
        hasBegun = true
        for index in tracks.indices {
            guard let track = tracks[index].processor.track else { continue }
            let id = try writing { () throws(MovieError) in try writer.addTrack(track) }
            tracks[index].id = id
            let start = tracks[index].processor.presentationStart
            if start.isValid { writer.setPresentationStart(start + offset, of: id) }
        }
        for reference in references {
            guard let source = tracks[reference.source].id, let target = tracks[reference.target].id else { continue }
            writer.addReference(from: source, to: target, as: reference.relation)
        }
        if let movie = writer as? MovieFileWriter { try copies?.begin(in: movie, inputs: tracks.map(\.id)) }
        try appendWaiting()
        for track in tracks where track.isFinished { try finishTrack(of: track) }
    }

    /// Writes the waiting samples in decode order.
    private func appendWaiting() throws(AVError) {
        var next = tracks.map { _ in 0 }
        while true {
            let candidates = tracks.indices.filter { next[$0] < tracks[$0].waiting.count }
            let first = candidates.min {
                tracks[$0].waiting[next[$0]].decodeTime < tracks[$1].waiting[next[$1]].decodeTime
            }
            guard let index = first, let id = tracks[index].id else { break }
            let sample = tracks[index].waiting[next[index]]
            next[index] += 1
            try append(sample, to: id)
        }
        for index in tracks.indices { tracks[index].waiting = [] }
    }

    /// Extends the last sample of a finished input to the input's end.
    private func finishTrack(of track: Track) throws(AVError) {
        guard let id = track.id, track.processor.end.isNumeric else { return }
        writer.extendLastSample(of: id, until: track.processor.end + offset)
        if track.processor.endsPresentation { writer.setPresentationEnd(track.processor.end + offset, of: id) }
        try writing { () throws(MovieError) in try writer.finishTrack(id) }
    }

    /// Calls the file writer and converts its errors to `AVError`.
    private func writing<Result>(_ body: () throws(MovieError) -> Result) throws(AVError) -> Result {
        do throws(MovieError) {
            return try body()
        } catch {
            throw AVError(error)
        }
    }
}
