package import MediaTypes

/// Writes samples of tracks into a file, or into segments.
///
/// - Important: Confined.
package protocol TrackWriter: AnyObject {
    /// Adds a track; all must be there before the first sample.
    func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID
    /// Adds the next sample of a track, in decode order.
    func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError)
    /// Makes the last sample of a track last until a moment of the movie's timeline.
    func extendLastSample(of id: MovieTrackID, until time: CMTime)
    /// Begins what a track presents at a moment of the movie's timeline; what lies before is only decoded.
    func setPresentationStart(_ time: CMTime, of id: MovieTrackID)
    /// Ends what a track presents at a moment of the movie's timeline.
    func setPresentationEnd(_ time: CMTime, of id: MovieTrackID)
    /// Nothing more comes to a track.
    func finishTrack(_ id: MovieTrackID) throws(MovieError)
    /// Completes what is written.
    ///
    /// - Throws: `.empty` where no sample came, and nothing is left.
    func finish() throws(MovieError)
    /// Ends the writing and removes what was written.
    func cancel()
}

/// A file that a recorder fills.
protocol RecordedFile: TrackWriter {
    /// What the file will say about itself; can be set until the end.
    var metadata: MovieMetadata { get set }
    /// The bytes of the file so far, those that wait in memory included.
    var byteCount: Int64 { get }
    /// The bytes beside the media that the file is about to take.
    var nextFragmentByteCount: Int64 { get }
    /// Whether what is in the file now plays, at least in part.
    var hasPlayableContent: Bool { get }
    /// Leaves out the last samples of a track that are presented from a moment of the movie's timeline on; never the
    /// only one.
    ///
    /// - Returns: How many.
    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int
}

extension TrackWriter {
    package func finishTrack(_ id: MovieTrackID) throws(MovieError) {}
}

extension MovieFileWriter: TrackWriter {}

extension RecordedFile {
    /// A file of sound is cut by its samples.
    func dropLastSamples(of id: MovieTrackID, from time: CMTime) -> Int { 0 }
}

extension MovieFileWriter: RecordedFile {}
