import CLinuxDevices
import MediaTypes

/// Y'CbCr formats.
extension V4L2PixelFormat {
    static let yCbCr420: [V4L2PixelFormat] = [
        semiPlanar(clinuxdevices_V4L2_PIX_FMT_NV12), semiPlanar(clinuxdevices_V4L2_PIX_FMT_NV12M, isSplit: true),
        planar420(clinuxdevices_V4L2_PIX_FMT_YUV420, crFirst: false),
        planar420(clinuxdevices_V4L2_PIX_FMT_YUV420M, crFirst: false, isSplit: true),
        planar420(clinuxdevices_V4L2_PIX_FMT_YVU420, crFirst: true),
        planar420(clinuxdevices_V4L2_PIX_FMT_YVU420M, crFirst: true, isSplit: true),
        semiPlanar(clinuxdevices_V4L2_PIX_FMT_NV21, unpacking: .swapChroma),
        semiPlanar(clinuxdevices_V4L2_PIX_FMT_NV21M, isSplit: true, unpacking: .swapChroma),
        semiPlanar(clinuxdevices_V4L2_PIX_FMT_P010, bytesPerSample: 2, unpacking: .upperBytes),
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_P010, layout: .semiPlanar(.by420, bytesPerSample: 2),
            code: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
            fullRangeCode: kCVPixelFormatType_420YpCbCr10BiPlanarFullRange),
    ]

    private static func semiPlanar(
        _ fourcc: UInt32, bytesPerSample: Int = 1, isSplit: Bool = false, unpacking: V4L2Unpacking? = nil
    ) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .semiPlanar(.by420, bytesPerSample: bytesPerSample), isSplit: isSplit,
            code: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            fullRangeCode: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, unpacking: unpacking)
    }

    private static func planar420(_ fourcc: UInt32, crFirst: Bool, isSplit: Bool = false) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .planar(.by420, crFirst: crFirst), isSplit: isSplit,
            code: kCVPixelFormatType_420YpCbCr8Planar, fullRangeCode: kCVPixelFormatType_420YpCbCr8PlanarFullRange)
    }

    static let packedYCbCr422: [V4L2PixelFormat] = [
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_YUYV, layout: .packed422, code: kCVPixelFormatType_422YpCbCr8_yuvs,
            fullRangeCode: kCVPixelFormatType_422YpCbCr8FullRange),
        V4L2PixelFormat(
            fourcc: clinuxdevices_V4L2_PIX_FMT_UYVY, layout: .packed422, code: kCVPixelFormatType_422YpCbCr8),
        // The numbers are byte offsets.
        repacked(clinuxdevices_V4L2_PIX_FMT_YVYU, .packed422, .packed422(y: 0, cb: 3, cr: 1)),
        repacked(clinuxdevices_V4L2_PIX_FMT_VYUY, .packed422, .packed422(y: 1, cb: 2, cr: 0)),
    ]

    static let yCbCr444And422: [V4L2PixelFormat] = converted + converted32Bit + unconvertedSemiPlanar

    /// Planar and semi-planar 4:2:2 and 4:4:4, and packed 24-bit 4:4:4; converted to packed 4:2:2.
    private static let converted: [V4L2PixelFormat] = [
        repacked(clinuxdevices_V4L2_PIX_FMT_NV16, .semiPlanar(.by422, bytesPerSample: 1), .semiPlanar(.by422)),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_NV16M, .semiPlanar(.by422, bytesPerSample: 1), .semiPlanar(.by422),
            isSplit: true),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_NV61, .semiPlanar(.by422, bytesPerSample: 1),
            .semiPlanar(.by422, crFirst: true)),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_NV61M, .semiPlanar(.by422, bytesPerSample: 1),
            .semiPlanar(.by422, crFirst: true), isSplit: true),
        repacked(clinuxdevices_V4L2_PIX_FMT_NV24, .semiPlanar(.by444, bytesPerSample: 1), .semiPlanar(.by444)),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_NV42, .semiPlanar(.by444, bytesPerSample: 1),
            .semiPlanar(.by444, crFirst: true)),
        repacked(clinuxdevices_V4L2_PIX_FMT_YUV422P, .planar(.by422, crFirst: false), .planar(.by422)),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_YUV422M, .planar(.by422, crFirst: false), .planar(.by422), isSplit: true),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_YVU422M, .planar(.by422, crFirst: true), .planar(.by422), isSplit: true),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_YUV444M, .planar(.by444, crFirst: false), .planar(.by444), isSplit: true),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_YVU444M, .planar(.by444, crFirst: true), .planar(.by444), isSplit: true),
        repacked(
            clinuxdevices_V4L2_PIX_FMT_YUV24, .packed(bytesPerPixel: 3), .packed444(y: 0, cb: 1, cr: 2, step: 3)),
    ]

    /// Packed 32-bit 4:4:4, converted to packed 4:2:2. The numbers are the byte offsets of Y', Cb and Cr.
    private static let converted32Bit: [V4L2PixelFormat] = [
        (clinuxdevices_V4L2_PIX_FMT_YUV32, 1, 2, 3), (clinuxdevices_V4L2_PIX_FMT_AYUV32, 1, 2, 3),
        (clinuxdevices_V4L2_PIX_FMT_XYUV32, 1, 2, 3), (clinuxdevices_V4L2_PIX_FMT_VUYA32, 2, 1, 0),
        (clinuxdevices_V4L2_PIX_FMT_VUYX32, 2, 1, 0), (clinuxdevices_V4L2_PIX_FMT_YUVA32, 0, 1, 2),
        (clinuxdevices_V4L2_PIX_FMT_YUVX32, 0, 1, 2),
    ].map { fourcc, y, cb, cr in
        repacked(fourcc, .packed(bytesPerPixel: 4), .packed444(y: y, cb: cb, cr: cr, step: 4))
    }

    /// Semi-planar formats for clients that request them without conversion.
    private static let unconvertedSemiPlanar: [V4L2PixelFormat] = [
        unconverted(
            clinuxdevices_V4L2_PIX_FMT_NV16, .by422, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
            kCVPixelFormatType_422YpCbCr8BiPlanarFullRange),
        unconverted(
            clinuxdevices_V4L2_PIX_FMT_NV16M, .by422, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
            kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, isSplit: true),
        unconverted(
            clinuxdevices_V4L2_PIX_FMT_NV24, .by444, kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange,
            kCVPixelFormatType_444YpCbCr8BiPlanarFullRange),
    ]

    private static func repacked(
        _ fourcc: UInt32, _ layout: Layout, _ components: V4L2Unpacking.ComponentLayout, isSplit: Bool = false
    ) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: layout, isSplit: isSplit, code: kCVPixelFormatType_422YpCbCr8_yuvs,
            fullRangeCode: kCVPixelFormatType_422YpCbCr8FullRange, unpacking: .repack(components))
    }

    private static func unconverted(
        _ fourcc: UInt32, _ subsampling: Subsampling, _ code: OSType, _ fullRangeCode: OSType, isSplit: Bool = false
    ) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .semiPlanar(subsampling, bytesPerSample: 1), isSplit: isSplit, code: code,
            fullRangeCode: fullRangeCode)
    }
}
