import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import MediaTypes
import PixelKernels

/// The properties of a movie file.
struct MovieMeasurement {
    /// The duration in seconds; 0 if it is not known.
    var duration: Double
    /// The presentation times of the video frames in seconds, ascending.
    var frameTimes: [Double] = []
    /// The width in pixels, as displayed; 0 if there is no video.
    var width = 0
    /// The height in pixels, as displayed; 0 if there is no video.
    var height = 0
    /// The clockwise rotation of the video for display in degrees; nil if there is no video.
    var rotation: Int?
    /// The kinds of the tracks in their order, as in `MovieExpectation.tracks`.
    var tracks: [String]
    /// Why the movie cannot be played; nil if it can.
    var defect: String?

    /// The longest time between the presentation times of consecutive frames, in seconds; 0 with fewer than two frames.
    var longestGap: Double { zip(frameTimes, frameTimes.dropFirst()).map { $1 - $0 }.max() ?? 0 }

    /// Measures a movie.
    ///
    /// - Throws: `StorageError` if the file cannot be read. Invalid contents are a `defect`.
    init(_ url: URL) throws {
        let file = try DiskStorage().open(url, for: .reading)
        let map = try MovieMap(reading: file)
        duration = map.duration.isNumeric ? map.duration.seconds : 0
        tracks = map.tracks.map { track in
            switch track.handler {
            case "vide": "video"
            case "soun": "audio"
            case "meta": "metadata"
            case "tmcd": "timecode"
            default: "other"
            }
        }
        if let track = map.tracks.first(where: \.isVideo) {
            frameTimes = track.presentedRuns.flatMap { run in
                (0..<Int64(run.count)).map { track.time(run.presentationTime + $0 * Int64(run.duration)).seconds }
            }.sorted()
        }
        let problems = try MovieChecker.problems(of: map, in: file)
        defect = problems.first { $0.severity == .error }.map { "\($0)" }
        do {
            let reader = try MediaFileReader(path: url.path)
            guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
                if reader.tracks.isEmpty { defect = defect ?? "it has no tracks" }
                return
            }
            let (stored, isSwapped) = (video.dimensions, video.rotation.swapsWidthAndHeight)
            (width, height) =
                isSwapped
                ? (Int(stored.height), Int(stored.width)) : (Int(stored.width), Int(stored.height))
            rotation = video.rotation.rawValue
            if frameTimes.isEmpty { defect = defect ?? "it has no frame" }
        } catch {
            defect = defect ?? error.message
        }
    }
}
