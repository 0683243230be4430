import CLinuxDevices
import MediaTypes

/// RGB formats.
extension V4L2PixelFormat {
    /// The formats with 24 and 32 bits per pixel.
    static let rgb24And32: [V4L2PixelFormat] = [
        packed(clinuxdevices_V4L2_PIX_FMT_RGB24, 3, kCVPixelFormatType_24RGB),
        packed(clinuxdevices_V4L2_PIX_FMT_BGR24, 3, kCVPixelFormatType_24BGR),
        packed(clinuxdevices_V4L2_PIX_FMT_ABGR32, 4, kCVPixelFormatType_32BGRA),
        packed(clinuxdevices_V4L2_PIX_FMT_ARGB32, 4, kCVPixelFormatType_32ARGB),
        packed(clinuxdevices_V4L2_PIX_FMT_RGBA32, 4, kCVPixelFormatType_32RGBA),
        packed(clinuxdevices_V4L2_PIX_FMT_BGRA32, 4, kCVPixelFormatType_32ABGR),
        // One byte of each pixel is undefined, so the alpha must be set to opaque. The numbers are byte offsets.
        toBGRA(clinuxdevices_V4L2_PIX_FMT_XBGR32, 4, .rgb32(red: 2, green: 1, blue: 0)),
        toBGRA(clinuxdevices_V4L2_PIX_FMT_BGR32, 4, .rgb32(red: 2, green: 1, blue: 0)),
        toBGRA(clinuxdevices_V4L2_PIX_FMT_BGRX32, 4, .rgb32(red: 3, green: 2, blue: 1)),
        toBGRA(clinuxdevices_V4L2_PIX_FMT_XRGB32, 4, .rgb32(red: 1, green: 2, blue: 3)),
        toBGRA(clinuxdevices_V4L2_PIX_FMT_RGB32, 4, .rgb32(red: 1, green: 2, blue: 3)),
        toBGRA(clinuxdevices_V4L2_PIX_FMT_RGBX32, 4, .rgb32(red: 0, green: 1, blue: 2)),
    ]

    /// The formats with 16 bits per pixel: converted to BGRA, and without conversion.
    static let rgb16: [V4L2PixelFormat] =
        rgb16Components.flatMap { fourccs, components in fourccs.map { toBGRA($0, 2, .rgb16(components)) } }
        + unconvertedRGB16

    /// The bits of each component in a pixel's 16-bit value. Bit 0 is the least significant. Big-endian values are
    /// swapped first. An alpha is ignored. Source: "RGB Formats" of the kernel's V4L2 documentation.
    private static let rgb16Components: [([UInt32], V4L2Unpacking.RGB16)] = [
        ([clinuxdevices_V4L2_PIX_FMT_RGB565], .init(red: 11...15, green: 5...10, blue: 0...4)),
        ([clinuxdevices_V4L2_PIX_FMT_RGB565X], .init(red: 11...15, green: 5...10, blue: 0...4, isBigEndian: true)),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_RGB555, clinuxdevices_V4L2_PIX_FMT_ARGB555,
                clinuxdevices_V4L2_PIX_FMT_XRGB555,
            ], .init(red: 10...14, green: 5...9, blue: 0...4)
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_RGB555X, clinuxdevices_V4L2_PIX_FMT_ARGB555X,
                clinuxdevices_V4L2_PIX_FMT_XRGB555X,
            ], .init(red: 10...14, green: 5...9, blue: 0...4, isBigEndian: true)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_RGBA555, clinuxdevices_V4L2_PIX_FMT_RGBX555],
            .init(red: 11...15, green: 6...10, blue: 1...5)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_ABGR555, clinuxdevices_V4L2_PIX_FMT_XBGR555],
            .init(red: 0...4, green: 5...9, blue: 10...14)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_BGRA555, clinuxdevices_V4L2_PIX_FMT_BGRX555],
            .init(red: 1...5, green: 6...10, blue: 11...15)
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_RGB444, clinuxdevices_V4L2_PIX_FMT_ARGB444,
                clinuxdevices_V4L2_PIX_FMT_XRGB444,
            ], .init(red: 8...11, green: 4...7, blue: 0...3)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_RGBA444, clinuxdevices_V4L2_PIX_FMT_RGBX444],
            .init(red: 12...15, green: 8...11, blue: 4...7)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_ABGR444, clinuxdevices_V4L2_PIX_FMT_XBGR444],
            .init(red: 0...3, green: 4...7, blue: 8...11)
        ),
        (
            [clinuxdevices_V4L2_PIX_FMT_BGRA444, clinuxdevices_V4L2_PIX_FMT_BGRX444],
            .init(red: 4...7, green: 8...11, blue: 12...15)
        ),
    ]

    /// The formats that Core Video has codes for, for clients that request them without conversion.
    private static let unconvertedRGB16: [V4L2PixelFormat] = [
        packed(clinuxdevices_V4L2_PIX_FMT_RGB565, 2, kCVPixelFormatType_16LE565),
        packed(clinuxdevices_V4L2_PIX_FMT_RGB565X, 2, kCVPixelFormatType_16BE565),
        packed(clinuxdevices_V4L2_PIX_FMT_RGB555, 2, kCVPixelFormatType_16LE555),
        packed(clinuxdevices_V4L2_PIX_FMT_XRGB555, 2, kCVPixelFormatType_16LE555),
        packed(clinuxdevices_V4L2_PIX_FMT_RGB555X, 2, kCVPixelFormatType_16BE555),
        packed(clinuxdevices_V4L2_PIX_FMT_XRGB555X, 2, kCVPixelFormatType_16BE555),
        packed(clinuxdevices_V4L2_PIX_FMT_RGBA555, 2, kCVPixelFormatType_16LE5551),
    ]

    static func packed(_ fourcc: UInt32, _ bytes: Int, _ code: OSType) -> V4L2PixelFormat {
        V4L2PixelFormat(fourcc: fourcc, layout: .packed(bytesPerPixel: bytes), code: code)
    }

    private static func toBGRA(_ fourcc: UInt32, _ bytes: Int, _ unpacking: V4L2Unpacking) -> V4L2PixelFormat {
        V4L2PixelFormat(
            fourcc: fourcc, layout: .packed(bytesPerPixel: bytes), code: kCVPixelFormatType_32BGRA,
            unpacking: unpacking)
    }
}
