package import Foundation
package import MediaStorage
package import MediaTypes

/// Writes a movie file that plays up to its last complete fragment whenever the writing stops.
///
/// While recording, a fragment's media go to the file as they come, behind a `free` box with room for the fragment's
/// index; the index is written into that room, and then the size of the `free` box, four bytes, is rewritten so that
/// the index comes to light. At a clean end an ordinary `moov` is appended inside a `free` box, and the header of the
/// first `free` box is rewritten as one large `mdat` that swallows everything before that `moov`. So the file is valid
/// at every moment, no media are copied, and a full disk cannot keep the last fragment's index out.
///
///     recording: ftyp free [moov moof] free mdat, [free [moof] free mdat]…, free (…), mdat (open end)
///     finished:  ftyp mdat(…) moov
///
/// Where the index is to be in front, room for it is set aside there; see `MovieFileWriter+Index.swift`.
///
///     finished:  ftyp free moov mdat(…)
///
/// The same samples in the same order give the same bytes. Memory grows by a few bytes a sample.
///
/// - Important: Confined.
package final class MovieFileWriter {
    package struct Configuration: Sendable {
        package var container: MovieContainer
        /// The longest time between two fragments; invalid for none: then a movie that is not finished is lost.
        package var fragmentInterval: CMTime
        /// Whether the finished movie has its index in front of the media, so that it can be played while it loads.
        package var putsIndexInFront: Bool
        /// The bytes set aside for that; an index that needs more moves media from there to the end of the file.
        package var frontRoomByteCount: Int
        /// Ticks a second of the movie's own times; 0 for one in which the durations of all tracks are exact.
        package var timescale: CMTimeScale

        package init(
            container: MovieContainer, fragmentInterval: CMTime = CMTime(value: 10, timescale: 1),
            putsIndexInFront: Bool = false, frontRoomByteCount: Int = 32768,
            timescale: CMTimeScale = 0
        ) {
            self.container = container
            self.fragmentInterval = fragmentInterval
            self.putsIndexInFront = putsIndexInFront
            self.frontRoomByteCount = frontRoomByteCount
            self.timescale = timescale
        }
    }

    /// How far the plain movie's index is.
    enum Index {
        case absent
        /// It is there, and the header that brings it to light may or may not have been written.
        case inDoubt
        case inForce
    }

    /// A fragment whose media are being written.
    struct OpenFragment {
        /// Where its `free` box begins.
        let offset: Int64
        /// What lies before the index in that box: its header, in the first one also the rest of a 64-bit header.
        let prefixByteCount: Int64
        /// The bytes set aside between that and the index, for one in front: a `free` box of their own.
        let frontRoom: Int64
        /// The bytes set aside for the index.
        let room: Int
        /// Where its `mdat` box begins.
        let mediaOffset: Int64
        /// The header of the movie, in the first fragment only: built early, so that its size is known.
        let headerByteCount: Int
        /// An upper bound of the index of what is in the file so far.
        var indexByteCount: Int
    }

    package let url: URL
    package let configuration: Configuration
    /// What the file will say about itself; can be set until the end.
    package var metadata: MovieMetadata
    let storage: any CaptureStorage
    let file: any StorageFile
    var tracks: [MovieTrack] = []
    var state = TrackWriterState.writing
    /// Where the next bytes go.
    var end: Int64 = 0
    /// Where the box begins that becomes the one large `mdat`; nil before the first bytes.
    var mediaHeaderOffset: Int64?
    var openFragment: OpenFragment?
    var index = Index.absent
    /// Where the media end once the index behind them is in force.
    var mediaEnd: Int64?
    /// The metadata in the header of the fragments.
    var headerMetadata = MovieMetadata()
    var fragmentCount: UInt32 = 0
    /// The count of fragment intervals that are over.
    private var intervalCount: Int32 = 0

    /// Creates the file.
    ///
    /// - Throws: `.storage`; a file that is there already stays as it is.
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

    /// Adds a track; all must be there before the first sample.
    ///
    /// - Throws: `.unsupportedFormat` where the container cannot hold it, `.invalidState` after the first sample.
    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        try state.requireWriting("the movie")
        guard tracks.allSatisfy({ $0.origin == nil }) else {
            throw MovieError(.invalidState, "a track cannot be added after the first sample")
        }
        if let reason = configuration.container.refusal(of: track.format) {
            throw MovieError(.unsupportedFormat, reason)
        }
        guard track.timescale > 0 else {
            throw MovieError(.unsupportedFormat, "a track's timescale must be positive, not \(track.timescale)")
        }
        tracks.append(MovieTrack(number: UInt32(tracks.count + 1), track))
        return MovieTrackID(index: tracks.count - 1)
    }

    /// Tells what a track is to another; before the first sample.
    package func relate(_ id: MovieTrackID, to other: MovieTrackID, as relation: MovieTrackRelation) {
        // The file tells of timed metadata in the track that describes, else in the one that has.
        let (from, to) = relation == .describes ? (id, other) : (other, id)
        tracks[from.index].references.append((relation, tracks[to.index].number))
    }

    /// Adds the next sample of a track, in decode order.
    ///
    /// - Throws: `.invalidSample`, and nothing is changed; `.storage`: then the file has been brought into the best
    ///   state that the storage allowed, and only `finish` and `cancel` make sense.
    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        try state.requireWriting("the movie")
        let track = tracks[id.index]
        let decode = try track.admit(sample)
        try attempt { () throws(StorageError) in
            let mustBreak = track.close(at: decode)
            if endsInterval(sample, of: track) {
                try flushChunks()
                try commitFragment()
            } else if mustBreak || track.isChunkFull {
                try writeChunk(of: track)
            }
            track.append(sample, at: decode)
        }
    }

    /// Begins what a track presents at a moment of the movie's timeline, exact to a tick of the track.
    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        tracks[id.index].presentationFloor = time.isNumeric ? tracks[id.index].ticks(time) : nil
    }

    /// Ends what a track presents at a moment of the movie's timeline, exact to a tick of the track.
    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {
        tracks[id.index].presentationLimit = time.isNumeric ? tracks[id.index].ticks(time) : nil
    }

    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int {
        time.isNumeric ? tracks[id.index].dropLast(from: time) : 0
    }

    /// Makes the last sample of a track last until a moment of the movie's timeline.
    package func extendLastSample(of id: MovieTrackID, until time: CMTime) {
        tracks[id.index].extendLastSample(until: time)
    }

    /// Turns the file into one plain movie, flushes and closes it.
    ///
    /// - Throws: `.empty` where no sample came, and the file is gone; the earlier error where `append` failed; or
    ///   `.storage`. In the last two cases `hasPlayableContent` tells whether what is left plays.
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
            if configuration.putsIndexInFront { try makeRoomForIndex() }
            try writeIndex()
            if configuration.putsIndexInFront { try moveIndexToFront() }
            try file.close()
            try storage.flushDirectory(url.deletingLastPathComponent())
        }
        state = .finished
    }

    /// Ends the writing and removes the file.
    package func cancel() {
        if case .finished = state { return }
        if case .cancelled = state { return }
        state = .cancelled
        removeFile()
    }

    /// The bytes of the file so far, those that wait in memory included.
    package var byteCount: Int64 { tracks.reduce(end) { $0 + Int64($1.pendingBytes.count) } }

    /// Whether what is in the file now plays, at least in part.
    package var hasPlayableContent: Bool { state.hasPlayableContent(whileWriting: fragmentCount > 0) }

    /// Runs a step; where the storage fails, saves what can be saved.
    private func attempt(_ step: () throws(StorageError) -> Void) throws(MovieError) {
        do {
            try step()
        } catch {
            throw salvage(after: error)
        }
    }

    /// Whether a fragment must end before `sample`: at a key frame, or a second late at any sample.
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
