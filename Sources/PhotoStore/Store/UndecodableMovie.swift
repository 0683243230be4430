import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import MediaTypes

/// What an intact movie contains if there is no decoder for its video, for example because it is encrypted.
struct UndecodableMovie {
    /// The display size: upright, with square pixels.
    let dimensions: CMVideoDimensions
    /// The duration of the timeline in seconds.
    let duration: Double
    /// The creation date; nil if the file does not contain it.
    let creationDate: Date?
    /// The location where the recording began; nil if the file does not contain it.
    let location: EXIF.Location?
    /// The manufacturer and the name of the camera; nil if the file does not contain them.
    let cameraMake: String?
    let cameraModel: String?

    /// Reads a movie; nil if the file is damaged, has no video, or has video that can be decoded.
    init?(of url: URL, in storage: any CaptureStorage) throws(StorageError) {
        guard try Self.isIntact(url, storage) else { return nil }
        // A file that cannot be read at all is not such a movie; the caller reports the first error.
        guard let reader = try? MediaFileReader(path: url.path, requiresDecodableTracks: false),
            !reader.tracks.contains(where: \.isVideo),
            case .video(let video)? = reader.undecodableTracks.first(where: \.isVideo)?.content,
            let duration = try? MovieFrame.duration(of: reader)
        else { return nil }
        dimensions = video.uprightDimensions
        self.duration = duration
        creationDate = reader.creationDate
        location = reader.location
        cameraMake = reader.cameraMake
        cameraModel = reader.cameraModel
    }

    /// Whether the index of a QuickTime or MPEG-4 file is intact; true for other formats.
    private static func isIntact(_ url: URL, _ storage: any CaptureStorage) throws(StorageError) -> Bool {
        let file = try storage.open(url, for: .reading)
        guard try MovieMap.canRead(file) else { return true }
        let problems = try MovieChecker.problems(of: MovieMap(reading: file), in: file, readsMedia: false)
        return problems.allSatisfy { $0.severity != .error }
    }
}
