import CLinuxDevices
import CaptureHAL
import MediaTypes

/// A picture encoding of V4L2 as the rest of the system knows it.
///
/// Most are handed on as they lie in the driver's memory; see "Image Formats" of the V4L2 API.
struct V4L2PixelFormat: Sendable, Hashable {
    /// How the planes of one picture lie.
    enum Layout: Sendable, Hashable {
        /// One plane of so many bytes a pixel.
        case packed(bytesPerPixel: Int)
        /// Luma, then Cb and Cr interleaved at half size in both directions.
        case semiPlanar
        /// Luma, then two chroma planes at half size in both directions; `crFirst` tells their order in memory.
        case planar(crFirst: Bool)
        /// No pixels.
        case compressed
    }

    let fourcc: UInt32
    let layout: Layout
    /// Whether every plane has a buffer of its own (the `…M` formats), rather than all lying in one.
    var isSplit = false
    /// The code of the pixels in video range, or of the codec.
    let code: OSType
    /// The code of the pixels in full range, where there is another.
    var fullRangeCode: OSType?
    /// What must be done before anything else can read the pixels; `code` tells what comes out, `layout` what goes in.
    var unpacking: V4L2Unpacking?

    /// The number of driver buffers that hold one picture.
    var memoryPlaneCount: Int {
        guard isSplit else { return 1 }
        switch layout {
        case .semiPlanar: return 2
        case .planar: return 3
        case .packed, .compressed: return 1
        }
    }

    func encoding(isFullRange: Bool) -> VideoStreamFormat.Encoding {
        if layout == .compressed { return .compressed(code) }
        return .pixels(isFullRange ? fullRangeCode ?? code : code)
    }

    static let all: [V4L2PixelFormat] = [
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_YUYV, layout: .packed(bytesPerPixel: 2),
            code: kCVPixelFormatType_422YpCbCr8_yuvs, fullRangeCode: kCVPixelFormatType_422YpCbCr8FullRange),
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_UYVY, layout: .packed(bytesPerPixel: 2),
            code: kCVPixelFormatType_422YpCbCr8),
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_NV12, layout: .semiPlanar,
            code: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            fullRangeCode: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_NV12M, layout: .semiPlanar, isSplit: true,
            code: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            fullRangeCode: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
        planar(clinuxdevices_V4L2_PIX_FMT_YUV420, crFirst: false, isSplit: false),
        planar(clinuxdevices_V4L2_PIX_FMT_YUV420M, crFirst: false, isSplit: true),
        planar(clinuxdevices_V4L2_PIX_FMT_YVU420, crFirst: true, isSplit: false),
        planar(clinuxdevices_V4L2_PIX_FMT_YVU420M, crFirst: true, isSplit: true),
        packed(clinuxdevices_V4L2_PIX_FMT_RGB24, 3, kCVPixelFormatType_24RGB),
        packed(clinuxdevices_V4L2_PIX_FMT_BGR24, 3, kCVPixelFormatType_24BGR),
        packed(clinuxdevices_V4L2_PIX_FMT_ABGR32, 4, kCVPixelFormatType_32BGRA),
        packed(clinuxdevices_V4L2_PIX_FMT_ARGB32, 4, kCVPixelFormatType_32ARGB),
        packed(clinuxdevices_V4L2_PIX_FMT_RGBA32, 4, kCVPixelFormatType_32RGBA),
        packed(clinuxdevices_V4L2_PIX_FMT_GREY, 1, kCVPixelFormatType_OneComponent8),
        swappedSemiPlanar(clinuxdevices_V4L2_PIX_FMT_NV21, isSplit: false),
        swappedSemiPlanar(clinuxdevices_V4L2_PIX_FMT_NV21M, isSplit: true),
        unpacked(clinuxdevices_V4L2_PIX_FMT_RGB565, 2, .rgb565),
        unpacked(clinuxdevices_V4L2_PIX_FMT_SBGGR8, 1, .bayer(redColumn: 1, redRow: 1)),
        unpacked(clinuxdevices_V4L2_PIX_FMT_SGBRG8, 1, .bayer(redColumn: 0, redRow: 1)),
        unpacked(clinuxdevices_V4L2_PIX_FMT_SGRBG8, 1, .bayer(redColumn: 1, redRow: 0)),
        unpacked(clinuxdevices_V4L2_PIX_FMT_SRGGB8, 1, .bayer(redColumn: 0, redRow: 0)),
        compressed(clinuxdevices_V4L2_PIX_FMT_MJPEG, kCMVideoCodecType_JPEG),
        compressed(clinuxdevices_V4L2_PIX_FMT_JPEG, kCMVideoCodecType_JPEG),
        compressed(clinuxdevices_V4L2_PIX_FMT_H264, kCMVideoCodecType_H264),
        compressed(clinuxdevices_V4L2_PIX_FMT_HEVC, kCMVideoCodecType_HEVC),
    ]

    static func format(_ fourcc: UInt32) -> V4L2PixelFormat? { all.first { $0.fourcc == fourcc } }

    private static func planar(_ fourcc: UInt32, crFirst: Bool, isSplit: Bool) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .planar(crFirst: crFirst), isSplit: isSplit,
            code: kCVPixelFormatType_420YpCbCr8Planar,
            fullRangeCode: kCVPixelFormatType_420YpCbCr8PlanarFullRange)
    }

    private static func packed(_ fourcc: UInt32, _ bytes: Int, _ code: OSType) -> V4L2PixelFormat {
        V4L2PixelFormat(fourcc: fourcc, layout: .packed(bytesPerPixel: bytes), code: code)
    }

    private static func swappedSemiPlanar(_ fourcc: UInt32, isSplit: Bool) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .semiPlanar, isSplit: isSplit,
            code: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            fullRangeCode: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, unpacking: .crFirst)
    }

    private static func unpacked(_ fourcc: UInt32, _ bytes: Int, _ unpacking: V4L2Unpacking) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .packed(bytesPerPixel: bytes), code: kCVPixelFormatType_32BGRA,
            unpacking: unpacking)
    }

    private static func compressed(_ fourcc: UInt32, _ code: OSType) -> V4L2PixelFormat {
        V4L2PixelFormat(fourcc: fourcc, layout: .compressed, code: code)
    }
}
