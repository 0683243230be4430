/// The memory layout of a pixel format.
///
/// A row of a plane is a sequence of blocks. A block stores `blockWidth` pixels of the plane in `bitsPerBlock` bits.
package struct PixelFormat: Sendable {
    /// One plane of a format; a packed format has one.
    package struct Plane: Sendable {
        /// Pixels of the plane in one block.
        package var blockWidth = 1
        /// Bits of one block.
        package var bitsPerBlock: Int
        /// The number of image columns per column of the plane.
        package var horizontalSubsampling = 1
        /// The number of image rows per row of the plane.
        package var verticalSubsampling = 1
        /// The minimum row alignment in bytes that the format requires.
        package var rowAlignment = 1
        /// The bytes of a black block.
        package var blackBlock: [UInt8]

        /// Returns the number of columns of the plane for an image of a width in pixels, rounded up.
        package func width(ofImage width: Int) -> Int { (width + horizontalSubsampling - 1) / horizontalSubsampling }
        /// Returns the number of rows of the plane for an image of a height in pixels, rounded up.
        package func height(ofImage height: Int) -> Int { (height + verticalSubsampling - 1) / verticalSubsampling }
        /// Returns the number of bytes of a row without padding, for a number of columns of the plane.
        package func byteCount(ofColumns columns: Int) -> Int {
            (((columns + blockWidth - 1) / blockWidth) * bitsPerBlock + 7) / 8
        }
    }

    /// The color model of the components.
    package enum Model: Sendable {
        case rgb, yCbCr, gray, senselArray, other
    }

    /// The range of the component values.
    package enum Range: String, Sendable {
        /// Luma 16…235 and chroma 16…240 with 8 bits; with more bits, these values times a power of two.
        case video = "VideoRange"
        /// All values.
        case full = "FullRange"
        /// Extended range, with values below 0 and above 1.
        case wide = "WideRange"
    }

    /// The four-character code.
    package let code: OSType
    /// The color model.
    package let model: Model
    /// The range of the color components; nil if the format does not define it. Alpha always has the full range.
    package let range: Range?
    /// Bits of one component.
    package let bitsPerComponent: Int
    /// Whether the format has an alpha component.
    package let hasAlpha: Bool
    /// Whether the format is planar; Core Video reports 0 planes for packed formats.
    package let isPlanar: Bool
    /// The planes in memory order; one for packed formats.
    package let planes: [Plane]

    /// Returns the format of a code; nil if it is unknown or has no fixed memory layout.
    package static func format(of code: OSType) -> PixelFormat? { table[code] }

    /// All known formats, sorted by code.
    package static let all: [PixelFormat] = table.values.sorted { $0.code < $1.code }

    private static let table: [OSType: PixelFormat] = Dictionary(
        uniqueKeysWithValues: (packed + planar).map { ($0.code, $0) })

    /// Returns a packed format.
    ///
    /// - Parameters:
    ///   - bits: Bits per block.
    ///   - component: Bits per component.
    ///   - black: The bytes of a black block; zeros by default.
    private static func packed(
        _ code: OSType, _ model: Model, bits: Int, component: Int, alpha: Bool = false, range: Range? = nil,
        blockWidth: Int = 1, rowAlignment: Int = 1, black: [UInt8] = []
    ) -> PixelFormat {
        let block = black.isEmpty ? [UInt8](repeating: 0, count: max(1, bits / 8)) : black
        let plane = Plane(blockWidth: blockWidth, bitsPerBlock: bits, rowAlignment: rowAlignment, blackBlock: block)
        return PixelFormat(
            code: code, model: model, range: range, bitsPerComponent: component, hasAlpha: alpha, isPlanar: false,
            planes: [plane])
    }

    private static let packed: [PixelFormat] = [
        packed(kCVPixelFormatType_1Monochrome, .gray, bits: 8, component: 1, blockWidth: 8),
        packed(kCVPixelFormatType_2Indexed, .other, bits: 8, component: 2, blockWidth: 4),
        packed(kCVPixelFormatType_4Indexed, .other, bits: 8, component: 4, blockWidth: 2),
        packed(kCVPixelFormatType_8Indexed, .other, bits: 8, component: 8),
        packed(kCVPixelFormatType_8IndexedGray_WhiteIsZero, .gray, bits: 8, component: 8, black: [255]),
        packed(kCVPixelFormatType_16BE555, .rgb, bits: 16, component: 5),
        packed(kCVPixelFormatType_16LE555, .rgb, bits: 16, component: 5),
        packed(kCVPixelFormatType_16LE5551, .rgb, bits: 16, component: 5, alpha: true, black: [1, 0]),
        packed(kCVPixelFormatType_16BE565, .rgb, bits: 16, component: 5),
        packed(kCVPixelFormatType_16LE565, .rgb, bits: 16, component: 5),
        packed(kCVPixelFormatType_24RGB, .rgb, bits: 24, component: 8),
        packed(kCVPixelFormatType_24BGR, .rgb, bits: 24, component: 8),
        packed(kCVPixelFormatType_32ARGB, .rgb, bits: 32, component: 8, alpha: true, black: [255, 0, 0, 0]),
        packed(kCVPixelFormatType_32BGRA, .rgb, bits: 32, component: 8, alpha: true, black: [0, 0, 0, 255]),
        packed(kCVPixelFormatType_32ABGR, .rgb, bits: 32, component: 8, alpha: true, black: [255, 0, 0, 0]),
        packed(kCVPixelFormatType_32RGBA, .rgb, bits: 32, component: 8, alpha: true, black: [0, 0, 0, 255]),
        packed(
            kCVPixelFormatType_64ARGB, .rgb, bits: 64, component: 16, alpha: true, black: [255, 255, 0, 0, 0, 0, 0, 0]),
        packed(
            kCVPixelFormatType_64RGBALE, .rgb, bits: 64, component: 16, alpha: true,
            black: [0, 0, 0, 0, 0, 0, 255, 255]),
        packed(kCVPixelFormatType_48RGB, .rgb, bits: 48, component: 16),
        packed(kCVPixelFormatType_32AlphaGray, .gray, bits: 32, component: 16, alpha: true, black: [255, 255, 0, 0]),
        packed(kCVPixelFormatType_16Gray, .gray, bits: 16, component: 16),
        packed(kCVPixelFormatType_30RGB, .rgb, bits: 32, component: 10, rowAlignment: 256),
        packed(kCVPixelFormatType_30RGBLEPackedWideGamut, .rgb, bits: 32, component: 10, range: .wide),
        packed(
            kCVPixelFormatType_ARGB2101010LEPacked, .rgb, bits: 32, component: 10, alpha: true, black: [0, 0, 0, 192]),
        packed(
            kCVPixelFormatType_64RGBAHalf, .rgb, bits: 64, component: 16, alpha: true,
            black: [0, 0, 0, 0, 0, 0, 0, 60]),
        packed(
            kCVPixelFormatType_128RGBAFloat, .rgb, bits: 128, component: 32, alpha: true,
            black: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63]),
        packed(
            kCVPixelFormatType_422YpCbCr8, .yCbCr, bits: 32, component: 8, range: .video, blockWidth: 2,
            black: [128, 16, 128, 16]),
        packed(
            kCVPixelFormatType_422YpCbCr8_yuvs, .yCbCr, bits: 32, component: 8, range: .video, blockWidth: 2,
            black: [16, 128, 16, 128]),
        packed(
            kCVPixelFormatType_422YpCbCr8FullRange, .yCbCr, bits: 32, component: 8, range: .full, blockWidth: 2,
            black: [0, 128, 0, 128]),
        packed(
            kCVPixelFormatType_4444YpCbCrA8, .yCbCr, bits: 32, component: 8, alpha: true, range: .video,
            black: [128, 16, 128, 255]),
        packed(
            kCVPixelFormatType_4444AYpCbCr8, .yCbCr, bits: 32, component: 8, alpha: true, range: .video,
            black: [255, 16, 128, 128]),
        packed(kCVPixelFormatType_444YpCbCr8, .yCbCr, bits: 24, component: 8, range: .video, black: [128, 16, 128]),
        packed(
            kCVPixelFormatType_422YpCbCr16, .yCbCr, bits: 64, component: 16, range: .video, blockWidth: 2,
            black: [0, 128, 0, 16, 0, 128, 0, 16]),
        packed(
            kCVPixelFormatType_422YpCbCr10, .yCbCr, bits: 128, component: 10, range: .video, blockWidth: 6,
            rowAlignment: 128,
            black: [0, 2, 1, 32, 64, 0, 8, 4, 0, 2, 1, 32, 64, 0, 8, 4]),
        packed(kCVPixelFormatType_OneComponent8, .gray, bits: 8, component: 8),
        packed(kCVPixelFormatType_TwoComponent8, .other, bits: 16, component: 8),
        packed(kCVPixelFormatType_OneComponent10, .gray, bits: 16, component: 10),
        packed(kCVPixelFormatType_OneComponent12, .gray, bits: 16, component: 12),
        packed(kCVPixelFormatType_OneComponent16, .gray, bits: 16, component: 16),
        packed(kCVPixelFormatType_TwoComponent16, .other, bits: 32, component: 16),
        packed(kCVPixelFormatType_OneComponent16Half, .gray, bits: 16, component: 16),
        packed(kCVPixelFormatType_OneComponent32Float, .gray, bits: 32, component: 32),
        packed(kCVPixelFormatType_TwoComponent16Half, .other, bits: 32, component: 16),
        packed(kCVPixelFormatType_TwoComponent32Float, .other, bits: 64, component: 32),
        packed(kCVPixelFormatType_14Bayer_GRBG, .senselArray, bits: 16, component: 14),
        packed(kCVPixelFormatType_14Bayer_RGGB, .senselArray, bits: 16, component: 14),
        packed(kCVPixelFormatType_14Bayer_BGGR, .senselArray, bits: 16, component: 14),
        packed(kCVPixelFormatType_14Bayer_GBRG, .senselArray, bits: 16, component: 14),
        packed(kCVPixelFormatType_16VersatileBayer, .senselArray, bits: 16, component: 16),
        packed(kCVPixelFormatType_DisparityFloat16, .gray, bits: 16, component: 16),
        packed(kCVPixelFormatType_DisparityFloat32, .gray, bits: 32, component: 32),
        packed(kCVPixelFormatType_DepthFloat16, .gray, bits: 16, component: 16),
        packed(kCVPixelFormatType_DepthFloat32, .gray, bits: 32, component: 32),
    ]

    /// Returns a format with luma in one plane and both chroma components in a second plane.
    ///
    /// - Parameters:
    ///   - bits: Bits per component.
    ///   - subsampling: The number of image columns and rows per chroma sample.
    private static func biPlanar(
        _ code: OSType, _ range: Range, bits: Int, subsampling: (columns: Int, rows: Int)
    ) -> PixelFormat {
        let bytes = bits > 8 ? 2 : 1
        // Samples of more than 8 bits are stored in the upper bits of little-endian 16-bit words.
        let luma: [UInt8] = range == .video ? [16] : [0]
        let lumaBlock = bytes == 1 ? luma : [0] + luma
        let chromaBlock: [UInt8] = bytes == 1 ? [128, 128] : [0, 128, 0, 128]
        return PixelFormat(
            code: code, model: .yCbCr, range: range, bitsPerComponent: bits, hasAlpha: false, isPlanar: true,
            planes: [
                Plane(bitsPerBlock: 8 * bytes, blackBlock: lumaBlock),
                Plane(
                    bitsPerBlock: 16 * bytes, horizontalSubsampling: subsampling.columns,
                    verticalSubsampling: subsampling.rows,
                    blackBlock: chromaBlock),
            ])
    }

    /// Returns an 8-bit 4:2:0 format with luma and both chroma components in three planes.
    private static func triPlanar(_ code: OSType, _ range: Range) -> PixelFormat {
        let chroma = Plane(bitsPerBlock: 8, horizontalSubsampling: 2, verticalSubsampling: 2, blackBlock: [128])
        return PixelFormat(
            code: code, model: .yCbCr, range: range, bitsPerComponent: 8, hasAlpha: false, isPlanar: true,
            planes: [Plane(bitsPerBlock: 8, blackBlock: range == .video ? [16] : [0]), chroma, chroma])
    }

    private static let planar: [PixelFormat] = [
        triPlanar(kCVPixelFormatType_420YpCbCr8Planar, .video),
        triPlanar(kCVPixelFormatType_420YpCbCr8PlanarFullRange, .full),
        biPlanar(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .video, bits: 8, subsampling: (2, 2)),
        biPlanar(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .full, bits: 8, subsampling: (2, 2)),
        biPlanar(kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, .video, bits: 8, subsampling: (2, 1)),
        biPlanar(kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, .full, bits: 8, subsampling: (2, 1)),
        biPlanar(kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, .video, bits: 8, subsampling: (1, 1)),
        biPlanar(kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, .full, bits: 8, subsampling: (1, 1)),
        biPlanar(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, .video, bits: 10, subsampling: (2, 2)),
        biPlanar(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, .video, bits: 10, subsampling: (2, 1)),
        biPlanar(kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, .video, bits: 10, subsampling: (1, 1)),
        biPlanar(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, .full, bits: 10, subsampling: (2, 2)),
        biPlanar(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, .full, bits: 10, subsampling: (2, 1)),
        biPlanar(kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, .full, bits: 10, subsampling: (1, 1)),
        biPlanar(kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange, .video, bits: 16, subsampling: (2, 1)),
        biPlanar(kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange, .video, bits: 16, subsampling: (1, 1)),
    ]
}
