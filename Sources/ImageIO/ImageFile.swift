import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The contents of a JPEG or PNG file.
struct ImageFile {
    /// A format that is read and written; the raw value is its uniform type identifier.
    enum Format: String, CaseIterable {
        case jpeg = "public.jpeg"
        case png = "public.png"
    }

    let data: Data
    let format: Format

    /// Detects the format from the first bytes; nil for other formats.
    init?(_ data: Data) {
        if data.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
        } else if data.starts(with: PNGChunks.signature) {
            format = .png
        } else {
            return nil
        }
        self.data = data
    }

    /// The metadata; nil if there is none or it cannot be read.
    var exif: EXIF? { EXIF(file: data) }

    /// Width and height in pixels; nil if the header is damaged.
    var size: (width: Int, height: Int)? {
        switch format {
        case .jpeg: (try? JPEGCodec().header(of: data)).map { ($0.width, $0.height) }
        case .png: PNGChunks(data)?.size
        }
    }

    /// Decodes the image without applying its orientation; nil if the data is damaged.
    func image() -> CGImage? {
        switch format {
        case .jpeg:
            (try? JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels)
                .map { CGImage(pixelBuffer: $0) }
        case .png:
            (try? PNGCodec().decodeWithAlpha(data)).map { CGImage(pixelBuffer: $0.pixels, hasAlpha: $0.hasAlpha) }
        }
    }

    /// The properties under Image I/O's keys; nil if the header is damaged.
    var properties: [String: Any]? {
        guard let size else { return nil }
        var result = exif?.imageProperties ?? [:]
        result[kCGImagePropertyPixelWidth] = size.width
        result[kCGImagePropertyPixelHeight] = size.height
        result[kCGImagePropertyDepth] = 8
        result[kCGImagePropertyColorModel] = "RGB"
        if format == .png { result[kCGImagePropertyHasAlpha] = PNGChunks(data)?.hasAlpha ?? false }
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
                image.pixels(on: background), settings: JPEGCodec.Settings(quality: percent))
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
