import AssetTypes
import MediaAssets
import MediaCodecs
import MediaTypes

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
