package import Foundation
package import MediaTypes

/// The properties of a track that are fixed before its first sample.
package struct MovieTrackConfiguration: Sendable {
    /// The format of the samples.
    package var format: MovieSampleFormat
    /// Further formats of samples, of the same media type. Each is written as a sample description.
    package var additionalFormats: [MovieSampleFormat] = []
    /// The track's time scale in ticks per second.
    package var timescale: CMTimeScale
    /// The transform for display; see `MovieOrientation`.
    package var transform: CGAffineTransform
    /// The expected number of samples per second. It determines the space reserved for the index of a fragment.
    package var expectedSampleRate: Double
    /// The ISO 639-2/T code of the language, three lowercase letters.
    package var language: String
    /// The BCP 47 tag of the language; nil for none.
    package var extendedLanguageTag: String?
    /// Whether players present the track; chapter tracks are disabled.
    package var isEnabled: Bool
    /// The playback volume of an audio track; 1 is full volume.
    package var volume = 1.0
    /// The display size in pixels; nil for that of the format.
    package var presentationSize: CGSize?
    /// The metadata of the track.
    package var metadata = MovieMetadata()
    /// The group of alternative tracks: players present one of them. 0 for none.
    package var alternateGroup: Int16 = 0
    /// The position in the stack of video tracks; tracks with lower numbers are in front.
    package var layer: Int16 = 0
    /// The perspective terms u, v and w of the matrix for display, as stored in the file.
    package var perspective = MovieTrackConfiguration.affinePerspective
    /// The track number, unique in the movie; nil for the next one.
    package var number: UInt32?
    /// The parts of a copied track that are written byte for byte; nil for a track that is not copied. A copied track is
    /// written even if it has no samples.
    package var storedBoxes: StoredTrackBoxes?

    /// The perspective terms of an affine matrix: 0, 0 and 1 with 30 fraction bits (ISO/IEC 14496-12, 6.2.2).
    package static let affinePerspective = SIMD3<Int32>(0, 0, 1 << 30)

    /// Creates a configuration.
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

/// An entry of a track's edit list (ISO/IEC 14496-12, 8.6.6): a part of the movie's timeline and its media.
package struct MovieEdit: Sendable, Hashable {
    /// The duration on the movie's timeline.
    package var duration: CMTime
    /// The start in the media, as a time of the track's samples; nil for an empty edit.
    package var mediaTime: CMTime?
    /// The playback rate, which players ignore; 0 for a still image.
    package var rate: Double

    /// Creates an entry.
    package init(duration: CMTime, mediaTime: CMTime?, rate: Double = 1) {
        self.duration = duration
        self.mediaTime = mediaTime
        self.rate = rate
    }
}

/// The type of a reference from one track to another (ISO/IEC 14496-12, 8.3.3; QTFF, "Track Reference Atoms").
package enum MovieTrackRelation: String, Sendable, Hashable, CaseIterable {
    /// From a track to its timecode track.
    case timecode = "tmcd"
    /// From a timed metadata track to the track that it describes.
    case describes = "cdsc"
    /// From a track to the track with its chapters.
    case chapters = "chap"
    /// From an audio track to the one to play instead if the format of the first is not supported.
    case audioFallback = "fall"
    /// From a subtitle track to the one with its forced subtitles.
    case forcedSubtitles = "forc"
    /// From a track to one that is selected together with it.
    case selectionFollower = "folw"
    /// From a track to the metadata track that is used to render it.
    case renderMetadata = "rndr"
}

/// The index of a track in its file.
package struct MovieTrackID: Sendable, Hashable {
    let index: Int
}

/// A track that is being written: the pending samples, and the index of those in the file.
///
/// Invariant: `table` and `fragmentChunks` describe only samples in the file; `pendingRuns` describes those in
/// `pendingBytes`. The duration of the last sample is an estimate until the next one is appended.
final class MovieTrack {
    struct Chunk {
        /// The offset in the file.
        let offset: Int64
        /// The decode time of the chunk's first sample, in ticks since that of the track's first sample.
        let start: Int64
        let runs: [SampleRun]
    }

    let number: UInt32
    let configuration: MovieTrackConfiguration
    private(set) var table = SampleTable()
    private(set) var fragmentChunks: [Chunk] = []
    private(set) var pendingBytes: [UInt8] = []
    private(set) var pendingRuns: [SampleRun] = []
    /// The tracks to which this one refers: the type of the reference and the track number.
    var references: [(type: String, number: UInt32)] = []
    /// The decode time of the first sample on the movie's timeline, in ticks; nil before the first sample.
    private(set) var origin: Int64?
    /// The value of `origin` in the header of a fragmented movie; nil until the header is written.
    var fragmentOrigin: Int64?
    /// Whether the track's times are those of the movie, so that it needs no edit list.
    var hasAbsoluteTimes = false
    /// The beginning of the presentation on the movie's timeline, in ticks; nil for the first sample.
    var presentationFloor: Int64?
    /// The end of the presentation on the movie's timeline, in ticks; nil for the last sample.
    var presentationLimit: Int64?
    /// The edit list; nil for one that presents the samples at their times, from `presentationFloor` to
    /// `presentationLimit`.
    var customEdits: [MovieEdit]?
    /// The index of the format of the pending samples.
    private var pendingFormatIndex = 0

    /// The decode time of the last appended sample, in ticks since `origin`.
    private var lastDecode: Int64 = 0
    /// The earliest presentation time of all samples, in ticks since `origin`.
    private var presentationStart: Int64 = .max
    /// The decode time at the end of the samples in the file, in ticks since `origin`.
    private var writtenEnd: Int64 = 0

    var timescale: CMTimeScale { configuration.timescale }
    var isVideo: Bool { configuration.format.isVideo }
    /// Whether a finished movie contains the track: it has samples, or is copied.
    var isInFinishedMovie: Bool { !table.isEmpty || configuration.storedBoxes != nil }

    init(number: UInt32, _ configuration: MovieTrackConfiguration) {
        self.number = number
        self.configuration = configuration
    }

    /// Converts a time to ticks of the track.
    func ticks(_ time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: timescale, method: .roundHalfAwayFromZero).value
    }

    /// Validates the times of the next sample and returns its decode time in ticks since `origin`.
    func validatedDecodeTime(of sample: EncodedSample) throws(MovieError) -> Int64 {
        guard sample.presentationTime.isNumeric, sample.decodeTime.isNumeric, sample.duration.isNumeric else {
            throw MovieError(
                .invalidSample, "track \(number): a sample needs a numeric presentation time, decode time and duration")
        }
        // Copied tracks can contain empty samples.
        guard sample.sampleCount > 0, sample.data.count > 0 || isStored, sample.data.count % sample.sampleCount == 0,
            sample.data.count < Int(Int32.max)
        else {
            throw MovieError(
                .invalidSample,
                "track \(number): \(sample.data.count) bytes are not \(sample.sampleCount) samples of equal size")
        }
        let decode = ticks(sample.decodeTime)
        guard let origin else { return 0 }
        // Samples of copied tracks can have a duration of 0.
        let distance = decode - origin - lastDecode
        guard distance > 0 || isStored && distance == 0, distance <= Int64(Int32.max) else {
            throw MovieError(
                .invalidSample,
                "track \(number): decode time \(decode) does not follow \(origin + lastDecode) (1/\(timescale) s)")
        }
        return decode - origin
    }

    /// Sets the end of the last sample; returns whether the chunk must end before the next sample.
    ///
    /// - Parameter decode: The decode time of the next sample, in ticks since `origin`.
    func endLastSample(at decode: Int64) -> Bool {
        guard origin != nil else { return false }
        let duration = UInt32(clamping: decode - lastDecode)
        guard var last = pendingRuns.last else {
            table.replaceLastDuration(with: duration)
            writtenEnd = decode
            return false
        }
        guard last.duration != duration else { return false }
        if last.count > 1 {
            // After PCM frames there is a gap: only the last frame is extended.
            last.count -= 1
            pendingRuns[pendingRuns.count - 1] = last
            last.count = 1
            pendingRuns.append(last)
        }
        pendingRuns[pendingRuns.count - 1].duration = duration
        return last.count == 1 && pendingRuns.count > 1 && isUncompressed
    }

    /// Whether a sample has another format than the pending ones, so that their chunk must end.
    func changesFormat(_ sample: EncodedSample) -> Bool {
        !pendingRuns.isEmpty && sample.formatIndex != pendingFormatIndex
    }

    /// Appends a sample to the pending chunk.
    func append(_ sample: EncodedSample, at decode: Int64) {
        pendingFormatIndex = sample.formatIndex
        if origin == nil { origin = ticks(sample.decodeTime) }
        let count = sample.sampleCount
        let duration = max(isStored ? 0 : 1, ticks(sample.duration) / Int64(count))
        let presentation = ticks(sample.presentationTime) - (origin ?? 0)
        presentationStart = min(presentationStart, presentation)
        let run = SampleRun(
            count: UInt32(count), size: UInt32(sample.data.count / count), duration: UInt32(clamping: duration),
            compositionOffset: Int32(clamping: presentation - decode), isKeyFrame: sample.isKeyFrame,
            isDroppable: sample.isDroppable)
        if isUncompressed, var last = pendingRuns.last, last.hasProperties(of: run) {
            last.count += run.count
            pendingRuns[pendingRuns.count - 1] = last
        } else {
            pendingRuns.append(run)
        }
        sample.data.withUnsafeBytes { pendingBytes.append(contentsOf: $0) }
        lastDecode = decode + duration * Int64(count - 1)
    }

    /// Extends the last sample to a time on the movie's timeline.
    func extendLastSample(until time: CMTime) {
        guard let origin else { return }
        // Presentation is later than decoding by this number of ticks.
        let shift = min(presentationStart, table.presentationStart)
        _ = endLastSample(at: max(ticks(time) - origin - shift, lastDecode + 1))
    }

    /// Removes samples at the end that are presented at or after a time on the movie's timeline, but never the only
    /// one. Does nothing for PCM, which `trimPending` trims.
    ///
    /// No other sample depends on them, since they are the last in decode order.
    /// - Returns: The number of removed samples.
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

    /// Removes pending PCM frames after the end of presentation, so that the end is correct for readers that ignore
    /// edit lists.
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

    /// Whether the pending chunk is large enough to be written: at least half a second or 1 MiB.
    var isChunkFull: Bool {
        guard !pendingRuns.isEmpty else { return false }
        return pendingBytes.count >= 1 << 20 || lastDecode - writtenEnd >= Int64(timescale) / 2
    }

    /// Adds the pending chunk, which was written at `offset`, to the index, and begins another chunk.
    func chunkWasWritten(at offset: Int64, inFragment: Bool) {
        table.appendChunk(at: offset, pendingRuns, formatIndex: pendingFormatIndex)
        if inFragment { fragmentChunks.append(Chunk(offset: offset, start: writtenEnd, runs: pendingRuns)) }
        writtenEnd = table.duration
        discardPending()
    }

    /// Discards the pending chunk after a failed write.
    func discardPending() {
        pendingRuns.removeAll(keepingCapacity: true)
        pendingBytes.removeAll(keepingCapacity: true)
    }

    /// Returns a copy with other offsets of the first chunks, to determine the size of its index.
    func copy(withChunksAt offsets: [Int64]) -> MovieTrack {
        let copy = MovieTrack(number: number, configuration)
        copy.table = table
        copy.table.moveFirstChunks(to: offsets)
        copy.references = references
        copy.origin = origin
        copy.presentationFloor = presentationFloor
        copy.presentationLimit = presentationLimit
        copy.customEdits = customEdits
        return copy
    }

    /// Sets the offsets of the first chunks after they were copied within the file.
    func moveFirstChunks(to offsets: [Int64]) { table.moveFirstChunks(to: offsets) }

    /// Clears the chunks of a fragment that is complete.
    func clearFragmentChunks() { fragmentChunks.removeAll(keepingCapacity: true) }

    /// Whether the samples are frames of PCM or alike, which share runs.
    private var isUncompressed: Bool { configuration.format.isUncompressed }

    /// Whether the samples are copied from another movie.
    private var isStored: Bool {
        if case .stored = configuration.format { true } else { false }
    }
}

extension MovieTrack {
    /// An entry of the edit list.
    struct Edit {
        /// The duration on the movie's timeline.
        var duration: CMTime
        /// The start in the media, in ticks since `origin`; nil for an empty edit.
        var mediaTime: Int64?
        /// The playback rate.
        var rate = 1.0
    }

    /// The edit list: `customEdits`, or an empty edit up to the start and then the presented range.
    var edits: [Edit] {
        guard let origin, !table.isEmpty, !hasAbsoluteTimes else { return [] }
        if let customEdits {
            return customEdits.map { edit in
                Edit(duration: edit.duration, mediaTime: edit.mediaTime.map { ticks($0) - origin }, rate: edit.rate)
            }
        }
        let start = max(origin + table.presentationStart, presentationFloor ?? .min)
        let end = min(origin + table.presentationEnd, presentationLimit ?? .max)
        let begin = max(0, start)
        let presented = Edit(duration: time(max(0, end - begin)), mediaTime: begin - origin)
        return begin > 0 ? [Edit(duration: time(begin), mediaTime: nil), presented] : [presented]
    }

    /// The end of the presentation on the movie's timeline.
    var presentationEnd: CMTime { edits.reduce(.zero) { $0 + $1.duration } }

    private func time(_ ticks: Int64) -> CMTime { CMTime(value: ticks, timescale: timescale) }
}
