import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels

/// The properties of a media file that the library stores.
struct MediaProperties: Sendable {
    var kind: MediaKind
    /// Pixels of the upright image; 0 for a raw photo.
    var pixelWidth = 0
    var pixelHeight = 0
    /// Seconds; 0 for photos.
    var duration = 0.0
    /// The capture date; nil if the file does not contain it.
    var creationDate: Date?
    /// Where the photo or movie was taken; nil if the file does not contain it.
    var location: EXIF.Location?
    /// A small upright JPEG; empty for a raw photo, which is not displayed by itself.
    var thumbnail = Data()
}

/// A reader of the properties of files to be imported, which rejects files of the wrong type.
struct MediaInspector: Sendable {
    /// The pixels of a thumbnail's longer side.
    static let thumbnailSide = 512
    private static let thumbnailSettings = JPEGCodec.Settings(quality: 85)

    /// Reads the properties of a file.
    ///
    /// - Throws: `PHPhotosError.invalidResource` if the file is damaged or of the wrong type, or `StorageError`.
    func properties(of url: URL, _ resource: ResourceDraft, storage: any CaptureStorage) throws -> MediaProperties {
        let file = try storage.open(url, for: .reading)
        let start = try file.data(at: 0, byteCount: 12)
        try file.close()
        let kind = MediaKind(start: start)
        guard !start.isEmpty else { throw PHPhotosError.invalidResource(resource.displayName, "it is empty") }
        do {
            switch (resource.type, kind) {
            case (.photo, .jpeg), (.alternatePhoto, .jpeg):
                return try jpegProperties(storage.data(of: url))
            case (.photo, .png), (.alternatePhoto, .png):
                return try pngProperties(storage.data(of: url))
            case (.alternatePhoto, .rawPhoto):
                return MediaProperties(kind: kind)
            case (.video, .quickTime), (.video, .mpeg4), (.video, .avi), (.video, .matroska),
                (.pairedVideo, .quickTime), (.pairedVideo, .mpeg4):
                return try movieProperties(url, kind)
            default:
                throw PHPhotosError.invalidResource(resource.displayName, Self.rejectionReason(for: resource.type))
            }
        } catch let error as ImageError {
            throw PHPhotosError.invalidResource(resource.displayName, error.message, cause: error)
        } catch let error as MovieFrameError {
            throw PHPhotosError.invalidResource(resource.displayName, error.message, cause: error)
        }
    }

    /// Returns why a file with an unexpected format is rejected, as a clause that refers to the file as "it".
    private static func rejectionReason(for type: PHAssetResourceType) -> String {
        switch type {
        case .photo: "it is not a JPEG or PNG image"
        case .alternatePhoto: "it is not a DNG, JPEG or PNG image"
        case .video: "it is not a QuickTime, MPEG-4, AVI or Matroska movie"
        case .pairedVideo: "it is not a QuickTime or MPEG-4 movie"
        default: "resources of the type \(type) are not supported"
        }
    }

    private func jpegProperties(_ data: Data) throws(ImageError) -> MediaProperties {
        let codec = try JPEGCodec()
        let header = try codec.header(of: data)
        // An image with damaged metadata can still be imported.
        let exif = EXIF(file: data) ?? EXIF()
        let orientation = exif.orientation ?? .up
        let swapsSides = orientation.rotation.swapsWidthAndHeight
        return MediaProperties(
            kind: .jpeg, pixelWidth: swapsSides ? header.height : header.width,
            pixelHeight: swapsSides ? header.width : header.height, creationDate: exif.originalTime?.date,
            location: exif.location,
            thumbnail: try codec.thumbnail(
                of: data, maximumSide: Self.thumbnailSide, orientation: orientation, settings: Self.thumbnailSettings))
    }

    private func pngProperties(_ data: Data) throws(ImageError) -> MediaProperties {
        let exif = EXIF(file: data) ?? EXIF()
        let image = try upright(PNGCodec().decode(data), exif.orientation ?? .up)
        return MediaProperties(
            kind: .png, pixelWidth: CVPixelBufferGetWidth(image), pixelHeight: CVPixelBufferGetHeight(image),
            creationDate: exif.originalTime?.date, location: exif.location, thumbnail: try Self.thumbnail(of: image))
    }

    /// Returns the image in display orientation.
    private func upright(
        _ image: CVPixelBuffer, _ orientation: CGImagePropertyOrientation
    ) throws(ImageError) -> CVPixelBuffer {
        guard orientation != .up else { return image }
        let transform = PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
        let size = transform.naturalSize(width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image))
        guard
            let result = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: CVPixelBufferGetPixelFormatType(image))
        else { throw ImageError(.outOfMemory, "there is not enough memory for the upright image") }
        try PixelConverter().convert(image, to: result, transform)
        return result
    }

    private func movieProperties(_ url: URL, _ kind: MediaKind) throws -> MediaProperties {
        let frame = try MovieFrame(of: url)
        return MediaProperties(
            kind: kind, pixelWidth: CVPixelBufferGetWidth(frame.pixels),
            pixelHeight: CVPixelBufferGetHeight(frame.pixels), duration: frame.duration,
            creationDate: frame.creationDate, location: frame.location,
            thumbnail: try Self.thumbnail(of: frame.pixels))
    }

    /// Creates a small JPEG of an upright image.
    static func thumbnail(of image: CVPixelBuffer) throws(ImageError) -> Data {
        let codec = try JPEGCodec()
        let fullSize = try codec.encode(image, settings: thumbnailSettings)
        let longerSide = max(CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        guard longerSide > thumbnailSide else { return fullSize }
        return try codec.thumbnail(of: fullSize, maximumSide: thumbnailSide, settings: thumbnailSettings)
    }
}

extension EXIF.Moment {
    /// The date; nil if the components are not a valid date. Without a time zone offset, UTC is assumed.
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
