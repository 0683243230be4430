import Foundation
package import MediaTypes
import PixelKernels

/// An image in HEVC, as an item of a HEIF file: one coded picture, or a grid of them for large images and odd sizes.
package struct HEIFPicture: Sendable {
    /// A coded picture: its `HEVCDecoderConfigurationRecord`, and its NAL units, each after its length in four bytes.
    struct Tile: Sendable, Hashable {
        var configuration: Data
        var data: Data
    }

    /// Width and height of the image in pixels.
    let width: Int
    let height: Int
    /// Width and height of each tile; those in the last column and row can extend beyond the image.
    let tileWidth: Int
    let tileHeight: Int
    /// The tiles by rows, from the top left.
    let tiles: [Tile]
    /// The colors; nil for an image with one component.
    let color: ColorDescription?
    /// The bits of each component: 8 or 10.
    let bitsPerComponent: Int

    /// Whether the image is a grid: a single tile that extends beyond the image is one, too.
    var isGrid: Bool { tiles.count > 1 || tileWidth != width || tileHeight != height }

    /// The number of tiles in a row.
    var columnCount: Int { (width + tileWidth - 1) / tileWidth }

    /// The side of the largest image without tiles, in pixels. Level 6 of HEVC, the highest of HEIF's brand `MiHB`,
    /// permits 35,651,584 pixels (ITU-T H.265, table A.8).
    static let maximumSide = 4096
    /// The maximum side of the tiles of larger images.
    static let maximumTileSide = 2048

    /// Compresses an image with the fastest preset of x265, to 10 bits per component if it has 10, otherwise to 8.
    ///
    /// Colors are stored in 4:2:0 with the full range, and keep their primaries. With 8 bits, the matrix is that of BT.601,
    /// as in JPEG files; with 10 bits, it is that of the image. HLG and PQ are converted to a standard dynamic range with 8
    /// bits.
    /// - Parameters:
    ///   - pixels: An image in any format that `PixelConverter` reads. 'L008' results in an image with one component.
    ///   - quality: From 0 (smallest) to 1 (best).
    /// - Throws: `.invalidSettings` for the size, `.codecUnavailable`, `.formatMismatch` or `.codecFailed`.
    package init(encoding pixels: CVPixelBuffer, quality: Double) throws(EncodingError) {
        let (width, height) = (pixels.width, pixels.height)
        let isMonochrome = pixels.pixelFormat == kCVPixelFormatType_OneComponent8
        // Chroma is subsampled, and x265 has a smallest size.
        let fitsCoding = isMonochrome || (width % 2 == 0 && height % 2 == 0 && min(width, height) >= 16)
        let hasTiles = max(width, height) > Self.maximumSide || !fitsCoding
        (self.width, self.height) = (width, height)
        tileWidth = hasTiles ? Self.tileSide(of: width) : width
        tileHeight = hasTiles ? Self.tileSide(of: height) : height
        var color = ColorDescription.bt601(isFullRange: true)
        let source: CVPixelBuffer
        do throws(ImageError) {
            let converter = PixelConverter()
            let standard = try pixels.inStandardDynamicRange(converter)
            color.primaries = ColorDescription(of: standard).primaries
            if standard.format.model == .yCbCr, standard.format.bitsPerComponent > 8 {
                color.matrix = ColorDescription(of: standard).matrix
                bitsPerComponent = 10
            } else {
                bitsPerComponent = 8
            }
            source =
                hasTiles && !isMonochrome ? try Self.tileSource(of: standard, bitsPerComponent, converter) : standard
        } catch {
            throw EncodingError(.formatMismatch, error.description)
        }
        // The transfer function of sRGB, which JPEG files without a color profile have too.
        color.transfer = 13
        self.color = isMonochrome ? nil : color
        var settings = VideoEncoderSettings(
            codec: .hevc, dimensions: CMVideoDimensions(width: Int32(tileWidth), height: Int32(tileHeight)),
            color: color, quality: quality, maximumKeyFrameInterval: 1)
        settings.isStillPicture = true
        settings.isMonochrome = isMonochrome
        settings.bitsPerComponent = bitsPerComponent
        guard hasTiles else {
            tiles = [try Self.encode(source, settings)]
            return
        }
        var tiles: [Tile] = []
        for y in stride(from: 0, to: height, by: tileHeight) {
            for x in stride(from: 0, to: width, by: tileWidth) {
                guard let tile = Self.tile(of: source, x: x, y: y, width: tileWidth, height: tileHeight) else {
                    throw EncodingError(.codecFailed, "memory ran out while encoding an image of \(width)x\(height)")
                }
                tiles.append(try Self.encode(tile, settings))
            }
        }
        self.tiles = tiles
    }

    /// Returns the side of the tiles into which a side of an image is divided: a multiple of 8, the smallest coding
    /// block.
    private static func tileSide(of side: Int) -> Int {
        let count = (side + maximumTileSide - 1) / maximumTileSide
        return max(16, ((side + count - 1) / count + 7) / 8 * 8)
    }

    private static func encode(
        _ pixels: CVPixelBuffer, _ settings: VideoEncoderSettings
    ) throws(EncodingError) -> Tile {
        let encoder = try VideoEncoder(settings)
        let samples = try encoder.encode(pixels, at: .zero, duration: settings.expectedFrameDuration) + encoder.finish()
        guard let sample = samples.first else {
            throw EncodingError(.codecFailed, "the HEVC encoder returned no picture")
        }
        return Tile(configuration: encoder.format.configuration, data: sample.data)
    }

    /// Returns an image in the format in which it is divided into tiles: with a plane for each component and the matrix of
    /// BT.601, or with 10 bits, two planes and the matrix of the image.
    private static func tileSource(
        of pixels: CVPixelBuffer, _ bitsPerComponent: Int, _ converter: PixelConverter
    ) throws(ImageError) -> CVPixelBuffer {
        let format =
            bitsPerComponent > 8
            ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8PlanarFullRange
        guard let result = CVPixelBuffer(width: pixels.width, height: pixels.height, pixelFormat: format) else {
            throw ImageError(.outOfMemory, "memory ran out while dividing an image into tiles")
        }
        if bitsPerComponent == 8 {
            CVBufferSetAttachment(
                result, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
        }
        try converter.convert(pixels, to: result)
        return result
    }

    /// Copies a part of an image; the last column and row are repeated beyond its edges. Nil if out of memory.
    private static func tile(of image: CVPixelBuffer, x: Int, y: Int, width: Int, height: Int) -> CVPixelBuffer? {
        guard let tile = CVPixelBuffer(width: width, height: height, pixelFormat: image.pixelFormat) else { return nil }
        tile.attachments = image.attachments
        for index in tile.planes.indices {
            image.withPlane(index) { source in
                tile.withPlane(index) { target in
                    let (left, top) = (x * target.width / width, y * target.height / height)
                    let columns = min(target.width, source.width - left)
                    // One component of a byte; with 10 bits, one or two of two bytes.
                    let size = image.format.bitsPerComponent > 8 ? (index == 0 ? 2 : 4) : 1
                    for row in 0..<target.height {
                        let line =
                            source.baseAddress + min(top + row, source.height - 1) * source.bytesPerRow + left * size
                        let copy = target.baseAddress + row * target.bytesPerRow
                        copy.copyMemory(from: line, byteCount: columns * size)
                        for column in columns..<max(columns, target.width) {
                            (copy + column * size).copyMemory(from: line + (columns - 1) * size, byteCount: size)
                        }
                    }
                }
            }
        }
        return tile
    }
}
