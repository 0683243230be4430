package import Foundation
package import MediaTypes

/// What is fixed of a track before its first sample.
package struct MovieTrackConfiguration: Sendable {
    package var format: MovieSampleFormat
    /// Ticks a second of the track's times.
    package var timescale: CMTimeScale
    /// How the picture is to be turned for display; see `MovieOrientation`.
    package var transform: CGAffineTransform
    /// The number of samples a second to reckon with when room for a fragment's index is set aside.
    package var expectedSampleRate: Double
    /// ISO 639-2/T, three small letters.
    package var language: String
    /// Whether a player presents the track; chapters are for menus only.
    package var isEnabled: Bool
    /// How loud a track of sound is played.
    package var volume = 1.0
    /// The size at which the track is shown; nil for the one that its format tells.
    package var presentationSize: CGSize?
    /// What the track says about itself.
    package var metadata = MovieMetadata()

    package init(
        format: MovieSampleFormat, timescale: CMTimeScale, transform: CGAffineTransform = .identity,
        expectedSampleRate: Double = 60, language: String = "und", isEnabled: Bool = true
    ) {
        self.format = format
        self.timescale = timescale
        self.transform = transform
        self.expectedSampleRate = expectedSampleRate
        self.language = language
        self.isEnabled = isEnabled
    }
}

/// What a track is to another (ISO/IEC 14496-12, 8.3.3; QTFF, "Track Reference Atoms").
package enum MovieTrackRelation: String, Sendable, Hashable, CaseIterable {
    /// The other has the timecode of this one.
    case timecode = "tmcd"
    /// This one, timed metadata, describes the other.
    case describes = "cdsc"
    /// The other has the chapters of this one.
    case chapters = "chap"
}

/// A track's number in its file, from 1.
package struct MovieTrackID: Sendable, Hashable {
    let index: Int
}

/// A track while it is being written: the samples that wait for their chunk, and the index of those in the file.
///
/// Invariant: `table` and `fragmentChunks` tell of samples in the file only; `pendingRuns` of those whose bytes are in
/// `pendingBytes`. The last appended sample's duration is a guess until the next one comes.
final class MovieTrack {
    struct Chunk {
        let offset: Int64
        /// Decode time of the first sample, in ticks since the track's first.
        let start: Int64
        let runs: [SampleRun]
    }

    let number: UInt32
    let configuration: MovieTrackConfiguration
    private(set) var table = SampleTable()
    private(set) var fragmentChunks: [Chunk] = []
    private(set) var pendingBytes: [UInt8] = []
    private(set) var pendingRuns: [SampleRun] = []
    /// What other tracks, by number, are to this one.
    var references: [(relation: MovieTrackRelation, number: UInt32)] = []
    /// The first sample's decode time on the movie's timeline, in ticks.
    private(set) var origin: Int64?
    /// Where the header of the fragments puts the track's zero on the movie's timeline; set when it is written.
    var fragmentOrigin: Int64?
    /// Whether the track's times are those of the movie, so that no edit list is needed.
    var hasAbsoluteTimes = false
    /// Nothing is presented before this moment of the movie's timeline, in ticks.
    var presentationFloor: Int64?
    /// Nothing is presented after this moment of the movie's timeline, in ticks.
    var presentationLimit: Int64?

    /// Decode time of the last appended sample, in ticks since `origin`.
    private var lastDecode: Int64 = 0
    /// The earliest presentation time of all samples, in ticks since `origin`.
    private var presentationStart: Int64 = .max
    /// Decode time at the end of the samples in the file, in ticks since `origin`.
    private var writtenEnd: Int64 = 0

    var timescale: CMTimeScale { configuration.timescale }
    var isVideo: Bool { configuration.format.isVideo }

    init(number: UInt32, _ configuration: MovieTrackConfiguration) {
        self.number = number
        self.configuration = configuration
    }

    func ticks(_ time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero).value
    }

    /// Decode time, in ticks since `origin`, of a sample that is to come, once its place in the track is checked.
    func admit(_ sample: EncodedSample) throws(MovieError) -> Int64 {
        guard sample.presentationTime.isNumeric, sample.decodeTime.isNumeric, sample.duration.isNumeric else {
            throw MovieError(.invalidSample, "track \(number): a sample needs a presentation time and a duration")
        }
        guard sample.sampleCount > 0, sample.data.count > 0, sample.data.count % sample.sampleCount == 0,
            sample.data.count < Int(Int32.max)
        else {
            throw MovieError(
                .invalidSample,
                "track \(number): \(sample.data.count) bytes do not hold \(sample.sampleCount) equal samples")
        }
        let decode = ticks(sample.decodeTime)
        guard sample.presentationTime >= sample.decodeTime else {
            throw MovieError(.invalidSample, "track \(number): a sample is presented before it is decoded")
        }
        guard let origin else { return 0 }
        guard decode - origin > lastDecode, decode - origin - lastDecode <= Int64(Int32.max) else {
            throw MovieError(
                .invalidSample,
                "track \(number): decode time \(decode) does not follow \(origin + lastDecode) (1/\(timescale) s)")
        }
        return decode - origin
    }

    /// Makes the last sample last until `decode`; says whether a chunk must end before the next sample.
    func close(at decode: Int64) -> Bool {
        guard origin != nil else { return false }
        let duration = UInt32(clamping: decode - lastDecode)
        guard var last = pendingRuns.last else {
            table.replaceLastDuration(with: duration)
            writtenEnd = decode
            return false
        }
        guard last.duration != duration else { return false }
        if last.count > 1 {
            // A gap after PCM: its last frame alone lasts longer.
            last.count -= 1
            pendingRuns[pendingRuns.count - 1] = last
            last.count = 1
            pendingRuns.append(last)
        }
        pendingRuns[pendingRuns.count - 1].duration = duration
        return last.count == 1 && pendingRuns.count > 1 && isUncompressed
    }

    /// Takes a sample into the chunk that is being gathered.
    func append(_ sample: EncodedSample, at decode: Int64) {
        if origin == nil { origin = ticks(sample.decodeTime) }
        let count = sample.sampleCount
        let duration = max(1, ticks(sample.duration) / Int64(count))
        let presentation = ticks(sample.presentationTime) - (origin ?? 0)
        presentationStart = min(presentationStart, presentation)
        let run = SampleRun(
            count: UInt32(count), size: UInt32(sample.data.count / count), duration: UInt32(clamping: duration),
            compositionOffset: UInt32(clamping: presentation - decode), isKeyFrame: sample.isKeyFrame,
            isDroppable: sample.isDroppable)
        if isUncompressed, var last = pendingRuns.last, last.size == run.size, last.duration == run.duration {
            last.count += run.count
            pendingRuns[pendingRuns.count - 1] = last
        } else {
            pendingRuns.append(run)
        }
        sample.data.withUnsafeBytes { pendingBytes.append(contentsOf: $0) }
        lastDecode = decode + duration * Int64(count - 1)
    }

    /// Makes the last sample last until a moment of the movie's timeline.
    func extendLastSample(until time: CMTime) {
        guard let origin else { return }
        let shift = min(presentationStart, table.presentationStart)
        _ = close(at: max(ticks(time) - origin - shift, lastDecode + 1))
    }

    /// Leaves out samples at the end that are presented from a moment of the movie's timeline on; never the only one.
    ///
    /// Nothing needs them: what comes last in decode order is decoded for itself alone.
    /// - Returns: How many.
    func dropLast(from time: CMTime) -> Int {
        guard let origin, !isUncompressed else { return 0 }
        let limit = ticks(time) - origin
        var droppedCount = 0
        while pendingRuns.count > 1 || !table.isEmpty, let last = pendingRuns.last,
            lastDecode + Int64(last.compositionOffset) >= limit
        {
            pendingRuns.removeLast()
            pendingBytes.removeLast(Int(last.size))
            lastDecode -= Int64(pendingRuns.last?.duration ?? table.lastDuration)
            droppedCount += 1
        }
        while pendingRuns.isEmpty, table.sampleCount > 1, let last = table.lastPresentation, last >= limit {
            table.removeLast()
            writtenEnd = table.duration
            lastDecode = table.duration - Int64(table.lastDuration)
            droppedCount += 1
        }
        return droppedCount
    }

    /// Drops gathered PCM frames behind the presentation's limit, so that no reader needs the edit list to end in time.
    func trimPending() {
        guard isUncompressed, let origin, let limit = presentationLimit else { return }
        var excess = writtenEnd + pendingRuns.reduce(0) { $0 + Int64($1.count) * Int64($1.duration) } - (limit - origin)
        while excess > 0, var last = pendingRuns.popLast() {
            let dropped = min(Int64(last.count), excess / Int64(last.duration))
            pendingBytes.removeLast(Int(dropped) * Int(last.size))
            excess -= dropped * Int64(last.duration)
            last.count -= UInt32(dropped)
            if last.count > 0 {
                pendingRuns.append(last)
                break
            }
        }
    }

    /// Whether the gathered chunk is long enough to be written: half a second, or a megabyte.
    var isChunkFull: Bool {
        guard !pendingRuns.isEmpty else { return false }
        return pendingBytes.count >= 1 << 20 || lastDecode - writtenEnd >= Int64(timescale) / 2
    }

    /// Notes that the gathered chunk is in the file at `offset`, and begins another.
    func chunkWasWritten(at offset: Int64, inFragment: Bool) {
        table.appendChunk(at: offset, pendingRuns)
        if inFragment { fragmentChunks.append(Chunk(offset: offset, start: writtenEnd, runs: pendingRuns)) }
        writtenEnd = table.duration
        discardPending()
    }

    /// Forgets the gathered chunk, whose bytes could not be written.
    func discardPending() {
        pendingRuns.removeAll(keepingCapacity: true)
        pendingBytes.removeAll(keepingCapacity: true)
    }

    /// The same index with the first chunks in other places, for a look at its size.
    func copy(withChunksAt offsets: [Int64]) -> MovieTrack {
        let copy = MovieTrack(number: number, configuration)
        copy.table = table
        copy.table.moveFirstChunks(to: offsets)
        copy.references = references
        copy.origin = origin
        copy.presentationLimit = presentationLimit
        return copy
    }

    /// Notes that the first chunks were copied to other places in the file.
    func chunksWereMoved(to offsets: [Int64]) { table.moveFirstChunks(to: offsets) }

    func fragmentWasCommitted() { fragmentChunks.removeAll(keepingCapacity: true) }

    /// Whether the track holds frames that are all alike, so that they share runs.
    private var isUncompressed: Bool {
        if case .audio(let audio) = configuration.format, case .pcm = audio.codec { true } else { false }
    }
}

extension MovieTrack {
    /// How the samples in the file lie on the movie's timeline, in ticks (ISO/IEC 14496-12, 8.6.6).
    struct Edit {
        /// Nothing is presented from the movie's begin until here.
        var emptyDuration: Int64
        /// The moment of the media at which the presentation begins.
        var mediaTime: Int64
        /// For how long it is presented.
        var duration: Int64
    }

    var edit: Edit? {
        guard let origin, !table.isEmpty, !hasAbsoluteTimes else { return nil }
        let start = max(origin + table.presentationStart, presentationFloor ?? .min)
        let end = min(origin + table.presentationEnd, presentationLimit ?? .max)
        let begin = max(0, start)
        return Edit(emptyDuration: begin, mediaTime: begin - origin, duration: max(0, end - begin))
    }
}
