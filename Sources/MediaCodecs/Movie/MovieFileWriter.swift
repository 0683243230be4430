package import Foundation
package import MediaStorage
package import MediaTypes

/// Writes a movie file that is playable up to its last complete fragment if writing is interrupted.
///
/// During recording, the media of a fragment is written after a `free` box that reserves space for the fragment's
/// index. The index is written into that box, and then the size of the `free` box (four bytes) is changed so that the
/// index follows it. On completion a `moov` is appended inside a `free` box, and the header of the first `free` box is
/// changed to one large `mdat` that covers everything before the `moov`. The file is valid at every moment, no media is
/// copied, and a full disk cannot prevent writing the last fragment's index.
///
///     recording: ftyp free [moov moof] free mdat, [free [moof] free mdat]…, free (…), mdat (to the end of the file)
///     finished:  ftyp mdat(…) moov
///
/// If the index is to be in front of the media, space for it is reserved there; see `MovieFileWriter+Index.swift`.
///
///     finished:  ftyp free moov mdat(…)
///
/// The same samples in the same order result in the same bytes. Memory use grows by a few bytes per sample.
///
/// - Important: Confined to one thread at a time.
package final class MovieFileWriter {
    /// The settings of a writer.
    package struct Configuration: Sendable {
        /// The file format.
        package var container: MovieContainer
        /// The maximum duration of a fragment; invalid for a movie without fragments, which is lost if it is not
        /// finished.
        package var fragmentInterval: CMTime
        /// Whether the finished movie has its index before the media, so that it is playable while it loads.
        package var putsIndexInFront: Bool
        /// The number of bytes to reserve for that index. A larger index displaces media to the end of the file.
        package var reservedIndexByteCount: Int
        /// The movie's time scale in ticks per second; 0 for the lowest that represents the durations of all tracks
        /// exactly.
        package var timescale: CMTimeScale
        /// The parts of another movie that this one keeps byte for byte.
        package var storedBoxes = StoredMovieBoxes()
        /// Whether the file remains after a storage error, with the samples written so far, if they are playable.
        package var keepsPartialMovie = true

        /// Creates a configuration.
        package init(
            container: MovieContainer, fragmentInterval: CMTime = CMTime(value: 10, timescale: 1),
            putsIndexInFront: Bool = false, reservedIndexByteCount: Int = 32768,
            timescale: CMTimeScale = 0
        ) {
            self.container = container
            self.fragmentInterval = fragmentInterval
            self.putsIndexInFront = putsIndexInFront
            self.reservedIndexByteCount = reservedIndexByteCount
            self.timescale = timescale
        }
    }

    /// The state of the finished movie's index.
    enum Index {
        case absent
        /// The index is written; it is unknown whether the box header that makes it part of the movie is.
        case undetermined
        case valid
    }

    /// A fragment that is being written.
    struct OpenFragment {
        /// The offset of its `free` box.
        let offset: Int64
        /// The size of the box header; in the first fragment, with space for a 64-bit header.
        let prefixByteCount: Int64
        /// The number of bytes after the prefix that are reserved for an index before the media.
        let reservedByteCount: Int64
        /// The number of bytes reserved for the fragment's index.
        let indexCapacity: Int
        /// The offset of its `mdat` box.
        let mediaOffset: Int64
        /// The number of bytes reserved for the movie header; 0 except in the first fragment.
        let headerByteCount: Int
        /// An upper bound of the index size in bytes for the samples written so far.
        var indexByteCount: Int
    }

    /// The URL of the file.
    package let url: URL
    /// The settings of the writer.
    package let configuration: Configuration
    /// The metadata of the movie; can be changed until the movie is finished.
    package var metadata: MovieMetadata
    let storage: any CaptureStorage
    let file: any StorageFile
    var tracks: [MovieTrack] = []
    var state = TrackWriterState.writing
    /// The offset of the next write.
    var end: Int64 = 0
    /// The offset of the box that becomes the large `mdat`; nil before the first write.
    var mediaHeaderOffset: Int64?
    var openFragment: OpenFragment?
    var index = Index.absent
    /// The file offset of the end of the media; nil until the index after the media is valid.
    var mediaEnd: Int64?
    /// The metadata in the header of the fragmented movie.
    var headerMetadata = MovieMetadata()
    var fragmentCount: UInt32 = 0
    /// Whether the complete fragments or the index contain a frame, or sound in a movie without video tracks.
    private(set) package var presentsFrames = false
    /// The number of completed fragment intervals.
    private var intervalCount: Int32 = 0

    /// Creates the file.
    ///
    /// - Throws: `.storage`; an existing file is not changed.
    package init(
        url: URL, storage: any CaptureStorage, configuration: Configuration, metadata: MovieMetadata = MovieMetadata()
    ) throws(MovieError) {
        self.url = url
        self.storage = storage
        self.configuration = configuration
        self.metadata = metadata
        do {
            file = try storage.create(url)
        } catch {
            throw MovieError(error)
        }
    }

    /// Adds a track, before the first sample.
    ///
    /// - Throws: `.unsupportedFormat` if the container does not support it, `.invalidState` after the first sample.
    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        try state.requireWriting("the movie")
        guard tracks.allSatisfy({ $0.origin == nil }) else {
            throw MovieError(.invalidState, "a track cannot be added after the first sample")
        }
        for format in [track.format] + track.additionalFormats {
            if let reason = configuration.container.rejectionReason(for: format) {
                throw MovieError(.unsupportedFormat, reason)
            }
        }
        guard track.additionalFormats.isEmpty || !hasFragments else {
            throw MovieError(.unsupportedFormat, "a track of a movie with fragments has one format")
        }
        guard track.timescale > 0 else {
            throw MovieError(.unsupportedFormat, "a track's timescale must be positive, not \(track.timescale)")
        }
        let number = track.number ?? nextTrackNumber
        guard !tracks.contains(where: { $0.number == number }) else {
            throw MovieError(.unsupportedFormat, "there is a second track with number \(number)")
        }
        tracks.append(MovieTrack(number: number, track))
        return MovieTrackID(index: tracks.count - 1)
    }

    /// Adds a reference between two tracks, before the first sample.
    ///
    /// - Parameters:
    ///   - id: The track with the role of `relation`: the timecode, chapter or metadata track, for example.
    ///   - other: The track to which it applies.
    package func relate(_ id: MovieTrackID, to other: MovieTrackID, as relation: MovieTrackRelation) {
        // A metadata track refers to the track that it describes. All other references are in the opposite direction.
        let (from, to) = relation == .describes ? (id, other) : (other, id)
        addReference(from: from, to: to, as: relation)
    }

    /// Adds a reference from a track to another (`tref`), before the first sample.
    package func addReference(from id: MovieTrackID, to other: MovieTrackID, as relation: MovieTrackRelation) {
        addReference(from: id, to: other, ofType: relation.rawValue)
    }

    /// Adds a reference of any type from a track to another (`tref`), before the first sample.
    ///
    /// - Parameter type: A four-character code, such as one of `MovieTrackRelation`.
    package func addReference(from id: MovieTrackID, to other: MovieTrackID, ofType type: String) {
        tracks[id.index].references.append((type, tracks[other.index].number))
    }

    /// The number of the next track.
    var nextTrackNumber: UInt32 { (tracks.map(\.number).max() ?? 0) + 1 }

    /// Appends the next sample of a track, in decode order.
    ///
    /// - Throws: `.invalidSample` without any effect, or `.storage`. After a storage error as much of the file as
    ///   possible is playable, and only `finish` and `cancel` may be called.
    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        try state.requireWriting("the movie")
        let track = tracks[id.index]
        let decode = try track.validatedDecodeTime(of: sample)
        try attempt { () throws(StorageError) in
            let chunkMustEnd = track.endLastSample(at: decode)
            if endsInterval(sample, of: track) {
                try flushChunks()
                try commitFragment()
            } else if chunkMustEnd || track.isChunkFull || track.changesFormat(sample) {
                try writeChunk(of: track)
            }
            track.append(sample, at: decode)
        }
    }

    /// Sets the time on the movie's timeline at which a track's presentation begins, with tick accuracy.
    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        tracks[id.index].presentationFloor = time.isNumeric ? tracks[id.index].ticks(time) : nil
    }

    /// Sets the time on the movie's timeline at which a track's presentation ends, with tick accuracy.
    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {
        tracks[id.index].presentationLimit = time.isNumeric ? tracks[id.index].ticks(time) : nil
    }

    /// Sets a track's edit list. Without one, its samples are presented at their times.
    package func setEdits(_ edits: [MovieEdit], of id: MovieTrackID) { tracks[id.index].customEdits = edits }

    /// Removes the last samples of a track that are presented at or after a time on the movie's timeline, but never the
    /// only one.
    ///
    /// - Returns: The number of removed samples.
    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int {
        time.isNumeric ? tracks[id.index].dropLast(from: time) : 0
    }

    /// Extends the last sample of a track to a time on the movie's timeline.
    package func extendLastSample(of id: MovieTrackID, until time: CMTime) {
        tracks[id.index].extendLastSample(until: time)
    }

    /// Completes the movie and closes the file.
    ///
    /// - Throws: `.empty` if there are no samples; then the file is removed. The earlier error if `append` failed, or
    ///   `.storage`; then `hasPlayableContent` indicates whether the remaining file is playable.
    package func finish() throws(MovieError) {
        try state.requireWriting("the movie")
        guard tracks.contains(where: { $0.origin != nil }) else {
            cancel()
            throw MovieError(.empty, "\(url.path): nothing was recorded")
        }
        for track in tracks { track.trimPending() }
        try attempt { () throws(StorageError) in
            try flushChunks()
            try commitFragment()
            try writeChapters()
            if configuration.putsIndexInFront { try reserveSpaceForIndex() }
            try writeIndex()
            if configuration.putsIndexInFront { try moveIndexToFront() }
            try file.close()
            try storage.flushDirectory(url.deletingLastPathComponent())
        }
        state = .finished
    }

    /// Stops writing and removes the file; does nothing after `finish`.
    package func cancel() {
        if case .finished = state { return }
        if case .cancelled = state { return }
        state = .cancelled
        removeFile()
    }

    /// The size of the file in bytes, including data that is not yet written.
    package var byteCount: Int64 { tracks.reduce(end) { $0 + Int64($1.pendingBytes.count) } }

    /// Whether the file in its current state is playable, at least in part.
    package var hasPlayableContent: Bool { state.hasPlayableContent(whileWriting: fragmentCount > 0) }

    /// Called when the samples that were written have become part of the movie.
    func didCommitSamples() {
        let videoTracks = tracks.filter { if case .video = $0.configuration.format { true } else { false } }
        presentsFrames = videoTracks.isEmpty || videoTracks.contains { !$0.table.isEmpty }
    }

    /// Runs a step; if the storage fails, makes the file playable as far as possible.
    private func attempt(_ step: () throws(StorageError) -> Void) throws(MovieError) {
        do {
            try step()
        } catch {
            throw closeAfterFailure(error)
        }
    }

    /// Whether the fragment ends before `sample`: after the interval, at the next key frame; at any sample if there is
    /// no key frame within a second.
    private func endsInterval(_ sample: EncodedSample, of track: MovieTrack) -> Bool {
        let interval = configuration.fragmentInterval
        guard interval.isNumeric, interval > .zero else { return false }
        let boundary = CMTimeMultiply(interval, multiplier: intervalCount + 1)
        let time = sample.presentationTime
        guard time >= boundary else { return false }
        let reference = tracks.first(where: \.isVideo) ?? tracks[0]
        let isLate = time >= boundary + CMTime(value: 1, timescale: 1)
        guard isLate || (track === reference && sample.isKeyFrame) else { return false }
        while CMTimeMultiply(interval, multiplier: intervalCount + 1) <= time { intervalCount += 1 }
        return true
    }
}
