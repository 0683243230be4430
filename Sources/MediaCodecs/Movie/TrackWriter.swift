package import MediaTypes

/// Writes samples of tracks to a file or to segments.
///
/// - Important: Confined to one thread at a time.
package protocol TrackWriter: AnyObject {
    /// Adds a track, before the first sample.
    func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID
    /// Adds a reference from a track to another, before the first sample, if the output can contain references.
    func addReference(from id: MovieTrackID, to other: MovieTrackID, as relation: MovieTrackRelation)
    /// Appends the next sample of a track, in decode order.
    func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError)
    /// Extends the last sample of a track to a time on the movie's timeline.
    func extendLastSample(of id: MovieTrackID, until time: CMTime)
    /// Sets the time on the movie's timeline at which a track's presentation begins; earlier samples are only decoded.
    func setPresentationStart(_ time: CMTime, of id: MovieTrackID)
    /// Sets the time on the movie's timeline at which a track's presentation ends.
    func setPresentationEnd(_ time: CMTime, of id: MovieTrackID)
    /// Ends a track; no further samples follow.
    func finishTrack(_ id: MovieTrackID) throws(MovieError)
    /// Completes the output.
    ///
    /// - Throws: `.empty` if there are no samples; a file is then removed.
    func finish() throws(MovieError)
    /// Stops writing and removes the output.
    func cancel()
}

/// A file that a recorder writes.
protocol RecordedFile: TrackWriter {
    /// The metadata of the file; can be changed until it is finished.
    var metadata: MovieMetadata { get set }
    /// The size of the file in bytes, including data that is not yet written.
    var byteCount: Int64 { get }
    /// An estimate of the bytes other than media that the next fragment adds to the file.
    var nextFragmentByteCount: Int64 { get }
    /// Whether the file in its current state is playable, at least in part.
    var hasPlayableContent: Bool { get }
    /// Removes the last samples of a track that are presented at or after a time on the movie's timeline, but never the
    /// only one.
    ///
    /// - Returns: The number of removed samples.
    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int
}

extension TrackWriter {
    /// Does nothing.
    package func addReference(from id: MovieTrackID, to other: MovieTrackID, as relation: MovieTrackRelation) {}
    /// Does nothing.
    package func finishTrack(_ id: MovieTrackID) throws(MovieError) {}
}

extension MovieFileWriter: TrackWriter {}

extension RecordedFile {
    /// Does nothing: audio files are trimmed with frame accuracy.
    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int { 0 }
}

extension MovieFileWriter: RecordedFile {}
