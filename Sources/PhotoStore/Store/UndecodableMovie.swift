import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// What the index of an intact movie contains if there is no decoder for its video, for example because it is encrypted.
struct UndecodableMovie {
    /// The display size: upright, with square pixels.
    let dimensions: CMVideoDimensions
    /// The duration of the timeline in seconds.
    let duration: Double
    /// The creation date; nil if the file does not contain it.
    let creationDate: Date?

    /// Reads the index of a movie; nil if the file is damaged, has no video, or has video that can be decoded.
    init?(of url: URL, in storage: any CaptureStorage) throws(StorageError) {
        let file = try storage.open(url, for: .reading)
        guard try MovieMap.canRead(file) else { return nil }
        let map = try MovieMap(reading: file)
        let tracks = map.tracks.filter { $0.isVideo && !$0.samples.isEmpty }
        guard let dimensions = tracks.first?.uprightDimensions, !tracks.contains(where: \.isDecodable),
            try MovieChecker.problems(of: map, in: file, readsMedia: false).allSatisfy({ $0.severity != .error })
        else { return nil }
        self.dimensions = dimensions
        duration = max(0, map.duration.seconds)
        creationDate = map.creationSecondsSince1970.map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension TrackMap {
    /// Whether a decoder is available for any of the samples.
    fileprivate var isDecodable: Bool {
        sampleEntries.contains { entry in
            !entry.isProtected
                && entry.makeDescription(handler: handler, timescale: timescale).flatMap(DecoderConfiguration.init)
                    != nil
        }
    }
}
