import MediaCodecs
import MediaTypes

/// A track of a movie file that provides the media of an asset's track.
///
/// - Important: Thread-safe, immutable.
final class MediaSource: Sendable {
    let file: MovieFile
    let map: TrackMap
    private let computedPresentationEnds = Lock<[Int64]?>(nil, order: .primitive)

    init(_ map: TrackMap, in file: MovieFile) {
        self.map = map
        self.file = file
    }

    /// The end of the presentation of each run, in ticks; see `TrackMap`. They are computed on first use, because each edit
    /// of the media needs them.
    var presentationEnds: [Int64] {
        computedPresentationEnds.withLock { ends in
            if let ends { return ends }
            let new = map.presentationEnds
            ends = new
            return new
        }
    }

    /// The format of each sample description; nil for one that is not supported.
    var formatDescriptions: [CMFormatDescription?] {
        map.sampleEntries.map { $0.makeDescription(handler: map.handler, timescale: map.timescale) }
    }
}
