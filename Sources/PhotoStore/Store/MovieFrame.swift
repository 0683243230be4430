import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

/// The reason why the first frame of a movie cannot be decoded.
struct MovieFrameError: Error, CustomStringConvertible {
    /// A clause that refers to the movie as "it".
    let message: String

    var description: String { message }
}

/// The first decodable frame of a movie, and the movie's duration.
///
/// - Important: Confined to one thread at a time.
struct MovieFrame {
    /// The duration of the timeline in seconds, including empty edits and tracks other than video and sound; for files
    /// other than QuickTime, MPEG-4 and Matroska, from the start of the first track to the end of the last one.
    let duration: Double
    /// The creation date; nil if the file does not contain it.
    let creationDate: Date?
    /// The location where the recording began; nil if the file does not contain it.
    let location: EXIF.Location?
    /// The manufacturer and the name of the camera; nil if the file does not contain them.
    let cameraMake: String?
    let cameraModel: String?
    /// Whether the movie has at least 100 frames per second.
    let hasHighFrameRate: Bool
    /// The frame as displayed: upright, with square pixels.
    let pixels: CVPixelBuffer

    /// Reads a movie.
    ///
    /// - Throws: `MovieFrameError` if the file is not a movie or none of its frames can be decoded.
    init(of url: URL) throws(MovieFrameError) {
        do throws(MediaFileError) {
            let reader = try MediaFileReader(path: url.path)
            let video = reader.tracks.lazy.compactMap { track -> (MediaTrack, MediaTrack.Video)? in
                if case .video(let video) = track.content { (track, video) } else { nil }
            }.first
            guard let (track, content) = video else {
                throw MediaFileError(.noMedia, path: url.path, "it has no video track")
            }
            pixels = try Self.firstFrame(of: track, content, reader)
            creationDate = reader.creationDate
            location = reader.location
            cameraMake = reader.cameraMake
            cameraModel = reader.cameraModel
            let frameSeconds = content.frameDuration.seconds
            hasHighFrameRate = frameSeconds > 0 && frameSeconds <= 0.01
            duration = try Self.duration(of: reader)
        } catch {
            throw MovieFrameError(message: error.message.replacingOccurrences(of: url.path, with: "it"))
        }
    }

    private static func firstFrame(
        of track: MediaTrack, _ video: MediaTrack.Video, _ reader: MediaFileReader
    ) throws(MediaFileError) -> CVPixelBuffer {
        let decoder = try VideoDecoder(reader: reader, track: track)
        reader.select([track.index])
        var isAtEnd = false
        while !isAtEnd {
            var packet: MediaPacket?
            switch try reader.next() {
            case .packet(let next): packet = next
            case .damaged: continue
            case .end: isAtEnd = true
            }
            guard let frame = try decoder.decode(packet).frames.first else { continue }
            let size = video.uprightDimensions
            guard
                let pixels = CVPixelBuffer(
                    width: Int(size.width), height: Int(size.height), pixelFormat: decoder.pixelFormat)
            else {
                throw MediaFileError(.outOfMemory, path: reader.path, "there is not enough memory for its first frame")
            }
            try decoder.render(frame, into: pixels, video.uprightTransform)
            return pixels
        }
        throw MediaFileError(.noMedia, path: reader.path, "none of its frames can be decoded")
    }

    /// Returns the duration in seconds from the container, or from the packets if the container does not contain it.
    static func duration(of reader: MediaFileReader) throws(MediaFileError) -> Double {
        if let timelineDuration = reader.timelineDuration { return timelineDuration.seconds }
        let tracks = reader.tracks + reader.undecodableTracks.filter(\.isVideo)
        let spans = tracks.filter(\.duration.isNumeric).map { track in
            (start: track.startTime.seconds, end: (track.startTime + track.duration).seconds)
        }
        if spans.count == tracks.count { return totalDuration(spans) }
        reader.select(Set(reader.tracks.map(\.index)))
        try reader.rewind()
        var (start, end) = (Double.infinity, -Double.infinity)
        while true {
            switch try reader.next() {
            case .packet(let packet):
                guard packet.time.isNumeric else { continue }
                start = min(start, packet.time.seconds)
                end = max(end, packet.time.seconds + (packet.duration.isNumeric ? packet.duration.seconds : 0))
            case .damaged: continue
            case .end: return totalDuration([(start, end)])
            }
        }
    }

    private static func totalDuration(_ spans: [(start: Double, end: Double)]) -> Double {
        guard let start = spans.map(\.start).min(), let end = spans.map(\.end).max() else { return 0 }
        return max(0, end - start)
    }
}
