import AssetTypes
import MediaCodecs
import MediaTypes

/// A track of a passthrough export, which provides the samples to write.
///
/// - Important: Confined to one thread at a time.
protocol ExportTrack: AnyObject {
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
struct ExportSample {
    let sample: EncodedSample
    /// The decode time in the exported movie, at least zero. Samples of all tracks are written in the order of their
    /// positions.
    let position: CMTime
}

extension AVAssetTrack {
    /// Returns the configuration of an exported track with the properties of this one; nil without a format.
    func exportConfiguration(
        _ formats: [MovieSampleFormat], timescale: CMTimeScale, expectedSampleRate: Double, to container: MovieContainer
    ) -> MovieTrackConfiguration? {
        guard let format = formats.first else { return nil }
        var configuration = MovieTrackConfiguration(
            format: format, timescale: timescale, transform: preferredTransform, expectedSampleRate: expectedSampleRate,
            language: languageCode ?? "und", isEnabled: isEnabled)
        configuration.extendedLanguageTag = extendedLanguageTag
        configuration.additionalFormats = Array(formats.dropFirst())
        configuration.volume = Double(preferredVolume)
        if mediaType != .audio, naturalSize.width > 0, naturalSize.height > 0 {
            configuration.presentationSize = naturalSize
        }
        configuration.alternateGroup = map.alternateGroup
        configuration.layer = map.layer
        configuration.perspective = map.perspective
        configuration.number = map.number
        configuration.storedBoxes = map.storedBoxes
        // The boxes of a file of the same family contain the metadata.
        if map.storedBoxes?.isQuickTime != (container == .mov) { configuration.metadata.add(metadata) }
        return configuration
    }
}
