import MediaCodecs
import MediaTypes

/// A track of a movie file that provides the media of an asset's track.
///
/// - Important: Thread-safe, immutable.
final class MediaSource: Sendable {
    let file: MovieFile
    let map: TrackMap

    init(_ map: TrackMap, in file: MovieFile) {
        self.map = map
        self.file = file
    }

    /// The format of each sample description; nil for one that is not supported.
    var formatDescriptions: [CMFormatDescription?] {
        map.sampleEntries.map { $0.makeDescription(handler: map.handler, timescale: map.timescale) }
    }
}
