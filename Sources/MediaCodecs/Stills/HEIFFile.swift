import Foundation
import PixelKernels

/// The primary image of a HEIF file: its size and metadata (ISO/IEC 23008-12; ISO/IEC 14496-12, 8.11).
struct HEIFFile {
    /// Width and height in pixels, after the crop and the rotation of the item's properties.
    let size: (width: Int, height: Int)
    /// Whether the image has the colors of Display P3.
    let isDisplayP3: Bool
    /// Whether an auxiliary image contains the alpha of the primary image.
    let hasAlpha: Bool
    /// The EXIF block as stored in JPEG files; nil if there is none.
    let exifData: Data?
    /// The text of the XMP packet; nil if there is none.
    let xmp: Data?
    /// The items and the XMP packets of the auxiliary images, by type.
    let auxiliaryImages: [String: (number: Int, xmp: Data?)]

    /// Returns the brands of a file of images; nil for other files, such as movies.
    ///
    /// - Parameter start: The first bytes of the file.
    static func brands(start: Data) -> [String]? {
        let bytes = [UInt8](start)
        guard bytes.count >= 12 else { return nil }
        func code(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        guard code(4) == "ftyp" else { return nil }
        let byteCount = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let compatible = stride(from: 16, through: min(byteCount, bytes.count) - 4, by: 4).map(code)
        let images = ["heic", "heix", "heim", "heis", "hevc", "hevx", "avif", "avis", "mif1", "mif2", "msf1"]
        let major = code(8)
        // Movies can also be compatible with image brands, but their own brand is the major one.
        guard images.contains(major) || major == "miaf" else { return nil }
        return [major] + compatible
    }

    /// Parses a file.
    ///
    /// - Throws: `.damaged` if it has no primary image.
    init(_ data: Data) throws(ImageError) {
        let bytes = [UInt8](data)
        guard let meta = ByteReader(bytes).boxes().first(where: { $0.type == "meta" }) else {
            throw ImageError(.damaged, "the HEIF file has no description of its images")
        }
        let items: HEIFItems
        do throws(ByteReader.UnexpectedEnd) {
            items = try HEIFItems(meta)
        } catch {
            throw ImageError(.damaged, "the description of the HEIF file's images ends at byte \(error.offset)")
        }
        guard let size = items.size(of: items.primary) else {
            throw ImageError(.damaged, "the HEIF file has no primary image")
        }
        self.size = size
        isDisplayP3 = items.isDisplayP3
        hasAlpha = items.hasAlpha
        // The item has the offset of the TIFF header, then usually `Exif` and two zeros.
        exifData = items.data(ofItem: items.metadata(type: "Exif"), in: bytes).flatMap { item in
            guard item.count > 4 else { return nil }
            let offset = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard offset <= item.count - 4 else { return nil }
            return EXIFBlock.signature + item.dropFirst(4 + offset)
        }
        xmp = items.data(ofItem: items.metadata(type: "mime", contentType: HEIFItems.xmpType), in: bytes)
        // The first image of a type.
        auxiliaryImages = items.auxiliaryImages.reversed().reduce(into: [:]) { images, image in
            images[image.type] = (image.item, items.data(ofItem: items.xmp(of: image.item), in: bytes))
        }
    }
}
