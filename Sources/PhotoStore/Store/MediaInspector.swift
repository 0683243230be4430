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
    /// The manufacturer and the name of the camera; nil if the file does not contain them.
    var cameraMake: String?
    var cameraModel: String?
    /// The name of the lens; nil if the file does not contain it.
    var lensModel: String?
    /// The identifier of the burst that the photo belongs to; nil for all others.
    var burstIdentifier: String?
    /// The subtypes that the file's metadata indicate.
    var subtypes: PHAssetMediaSubtype = []
    /// A small upright JPEG; empty if the photo or the video cannot be decoded.
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
        let start = try file.data(at: 0, byteCount: MediaKind.startByteCount)
        try file.close()
        let kind = MediaKind(start: start)
        guard !start.isEmpty else { throw PHPhotosError.invalidResource(resource.displayName, "it is empty") }
        do {
            switch (resource.type, kind) {
            case (.alternatePhoto, .rawPhoto):
                return MediaProperties(kind: kind)
            case (.photo, _) where kind.resourceType == .photo, (.photoProxy, _) where kind.resourceType == .photo,
                (.alternatePhoto, _) where kind.resourceType == .photo:
                return try photoProperties(storage.data(of: url), kind)
            case (.video, .quickTime), (.video, .mpeg4), (.video, .avi), (.video, .matroska),
                (.pairedVideo, .quickTime), (.pairedVideo, .mpeg4):
                return try movieProperties(url, kind, storage)
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
        case .photo, .photoProxy: "it is not a JPEG, PNG, HEIF, WebP or DNG image"
        case .alternatePhoto: "it is not a DNG, JPEG, PNG, HEIF or WebP image"
        case .video: "it is not a QuickTime, MPEG-4, AVI or Matroska movie"
        case .pairedVideo: "it is not a QuickTime or MPEG-4 movie"
        default: "resources of the type \(type) are not supported"
        }
    }

    /// Reads the properties of a photo. Only the header must be intact: the library stores the file as it is.
    private func photoProperties(_ data: Data, _ kind: MediaKind) throws(ImageError) -> MediaProperties {
        guard let file = PhotoFile(data) else { throw ImageError(.damaged, "it is not a photo") }
        let size = try file.size()
        guard file.hasImageData else { throw ImageError(.damaged, "its header is damaged: no image data follows it") }
        let metadata = file.metadata
        let swapsSides = metadata.orientation?.rotation.swapsWidthAndHeight ?? false
        return MediaProperties(
            kind: kind, pixelWidth: swapsSides ? size.height : size.width,
            pixelHeight: swapsSides ? size.width : size.height, creationDate: file.creationTime?.date,
            location: metadata.location?.ifKnown, cameraMake: metadata.make?.trimmed,
            cameraModel: metadata.model?.trimmed, lensModel: metadata.lensModel?.trimmed,
            burstIdentifier: AppleMakerNote(file)?.text(.burstIdentifier),
            subtypes: PHAssetMediaSubtype(metadata).union(hasDepthMap(file) ? .photoDepthEffect : []),
            thumbnail: try thumbnail(of: file, metadata))
    }

    /// Whether the file contains a depth map that can be decoded.
    private func hasDepthMap(_ file: PhotoFile) -> Bool { (try? file.auxiliaryImage(.depth)) != nil }

    /// Creates the thumbnail of a photo: from its image, otherwise from the small image in its metadata. Empty if
    /// neither can be decoded.
    private func thumbnail(of file: PhotoFile, _ metadata: EXIF) throws(ImageError) -> Data {
        do throws(ImageError) {
            return try decodedThumbnail(of: file, metadata.orientation ?? .up)
        } catch {
            switch error.code {
            // The library also stores photos that are damaged or cannot be displayed here.
            case .damaged, .unsupportedFormat, .tooLarge: break
            case .outOfMemory, .inaccessible, .invalidGeometry, .invalidInput: throw error
            }
        }
        guard let small = metadata.thumbnail.flatMap({ PhotoFile($0) }) else { return Data() }
        return (try? decodedThumbnail(of: small, metadata.orientation ?? .up)) ?? Data()
    }

    private func decodedThumbnail(
        of file: PhotoFile, _ orientation: CGImagePropertyOrientation
    ) throws(ImageError) -> Data {
        if file.format == .jpeg {
            // Decoding at a smaller scale is faster.
            return try JPEGCodec().thumbnail(
                of: file.data, maximumSide: Self.thumbnailSide, orientation: orientation,
                settings: Self.thumbnailSettings)
        }
        return try Self.thumbnail(of: upright(file.decoded().opaquePixels(), orientation))
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

    /// Reads the properties of a movie. One frame must be decodable or, if there is no decoder for the video, the index
    /// intact: the library stores the file as it is.
    private func movieProperties(
        _ url: URL, _ kind: MediaKind, _ storage: any CaptureStorage
    ) throws -> MediaProperties {
        let frame: MovieFrame
        do throws(MovieFrameError) {
            frame = try MovieFrame(of: url)
        } catch {
            guard let movie = try UndecodableMovie(of: url, in: storage) else { throw error }
            return MediaProperties(
                kind: kind, pixelWidth: Int(movie.dimensions.width), pixelHeight: Int(movie.dimensions.height),
                duration: movie.duration, creationDate: movie.creationDate, location: movie.location?.ifKnown,
                cameraMake: movie.cameraMake?.trimmed, cameraModel: movie.cameraModel?.trimmed)
        }
        return MediaProperties(
            kind: kind, pixelWidth: CVPixelBufferGetWidth(frame.pixels),
            pixelHeight: CVPixelBufferGetHeight(frame.pixels), duration: frame.duration,
            creationDate: frame.creationDate, location: frame.location?.ifKnown,
            cameraMake: frame.cameraMake?.trimmed, cameraModel: frame.cameraModel?.trimmed,
            subtypes: frame.hasHighFrameRate ? .videoHighFrameRate : [],
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

extension PHAssetMediaSubtype {
    /// The subtypes of a photo with these metadata, which Apple's phones write: the tag CustomRendered has values beyond
    /// those of the standard, and the comment of a screenshot is "Screenshot".
    fileprivate init(_ metadata: EXIF) {
        var subtypes: PHAssetMediaSubtype = []
        switch metadata.additional[kCGImagePropertyExifCustomRendered as String] {
        case .integers([2]), .integers([3]): subtypes = .photoHDR
        case .integers([6]): subtypes = .photoPanorama
        case .integers([7]): subtypes = [.photoHDR, .photoDepthEffect]
        case .integers([8]): subtypes = .photoDepthEffect
        default: break
        }
        if metadata.additional[kCGImagePropertyExifUserComment as String] == .text("Screenshot") {
            subtypes.insert(.photoScreenshot)
        }
        self = subtypes
    }
}

extension EXIF.Location {
    /// The location; nil for exactly 0, 0, which devices write without a position, and outside the Earth's range.
    fileprivate var ifKnown: EXIF.Location? {
        let isKnown = (latitude != 0 || longitude != 0) && abs(latitude) <= 90 && abs(longitude) <= 180
        return isKnown ? self : nil
    }
}

extension String {
    /// The text without spaces at its ends, with which cameras fill fields; nil if nothing remains.
    fileprivate var trimmed: String? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
