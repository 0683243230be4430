import CPixelKernels
package import MediaTypes

/// The memory layout of an image. Components have 8 bits unless stated otherwise.
package enum PixelLayout: Sendable, Hashable {
    /// A Y' plane, then a plane of interleaved Cb and Cr at half the width and height.
    case biplanar420
    /// Planes of Y', Cb and Cr, the last two at half the width and height.
    case planar420
    /// Pairs of pixels as Cb Y' Cr Y', or as Y' Cb Y' Cr if `startsWithLuma`.
    case packed422(startsWithLuma: Bool)
    /// Like `biplanar420`, with 10 bits per component in the upper bits of little-endian 16-bit words.
    case biplanar420x10
    /// Like `biplanar420x10`, with chroma at half the width and the full height.
    case biplanar422x10
    /// R'G'B' with three or four bytes per pixel.
    case rgb(PixelOrder)
    /// One full-range component.
    case gray

    /// The number of planes.
    package var planeCount: Int {
        switch self {
        case .biplanar420, .biplanar420x10, .biplanar422x10: 2
        case .planar420: 3
        case .packed422, .rgb, .gray: 1
        }
    }

    /// The alignment of the left and top edges of a cropped image, in pixels.
    var alignment: (x: Int, y: Int) {
        switch self {
        case .biplanar420, .biplanar420x10, .planar420: (2, 2)
        case .biplanar422x10, .packed422: (2, 1)
        case .rgb, .gray: (1, 1)
        }
    }

    var isYCbCr: Bool {
        switch self {
        case .biplanar420, .biplanar420x10, .biplanar422x10, .planar420, .packed422: true
        case .rgb, .gray: false
        }
    }

    /// Whether components have 10 bits.
    package var hasTenBits: Bool { self == .biplanar420x10 || self == .biplanar422x10 }

    /// Returns the bytes per row and the number of rows of a plane of an image of the given size.
    package func planeSize(_ plane: Int, width: Int, height: Int) -> (byteCount: Int, rows: Int) {
        switch self {
        case .biplanar420: plane == 0 ? (width, height) : ((width + 1) / 2 * 2, (height + 1) / 2)
        case .biplanar420x10: plane == 0 ? (2 * width, height) : ((width + 1) / 2 * 4, (height + 1) / 2)
        case .biplanar422x10: plane == 0 ? (2 * width, height) : ((width + 1) / 2 * 4, height)
        case .planar420: plane == 0 ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
        case .packed422: ((width + 1) / 2 * 4, height)
        case .rgb(let order): (width * order.byteCount, height)
        case .gray: (width, height)
        }
    }
}

/// The number of bytes of an R'G'B' pixel and the byte position of each component.
package struct PixelOrder: Sendable, Hashable {
    package var byteCount: Int
    package var red: Int
    package var green: Int
    package var blue: Int

    /// The byte position of alpha; nil for pixels of three bytes. The four positions add up to 6.
    var alpha: Int? { byteCount == 4 ? 6 - red - green - blue : nil }

    package static let bgra = PixelOrder(byteCount: 4, red: 2, green: 1, blue: 0)
    package static let rgba = PixelOrder(byteCount: 4, red: 0, green: 1, blue: 2)
    package static let argb = PixelOrder(byteCount: 4, red: 1, green: 2, blue: 3)
    package static let abgr = PixelOrder(byteCount: 4, red: 3, green: 2, blue: 1)
    package static let rgb = PixelOrder(byteCount: 3, red: 0, green: 1, blue: 2)
    package static let bgr = PixelOrder(byteCount: 3, red: 2, green: 1, blue: 0)

    var kernelOrder: cpixel_rgb_order {
        cpixel_rgb_order(byte_count: Int32(byteCount), red: Int32(red), green: Int32(green), blue: Int32(blue))
    }
}

extension PixelLayout {
    /// Returns the layout of a `kCVPixelFormatType_…` and whether it uses the full value range; nil for unsupported
    /// formats.
    package static func of(pixelFormat: OSType) -> (layout: PixelLayout, isFullRange: Bool)? {
        switch pixelFormat {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (.biplanar420, false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (.biplanar420, true)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: (.biplanar420x10, false)
        case kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: (.biplanar420x10, true)
        case kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: (.biplanar422x10, false)
        case kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: (.biplanar422x10, true)
        case kCVPixelFormatType_420YpCbCr8Planar: (.planar420, false)
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange: (.planar420, true)
        case kCVPixelFormatType_422YpCbCr8: (.packed422(startsWithLuma: false), false)
        case kCVPixelFormatType_422YpCbCr8_yuvs: (.packed422(startsWithLuma: true), false)
        case kCVPixelFormatType_422YpCbCr8FullRange: (.packed422(startsWithLuma: true), true)
        case kCVPixelFormatType_32BGRA: (.rgb(.bgra), true)
        case kCVPixelFormatType_32RGBA: (.rgb(.rgba), true)
        case kCVPixelFormatType_32ARGB: (.rgb(.argb), true)
        case kCVPixelFormatType_32ABGR: (.rgb(.abgr), true)
        case kCVPixelFormatType_24RGB: (.rgb(.rgb), true)
        case kCVPixelFormatType_24BGR: (.rgb(.bgr), true)
        case kCVPixelFormatType_OneComponent8: (.gray, true)
        default: nil
        }
    }

    /// The pixel formats with 8 bits per component that `PixelConverter` reads and writes.
    package static let pixelFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
        kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange,
        kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32ABGR, kCVPixelFormatType_24RGB,
        kCVPixelFormatType_24BGR, kCVPixelFormatType_OneComponent8,
    ]

    /// The pixel formats with 10 bits per component that `PixelConverter` reads and writes.
    package static let tenBitPixelFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
        kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange,
    ]
}
