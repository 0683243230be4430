import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// What the library wants to know of a file.
struct MediaFacts: Sendable {
    var kind: MediaKind
    /// Pixels of the picture as it is shown, upright; 0 where it holds none.
    var pixelWidth = 0
    var pixelHeight = 0
    /// Seconds; 0 for pictures.
    var duration = 0.0
    /// When it was taken, where it tells.
    var creationDate: Date?
    /// A small upright JPEG; empty where the file is never shown by itself.
    var thumbnail = Data()
}

/// Looks into files that are to be imported, and refuses those that are not what they are said to be.
struct MediaInspector: Sendable {
    /// Pixels of a thumbnail's longer side.
    static let thumbnailSide = 512
    private static let thumbnailSettings = JPEGCodec.Settings(quality: 85)

    /// - Throws: `PHPhotosError.invalidResource` for a wrong or damaged file, or `StorageError`.
    func facts(of url: URL, _ resource: ResourceDraft, storage: any CaptureStorage) throws -> MediaFacts {
        let file = try storage.open(url, for: .reading)
        let start = try file.data(at: 0, byteCount: 12)
        try file.close()
        let kind = MediaKind(start: start)
        guard !start.isEmpty else { throw PHPhotosError.invalidResource(resource.displayName, "it is empty") }
        do {
            switch (resource.type, kind) {
            case (.photo, .jpeg), (.alternatePhoto, .jpeg):
                return try jpegFacts(storage.data(of: url))
            case (.photo, .png), (.alternatePhoto, .png):
                return try pngFacts(storage.data(of: url))
            case (.alternatePhoto, .rawPhoto):
                return MediaFacts(kind: kind)
            case (.video, .quickTime), (.video, .mpeg4), (.video, .avi), (.video, .matroska),
                (.pairedVideo, .quickTime), (.pairedVideo, .mpeg4):
                return try movieFacts(url, kind)
            default:
                throw PHPhotosError.invalidResource(resource.displayName, Self.expectation(of: resource.type))
            }
        } catch let error as StillError {
            throw PHPhotosError.invalidResource(resource.displayName, error.message, cause: error)
        } catch let error as MovieFrameError {
            throw PHPhotosError.invalidResource(resource.displayName, error.message, cause: error)
        }
    }

    private static func expectation(of type: PHAssetResourceType) -> String {
        switch type {
        case .photo: "it is no JPEG or PNG picture"
        case .alternatePhoto: "it is no DNG, JPEG or PNG picture"
        case .video: "it is no QuickTime, MPEG-4, AVI or Matroska movie"
        case .pairedVideo: "it is no QuickTime or MPEG-4 movie"
        default: "assets have no resource of the type \(type) here"
        }
    }

    private func jpegFacts(_ data: Data) throws(StillError) -> MediaFacts {
        let codec = try JPEGCodec()
        let header = try codec.header(of: data)
        // A picture whose notes cannot be read is a picture all the same.
        let exif = (try? JPEGSegments(data).exif()) ?? EXIF()
        let orientation = exif.orientation ?? .up
        let isTurned = orientation.rotation.swapsSides
        return MediaFacts(
            kind: .jpeg, pixelWidth: isTurned ? header.height : header.width,
            pixelHeight: isTurned ? header.width : header.height, creationDate: exif.originalTime?.date,
            thumbnail: try codec.thumbnail(
                of: data, maximumSide: Self.thumbnailSide, orientation: orientation, settings: Self.thumbnailSettings))
    }

    private func pngFacts(_ data: Data) throws(StillError) -> MediaFacts {
        let picture = try PNGCodec().decode(data)
        return MediaFacts(
            kind: .png, pixelWidth: CVPixelBufferGetWidth(picture), pixelHeight: CVPixelBufferGetHeight(picture),
            thumbnail: try thumbnail(of: picture))
    }

    private func movieFacts(_ url: URL, _ kind: MediaKind) throws -> MediaFacts {
        let frame = try MovieFrame(of: url)
        let picture = try frame.upright()
        return MediaFacts(
            kind: kind, pixelWidth: CVPixelBufferGetWidth(picture), pixelHeight: CVPixelBufferGetHeight(picture),
            duration: frame.duration, creationDate: frame.creationDate, thumbnail: try thumbnail(of: picture))
    }

    /// A small JPEG of an upright picture.
    private func thumbnail(of picture: CVPixelBuffer) throws(StillError) -> Data {
        let codec = try JPEGCodec()
        let whole = try codec.encode(picture, settings: Self.thumbnailSettings)
        let longer = max(CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
        guard longer > Self.thumbnailSide else { return whole }
        return try codec.thumbnail(of: whole, maximumSide: Self.thumbnailSide, settings: Self.thumbnailSettings)
    }
}

extension EXIF.Moment {
    /// The moment on the world's clock; without an offset it counts as UTC. Nil for what is no date.
    var date: Date? {
        guard let zone = TimeZone(secondsFromGMT: (offsetMinutes ?? 0) * 60) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let components = DateComponents(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { return nil }
        return date.addingTimeInterval(Double(millisecond ?? 0) / 1000)
    }
}
