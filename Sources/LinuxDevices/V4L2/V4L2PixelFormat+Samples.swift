import CLinuxDevices
import MediaTypes

/// Formats with one sample per pixel: gray and Bayer.
extension V4L2PixelFormat {
    static let gray: [V4L2PixelFormat] =
        [packed(clinuxdevices_V4L2_PIX_FMT_GREY, 1, kCVPixelFormatType_OneComponent8)]
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y10, .words(bits: 10), kCVPixelFormatType_OneComponent10)
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y10P, .mipi(bits: 10), kCVPixelFormatType_OneComponent10)
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y12, .words(bits: 12), kCVPixelFormatType_OneComponent12)
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y14, .words(bits: 14), kCVPixelFormatType_OneComponent16)
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y16, .words(bits: 16), kCVPixelFormatType_OneComponent16)
        + deepGray(clinuxdevices_V4L2_PIX_FMT_Y16_BE, .swappedWords(bits: 16), kCVPixelFormatType_OneComponent16)

    /// Creates two formats: converted to 8 bits, and with all bits, which Core Video stores in the upper bits of words.
    private static func deepGray(
        _ fourcc: UInt32, _ samples: V4L2Unpacking.Samples, _ code: OSType
    ) -> [V4L2PixelFormat] {
        let isCoreVideoLayout = samples == .words(bits: 16)
        return [
            V4L2PixelFormat(
                fourcc: fourcc, layout: samples.layout, code: kCVPixelFormatType_OneComponent8,
                unpacking: .gray8(samples)),
            V4L2PixelFormat(
                fourcc: fourcc, layout: samples.layout, code: code,
                unpacking: isCoreVideoLayout ? nil : .gray16(samples)),
        ]
    }

    static let bayer: [V4L2PixelFormat] =
        bayerOrders(
            .bytes, clinuxdevices_V4L2_PIX_FMT_SBGGR8, clinuxdevices_V4L2_PIX_FMT_SGBRG8,
            clinuxdevices_V4L2_PIX_FMT_SGRBG8, clinuxdevices_V4L2_PIX_FMT_SRGGB8)
        + bayerOrders(
            .words(bits: 10), clinuxdevices_V4L2_PIX_FMT_SBGGR10, clinuxdevices_V4L2_PIX_FMT_SGBRG10,
            clinuxdevices_V4L2_PIX_FMT_SGRBG10, clinuxdevices_V4L2_PIX_FMT_SRGGB10)
        + bayerOrders(
            .mipi(bits: 10), clinuxdevices_V4L2_PIX_FMT_SBGGR10P, clinuxdevices_V4L2_PIX_FMT_SGBRG10P,
            clinuxdevices_V4L2_PIX_FMT_SGRBG10P, clinuxdevices_V4L2_PIX_FMT_SRGGB10P)
        + bayerOrders(
            .words(bits: 12), clinuxdevices_V4L2_PIX_FMT_SBGGR12, clinuxdevices_V4L2_PIX_FMT_SGBRG12,
            clinuxdevices_V4L2_PIX_FMT_SGRBG12, clinuxdevices_V4L2_PIX_FMT_SRGGB12)
        + bayerOrders(
            .mipi(bits: 12), clinuxdevices_V4L2_PIX_FMT_SBGGR12P, clinuxdevices_V4L2_PIX_FMT_SGBRG12P,
            clinuxdevices_V4L2_PIX_FMT_SGRBG12P, clinuxdevices_V4L2_PIX_FMT_SRGGB12P)
        + bayerOrders(
            .words(bits: 14), clinuxdevices_V4L2_PIX_FMT_SBGGR14, clinuxdevices_V4L2_PIX_FMT_SGBRG14,
            clinuxdevices_V4L2_PIX_FMT_SGRBG14, clinuxdevices_V4L2_PIX_FMT_SRGGB14)
        + bayerOrders(
            .mipi(bits: 14), clinuxdevices_V4L2_PIX_FMT_SBGGR14P, clinuxdevices_V4L2_PIX_FMT_SGBRG14P,
            clinuxdevices_V4L2_PIX_FMT_SGRBG14P, clinuxdevices_V4L2_PIX_FMT_SRGGB14P)
        + bayerOrders(
            .words(bits: 16), clinuxdevices_V4L2_PIX_FMT_SBGGR16, clinuxdevices_V4L2_PIX_FMT_SGBRG16,
            clinuxdevices_V4L2_PIX_FMT_SGRBG16, clinuxdevices_V4L2_PIX_FMT_SRGGB16)
        + [
            packed(clinuxdevices_V4L2_PIX_FMT_SBGGR14, 2, kCVPixelFormatType_14Bayer_BGGR),
            packed(clinuxdevices_V4L2_PIX_FMT_SGBRG14, 2, kCVPixelFormatType_14Bayer_GBRG),
            packed(clinuxdevices_V4L2_PIX_FMT_SGRBG14, 2, kCVPixelFormatType_14Bayer_GRBG),
            packed(clinuxdevices_V4L2_PIX_FMT_SRGGB14, 2, kCVPixelFormatType_14Bayer_RGGB),
        ]

    private static func bayerOrders(
        _ samples: V4L2Unpacking.Samples, _ bggr: UInt32, _ gbrg: UInt32, _ grbg: UInt32, _ rggb: UInt32
    ) -> [V4L2PixelFormat] {
        [(bggr, 1, 1), (gbrg, 0, 1), (grbg, 1, 0), (rggb, 0, 0)].map { fourcc, column, row in
            V4L2PixelFormat(
                fourcc: fourcc, layout: samples.layout, code: kCVPixelFormatType_32BGRA,
                unpacking: .bayer(samples, redColumn: column, redRow: row))
        }
    }
}
