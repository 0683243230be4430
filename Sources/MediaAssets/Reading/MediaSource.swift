import MediaCodecs

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
}
