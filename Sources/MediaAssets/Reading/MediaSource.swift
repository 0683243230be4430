package import MediaCodecs
package import MediaFiles
package import MediaTypes

/// The media of an asset's track: a track of a file, or edits of such tracks.
///
/// - Important: Thread-safe.
package protocol TrackContents: AnyObject, Sendable {
    /// The samples and edits of the track. The map of a composition has the samples of its first source only.
    var map: TrackMap { get }
    /// The edits that present media, in order.
    var timeline: [TimelineSegment] { get }
    /// The time ranges of empty segments that a client inserted; a file has none.
    var emptyRanges: [CMTimeRange] { get }
    /// The tracks of files that provide the media, each once, in the order of the timeline.
    var mediaSources: [MediaSource] { get }
    /// The path of the file; nil for edits.
    var filePath: String? { get }
}

/// A track of a movie file that provides the media of an asset's track.
///
/// - Important: Thread-safe, immutable.
package final class MediaSource: TrackContents {
    package let file: MovieFile
    package let map: TrackMap
    private let computedPresentationEnds = Lock<[Int64]?>(nil, order: .primitive)

    init(_ map: TrackMap, in file: MovieFile) {
        self.map = map
        self.file = file
    }

    /// The end of the presentation of each run, in ticks; see `TrackMap`. They are computed on first use, because each edit
    /// of the media needs them.
    package var presentationEnds: [Int64] {
        computedPresentationEnds.withLock { ends in
            if let ends { return ends }
            let new = map.presentationEnds
            ends = new
            return new
        }
    }

    package var timeline: [TimelineSegment] { TimelineSegment.segments(of: self) }
    package var emptyRanges: [CMTimeRange] { [] }
    package var mediaSources: [MediaSource] { [self] }
    package var filePath: String? { file.url.path }

    /// The format of each sample description; nil for one that is not supported.
    var formatDescriptions: [CMFormatDescription?] {
        map.sampleEntries.map { $0.makeDescription(handler: map.handler, timescale: map.timescale) }
    }
}
