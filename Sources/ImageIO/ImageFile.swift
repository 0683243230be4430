import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The contents of a file with one image.
struct ImageFile {
    /// A format that is written; the raw value is its uniform type identifier.
    enum Format: String, CaseIterable {
        case jpeg = "public.jpeg"
        case png = "public.png"
    }

    /// The uniform type identifiers of the formats that are read.
    static var readableTypes: [String] { PhotoFile.Format.allCases.map(\.uniformTypeIdentifier) }

    private let file: PhotoFile

    /// Detects the format from the first bytes; nil for formats that are not read.
    init?(_ data: Data) {
        guard let file = PhotoFile(data) else { return nil }
        self.file = file
    }

    var data: Data { file.data }

    /// The uniform type identifier.
    var type: String { file.format.uniformTypeIdentifier }

    /// The metadata; nil if there is none or it cannot be read.
    var exif: EXIF? {
        let metadata = file.metadata
        return metadata == EXIF() ? nil : metadata
    }

    /// Width and height in pixels; nil if the header is damaged.
    var size: (width: Int, height: Int)? { try? file.size() }

    /// Decodes the image without applying its orientation; nil if the data is damaged.
    func image() -> CGImage? {
        (try? file.decoded()).map { CGImage(pixelBuffer: $0.pixels, hasAlpha: $0.hasAlpha) }
    }

    /// Decodes the thumbnail in the file without applying its orientation; nil if there is none or it is damaged.
    func thumbnail() -> CGImage? {
        guard let image = try? file.decodedThumbnail() else { return nil }
        return CGImage(pixelBuffer: image.pixels, hasAlpha: image.hasAlpha)
    }

    /// Decodes the first auxiliary image of a kind; nil if there is none or it is damaged.
    func auxiliaryImage(_ kind: HEIFPhoto.AuxiliaryImage.Kind) -> PhotoFile.AuxiliaryImage? {
        try? file.auxiliaryImage(kind)
    }

    /// The properties under Image I/O's keys; nil if the header is damaged.
    var properties: [String: Any]? {
        guard let size else { return nil }
        var result = exif?.imageProperties ?? [:]
        result[kCGImagePropertyPixelWidth] = size.width
        result[kCGImagePropertyPixelHeight] = size.height
        result[kCGImagePropertyDepth] = 8
        result[kCGImagePropertyColorModel] = "RGB"
        if file.format != .jpeg { result[kCGImagePropertyHasAlpha] = file.hasAlpha }
        return result
    }

    /// Encodes an image with metadata.
    ///
    /// - Parameters:
    ///   - quality: From 0 (smallest) to 1 (best), for JPEG.
    ///   - background: The color behind transparent pixels, for JPEG.
    static func encode(
        _ image: CGImage, as format: Format, quality: Double, background: CGColor, exif: EXIF
    ) throws(ImageError) -> Data {
        switch format {
        case .jpeg:
            let percent = Int((min(max(quality, 0), 1) * 99).rounded()) + 1
            let data = try JPEGCodec().encode(
                image.opaquePixels(on: background), settings: JPEGCodec.Settings(quality: percent))
            return try replacing(exif, in: data, format)
        case .png:
            let data =
                image.alphaInfo == .premultipliedFirst
                ? try PNGCodec().encodeWithAlpha(image.pixelBuffer) : try PNGCodec().encode(image.pixelBuffer)
            return try replacing(exif, in: data, format)
        }
    }

    /// Returns the contents of a file with its metadata replaced; the image data is not changed.
    static func replacing(_ exif: EXIF, in data: Data, _ format: Format) throws(ImageError) -> Data {
        let exif = exif == EXIF() ? nil : exif
        switch format {
        case .jpeg:
            var segments = try JPEGSegments(data)
            try segments.setEXIF(exif)
            return segments.data
        case .png:
            guard var chunks = PNGChunks(data) else {
                throw ImageError(.damaged, "the PNG data has no complete chunks")
            }
            try chunks.setEXIF(exif)
            return chunks.data
        }
    }

    /// Returns the upright and scaled version of an image that is stored in `orientation`.
    ///
    /// - Parameter maximumSide: The maximum length of the longer side in pixels; nil for the original size.
    /// - Returns: nil if memory cannot be allocated.
    static func scale(
        _ image: CGImage, maximumSide: Int?, orientation: CGImagePropertyOrientation
    ) -> CGImage? {
        let transform = PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
        let size = transform.naturalSize(width: image.width, height: image.height)
        let longer = max(size.width, size.height)
        let side = min(max(maximumSide ?? longer, 1), longer)
        func scaled(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
        guard
            let result = CVPixelBuffer(
                width: scaled(size.width), height: scaled(size.height), pixelFormat: kCVPixelFormatType_32BGRA),
            (try? PixelConverter().convert(image.pixelBuffer, to: result, transform)) != nil
        else { return nil }
        return CGImage(pixelBuffer: result, hasAlpha: image.alphaInfo == .premultipliedFirst)
    }
}

extension CGImage {
    /// Returns the pixels of an opaque image; otherwise a new 32BGRA buffer with the image on a color. The alpha of the
    /// color is ignored.
    fileprivate func opaquePixels(on background: CGColor) throws(ImageError) -> CVPixelBuffer {
        guard alphaInfo == .premultipliedFirst else { return pixelBuffer }
        return try pixelBuffer.onBackground(background.redGreenBlue)
    }
}

extension CGColor {
    /// Red, green and blue from 0 to 255.
    fileprivate var redGreenBlue: (red: Int, green: Int, blue: Int) {
        let colors = (components ?? []).dropLast().map { Int((min(1, max(0, $0)) * 255).rounded()) }
        guard colors.count == 3 else {
            let gray = colors.first ?? 0
            return (gray, gray, gray)
        }
        return (colors[0], colors[1], colors[2])
    }
}
