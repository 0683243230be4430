import Foundation
import PixelKernels

/// The images and the metadata of a DNG file.
struct DNGFile {
    /// Width and height of the RAW image in pixels, before the orientation is applied.
    let size: (width: Int, height: Int)
    /// Whether the samples of the RAW image are in the file, not cut off.
    let hasImageData: Bool
    /// The EXIF block as stored in JPEG files.
    let exifData: Data
    /// The text of the XMP packet; nil if there is none.
    let xmp: Data?
    /// The largest processed version of the photo, as a JPEG file; nil if there is none.
    let preview: Data?

    /// Parses a file; nil if it is not a DNG file, or if it contains no RAW image.
    init?(_ data: Data) {
        guard let root = TIFFDirectory(file: data), root[.dngVersion] != nil else { return nil }
        let images = [root] + (root.subdirectories[TIFFDirectory.Tag.subdirectories.rawValue] ?? [])
        // The type 0 is an image of full resolution; it is the default.
        let raw = images.first { ($0.integers(.newSubfileType).first ?? 0) == 0 && Self.size(of: $0) != nil }
        guard let raw, let size = Self.size(of: raw) else { return nil }
        self.size = size
        hasImageData = raw.image != nil || raw.entries[Self.tileOffsets] != nil
        let previews = images.filter {
            ($0.integers(.newSubfileType).first ?? 0) & 1 == 1 && $0.image?.starts(with: [0xFF, 0xD8, 0xFF]) ?? false
        }
        preview = previews.max { (Self.size(of: $0)?.width ?? 0) < (Self.size(of: $1)?.width ?? 0) }?.image
        xmp = root[.xmp]?.data
        exifData = EXIFBlock.signature + Self.metadata(root).fileData()
    }

    private static let tileOffsets: UInt16 = 324

    /// Whether a file is a TIFF file, as DNG files are.
    ///
    /// - Parameter start: The first bytes of the file.
    static func isTIFF(start: Data) -> Bool {
        start.starts(with: Data("II*\0".utf8)) || start.starts(with: Data("MM\0*".utf8))
    }

    private static func size(of directory: TIFFDirectory) -> (width: Int, height: Int)? {
        let crop = directory.integers(.defaultCropSize)
        let size = crop.count == 2 ? crop : directory.integers(.imageWidth) + directory.integers(.imageHeight)
        return size.count == 2 && size[0] > 0 && size[1] > 0 ? (size[0], size[1]) : nil
    }

    /// Returns the directories of EXIF, without images and without the tags that describe them.
    private static func metadata(_ root: TIFFDirectory) -> TIFFDirectory {
        var metadata = root
        metadata.image = nil
        for tag in [TIFFDirectory.Tag.stripOffsets, .stripByteCounts, .xmp] { metadata[tag] = nil }
        metadata.entries = metadata.entries.filter { $0.key < TIFFDirectory.Tag.dngVersion.rawValue }
        metadata.subdirectories[TIFFDirectory.Tag.subdirectories.rawValue] = nil
        return metadata
    }
}
