import MediaCodecs
import MediaTypes

/// Brings the samples of all inputs into one file.
///
/// The file's tracks must be known before its first sample, and a track is known by its first sample: until every
/// input has had one, or is finished, coded samples wait. Of pictures and sound `AssetWriterState` bounds how many; for
/// metadata, which may never come, two seconds are enough.
///
/// - Important: Confined to the writer's worker, save for `init`.
final class AssetWriterEngine: @unchecked Sendable {
    // SAFETY: made on the client's thread before any work is handed over; then only the worker calls in.
    private struct Slot {
        let feed: any TrackFeed
        var id: MovieTrackID?
        /// Samples that wait for the tracks to be known.
        var early: [EncodedSample] = []
        var isFinished = false
    }

    /// How much of one input may wait for the first sample of metadata.
    private static let patience = CMTime(value: 2, timescale: 1)

    private let writer: any TrackWriter
    private var slots: [Slot]
    private var hasBegun = false
    /// Whether times in the output are the source's, as in segments, instead of counting from the session's start.
    private let keepsSourceTimes: Bool
    private var offset = CMTime.zero

    init(_ writer: any TrackWriter, _ feeds: [any TrackFeed], keepsSourceTimes: Bool = false) {
        self.keepsSourceTimes = keepsSourceTimes
        self.writer = writer
        slots = feeds.map { Slot(feed: $0) }
    }

    /// Takes what a client appended to an input.
    func take(_ sample: WriterSample, at index: Int, origin: CMTime) throws(AVError) {
        if keepsSourceTimes { offset = origin }
        try append(try slots[index].feed.take(sample, origin: origin), at: index)
    }

    /// Nothing more comes to an input.
    func finishInput(at index: Int) throws(AVError) {
        guard !slots[index].isFinished else { return }
        let samples = try slots[index].feed.finish()
        slots[index].isFinished = true
        try append(samples, at: index)
        try finishTrack(of: slots[index])
    }

    /// Completes the file.
    ///
    /// - Parameter end: When the session ends on the movie's timeline; nil takes the end of what came.
    func finish(at end: CMTime?) throws(AVError) {
        for index in slots.indices { try finishInput(at: index) }
        if let end {
            for slot in slots {
                guard let id = slot.id else { continue }
                let last = slot.feed.end.isValid ? min(end, slot.feed.end) : end
                writer.setPresentationEnd(last + offset, of: id)
            }
        }
        try writing { () throws(MovieError) in try writer.finish() }
    }

    /// Ends the segment with what came so far.
    func endSegment() {
        guard let segments = writer as? MovieSegmentWriter else { return }
        let ends = slots.filter { $0.feed.end.isNumeric }
        guard let reference = ends.first(where: { $0.feed.track?.format.isVideo == true }) ?? ends.first else { return }
        for slot in slots { slot.feed.forceKeyFrame() }
        // A picture may come a little before the end of the one before it.
        let isVideo = reference.feed.track?.format.isVideo == true
        let slack = CMTime(value: isVideo ? 1 : 0, timescale: 1000)
        segments.endSegment(at: reference.feed.end + offset - slack)
    }

    /// Ends the writing and removes the file.
    func cancel() { writer.cancel() }

    /// Completes what the file holds after something went wrong beside it, as far as that goes.
    func salvage() {
        // The error that led here is the one that counts.
        try? writer.finish()
    }

    private func append(_ samples: [EncodedSample], at index: Int) throws(AVError) {
        guard hasBegun else {
            slots[index].early += shifted(samples)
            if let first = slots[index].early.first, let last = slots[index].early.last,
                last.decodeTime - first.decodeTime >= Self.patience
            {
                for slot in slots where !slot.isFinished { slot.feed.decideTrack() }
            }
            return try beginIfPossible()
        }
        guard let id = slots[index].id else { return }
        try writing { () throws(MovieError) in
            for sample in shifted(samples) { try writer.append(sample, to: id) }
        }
    }

    /// Samples at their times in the output.
    private func shifted(_ samples: [EncodedSample]) -> [EncodedSample] {
        guard keepsSourceTimes else { return samples }
        return samples.map { sample in
            var sample = sample
            sample.presentationTime = sample.presentationTime + offset
            sample.decodeTime = sample.decodeTime + offset
            return sample
        }
    }

    private func beginIfPossible() throws(AVError) {
        guard slots.allSatisfy({ $0.isFinished || $0.feed.track != nil }) else { return }
        hasBegun = true
        for index in slots.indices {
            guard let track = slots[index].feed.track else { continue }
            let id = try writing { () throws(MovieError) in try writer.addTrack(track) }
            slots[index].id = id
            let start = slots[index].feed.presentationStart
            if start.isValid { writer.setPresentationStart(start + offset, of: id) }
        }
        try appendEarly()
        for slot in slots where slot.isFinished { try finishTrack(of: slot) }
    }

    /// Writes what waited, in the order of its time.
    private func appendEarly() throws(AVError) {
        var next = slots.map { _ in 0 }
        while true {
            let waiting = slots.indices.filter { next[$0] < slots[$0].early.count }
            let first = waiting.min { slots[$0].early[next[$0]].decodeTime < slots[$1].early[next[$1]].decodeTime }
            guard let index = first, let id = slots[index].id else { break }
            let sample = slots[index].early[next[index]]
            next[index] += 1
            try writing { () throws(MovieError) in try writer.append(sample, to: id) }
        }
        for index in slots.indices { slots[index].early = [] }
    }

    /// Lets the last sample of an input that is finished last as long as it should.
    private func finishTrack(of slot: Slot) throws(AVError) {
        guard let id = slot.id, slot.feed.end.isNumeric else { return }
        writer.extendLastSample(of: id, until: slot.feed.end + offset)
        if slot.feed.endsPresentation { writer.setPresentationEnd(slot.feed.end + offset, of: id) }
        try writing { () throws(MovieError) in try writer.finishTrack(id) }
    }

    private func writing<Result>(_ body: () throws(MovieError) -> Result) throws(AVError) -> Result {
        do throws(MovieError) {
            return try body()
        } catch {
            throw AVError(error)
        }
    }
}
