package import AssetTypes
package import MediaCodecs
package import MediaTypes

/// A track that a writer copies without an input, as in an export, which provides the samples to write.
///
/// - Important: Confined to one thread at a time.
package protocol ExportTrack: AnyObject {
    /// The configuration of the track in the exported movie.
    var configuration: MovieTrackConfiguration { get }
    /// Descriptions of the boxes of the source track that the exported track does not contain.
    var omittedBoxes: [String] { get }

    /// Configures the presentation of the samples in the movie. Called before the first sample is written.
    func begin(_ id: MovieTrackID, in writer: MovieFileWriter)

    /// Returns the next sample in decode order; nil at the end.
    func next() throws(AVError) -> ExportSample?

    /// Configures the end of the presentation. Called after the last sample is written.
    func finish(_ id: MovieTrackID, in writer: MovieFileWriter)
}

/// An encoded sample, and its position in the interleaving of the tracks.
package struct ExportSample {
    package let sample: EncodedSample
    /// The decode time in the exported movie, at least zero. Samples of all tracks are written in the order of their
    /// positions.
    package let position: CMTime

    package init(sample: EncodedSample, position: CMTime) {
        self.sample = sample
        self.position = position
    }
}
