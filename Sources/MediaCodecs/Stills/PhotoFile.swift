import CEXIF
package import Foundation
package import MediaTypes
package import PixelKernels

/// The contents of a photo file: JPEG, PNG, HEIF, WebP or DNG.
///
/// Header and metadata are read without decoding the image, and as far as they are intact.
package struct PhotoFile {
    /// The format of a file.
    package enum Format: Sendable, CaseIterable {
        case jpeg
        case png
        /// HEIF with an HEVC image (ISO/IEC 23008-12).
        case heic
        /// HEIF with an AV1 image.
        case avif
        case webP
        /// A RAW image (Adobe Digital Negative).
        case dng

        /// Detects the format of a file.
        ///
        /// - Parameter start: The first bytes; 64 are sufficient.
        /// - Returns: nil for other formats.
        package init?(start: Data) {
            if start.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if start.starts(with: PNGChunks.signature) {
                self = .png
            } else if let brands = HEIFFile.brands(start: start) {
                self = brands.contains { ["avif", "avis"].contains($0) } ? .avif : .heic
            } else if WebPFile.isWebP(start: start) {
                self = .webP
            } else if DNGFile.isTIFF(start: start) {
                self = .dng
            } else {
                return nil
            }
        }

        /// The uniform type identifier.
        package var uniformTypeIdentifier: String {
            switch self {
            case .jpeg: "public.jpeg"
            case .png: "public.png"
            case .heic: "public.heic"
            case .avif: "public.avif"
            case .webP: "org.webmproject.webp"
            case .dng: "com.adobe.raw-image"
            }
        }

        package var fileExtension: String {
            switch self {
            case .jpeg: "jpg"
            case .png: "png"
            case .heic: "heic"
            case .avif: "avif"
            case .webP: "webp"
            case .dng: "dng"
            }
        }
    }

    /// The parsed header and metadata.
    enum Contents {
        case jpeg(JPEGSegments)
        case png(PNGChunks)
        case heif(HEIFFile)
        case webP(WebPFile)
        case dng(DNGFile)
        /// The header is damaged.
        case damaged(ImageError)
    }

    /// A decoded image.
    package struct Image {
        /// 32BGRA with premultiplied alpha.
        package let pixels: CVPixelBuffer
        package let hasAlpha: Bool

        /// Returns the pixels without alpha; transparent ones are on white.
        package func opaquePixels() throws(ImageError) -> CVPixelBuffer {
            hasAlpha ? try pixels.onBackground() : pixels
        }
    }

    package let data: Data
    package let format: Format
    let contents: Contents

    /// Parses a file; nil if it has another format, which includes TIFF files that are not DNG files.
    package init?(_ data: Data) {
        guard let format = Format(start: data.prefix(64)) else { return nil }
        self.data = data
        self.format = format
        switch format {
        case .jpeg:
            contents = JPEGSegments(readable: data).map { .jpeg($0) } ?? .damaged(Self.damaged("JPEG"))
        case .png:
            contents = PNGChunks(data).map { .png($0) } ?? .damaged(Self.damaged("PNG"))
        case .heic, .avif:
            do throws(ImageError) {
                contents = .heif(try HEIFFile(data))
            } catch {
                contents = .damaged(error)
            }
        case .webP:
            contents = WebPFile(data).map { .webP($0) } ?? .damaged(Self.damaged("WebP"))
        case .dng:
            guard let file = DNGFile(data) else { return nil }
            contents = .dng(file)
        }
    }

    private static func damaged(_ format: String) -> ImageError {
        ImageError(.damaged, "it has the signature of a \(format) image, but its header is damaged or missing")
    }

    /// Width and height in pixels, before `metadata.orientation` is applied.
    ///
    /// - Throws: `.damaged` if the header is damaged or incomplete.
    package func size() throws(ImageError) -> (width: Int, height: Int) {
        switch contents {
        case .jpeg(let segments):
            guard let size = segments.size else { throw Self.damaged("JPEG") }
            return size
        case .png(let chunks):
            guard chunks.size.width > 0, chunks.size.height > 0 else { throw Self.damaged("PNG") }
            return chunks.size
        case .heif(let file): return file.size
        case .webP(let file): return file.size
        case .dng(let file): return file.size
        case .damaged(let error): throw error
        }
    }

    /// Whether image data follows the header, even if it is incomplete.
    package var hasImageData: Bool {
        switch contents {
        case .jpeg(let segments): segments.hasImageData
        case .png(let chunks): chunks.hasImageData
        case .heif: true
        case .webP(let file): file.hasImageData
        case .dng(let file): file.hasImageData
        case .damaged: false
        }
    }

    /// Whether the image has an alpha channel, or colors are transparent.
    package var hasAlpha: Bool {
        switch contents {
        case .png(let chunks): chunks.hasAlpha
        case .heif(let file): file.hasAlpha
        case .webP(let file): file.hasAlpha
        case .jpeg, .dng, .damaged: false
        }
    }

    // MARK: Metadata

    private var exifData: Data? {
        switch contents {
        case .jpeg(let segments): segments.exifData
        case .png(let chunks): chunks.exifData
        case .heif(let file): file.exifData
        case .webP(let file): file.exifData
        case .dng(let file): file.exifData
        case .damaged: nil
        }
    }

    /// The EXIF block; nil if there is none, or if it cannot be read.
    var exifBlock: EXIFBlock? { exifData.flatMap { try? EXIFBlock(encoded: $0) } }

    var xmp: XMPPacket? {
        switch contents {
        case .jpeg(let segments): segments.xmp.map { XMPPacket($0) }
        case .png(let chunks): chunks.xmp.map { XMPPacket($0) }
        case .heif(let file): file.xmp.map { XMPPacket($0) }
        case .webP(let file): file.xmp.map { XMPPacket($0) }
        case .dng(let file): file.xmp.map { XMPPacket($0) }
        case .damaged: nil
        }
    }

    /// Returns the dates of the EXIF block, and for those that it lacks the dates of the XMP packet.
    private func dates(_ xmp: XMPPacket?) -> PhotoDates {
        var dates = exifBlock.map { PhotoDates($0) } ?? PhotoDates()
        if let xmp { dates.add(PhotoDates(xmp)) }
        return dates
    }

    /// The EXIF block, and for properties that it lacks those of the XMP packet. Data that cannot be read is ignored.
    package var metadata: EXIF {
        var metadata = exifData.flatMap { try? EXIF(encoded: $0) } ?? EXIF()
        if let xmp {
            metadata.make = metadata.make ?? xmp.value(.tiff, "Make")
            metadata.model = metadata.model ?? xmp.value(.tiff, "Model")
            metadata.location = metadata.location ?? xmp.location
            metadata.orientation =
                metadata.orientation
                ?? xmp.value(.tiff, "Orientation").flatMap { UInt32($0) }
                .flatMap { CGImagePropertyOrientation(rawValue: $0) }
            metadata.originalTime = dates(xmp).recorded
        }
        // The properties of the item determine the orientation, not the metadata (ISO/IEC 23000-22, 7.3.6.7).
        if case .heif = contents { metadata.orientation = nil }
        return metadata
    }

    /// The maker note of the EXIF block, as the camera wrote it.
    package var makerNote: Data? {
        exifBlock?.bytes(EXIF_TAG_MAKER_NOTE, in: EXIF_IFD_EXIF)
    }

    /// The moment of the shot: the first that is known of DateTimeOriginal, DateTimeDigitized and DateTime, each in the
    /// EXIF block, then in the XMP packet, then in the chunks of a PNG file; otherwise the date of GPS.
    package var creationTime: EXIF.Moment? {
        var dates = dates(xmp)
        if case .png(let chunks) = contents { dates.add(PhotoDates(chunks)) }
        return dates.creation
    }

    // MARK: Decoding

    /// Whether the colors are those of Display P3, by the color profile or by the primaries.
    package var isDisplayP3: Bool {
        switch contents {
        case .jpeg(let segments): segments.colorProfile.map(ICCProfile.isDisplayP3) ?? false
        case .heif(let file): file.isDisplayP3
        case .png, .webP, .dng, .damaged: false
        }
    }

    /// Converts the colors of a decoded image to sRGB if they are those of Display P3.
    private func inSRGB(_ image: Image) throws(ImageError) -> Image {
        if isDisplayP3 { try WideColor.convertToSRGB(image.pixels) }
        return image
    }

    /// Decodes the image without applying its orientation. Colors of Display P3 are converted to sRGB; other color profiles
    /// are ignored. Missing parts of a truncated JPEG image are gray. The image of
    /// a DNG file is the processed version in it.
    ///
    /// - Throws: `.damaged`, `.unsupportedFormat`, also without the library of the format, `.tooLarge` or
    ///   `.outOfMemory`.
    package func decoded() throws(ImageError) -> Image {
        switch contents {
        case .jpeg:
            let image = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA)
            return try inSRGB(Image(pixels: image.pixels, hasAlpha: false))
        case .png:
            let image = try PNGCodec().decodeWithAlpha(data)
            return Image(pixels: image.pixels, hasAlpha: image.hasAlpha)
        case .heif: return try inSRGB(HEIFDecoder.decode(data))
        case .webP(let file): return try WebPDecoder.decode(file)
        case .dng(let file):
            guard let preview = file.preview else {
                throw ImageError(.unsupportedFormat, "the DNG file contains no processed image")
            }
            let image = try JPEGCodec().decode(preview, pixelFormat: kCVPixelFormatType_32BGRA)
            return Image(pixels: image.pixels, hasAlpha: false)
        case .damaged(let error): throw error
        }
    }

    /// Decodes the small version of the image in the file without applying its orientation: the thumbnail of the EXIF
    /// block, or that of a HEIF file. Nil if there is none.
    ///
    /// - Throws: As `decoded()`.
    package func decodedThumbnail() throws(ImageError) -> Image? {
        // The thumbnail of the EXIF block has no color profile of its own, but the colors of the image.
        if let small = metadata.thumbnail.flatMap({ PhotoFile($0) }) {
            return small.isDisplayP3 ? try small.decoded() : try inSRGB(small.decoded())
        }
        guard case .heif = contents, let image = try HEIFDecoder.decodeThumbnail(data) else { return nil }
        return try inSRGB(image)
    }
}
