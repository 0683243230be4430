import MediaTypes
import PixelKernels
import XCTest

/// An image as R'G'B' triples of 0 … 255, row by row.
struct ReferenceImage: Equatable {
    struct Color: Equatable {
        var red: Double
        var green: Double
        var blue: Double
    }

    var width: Int
    var height: Int
    var pixels: [Color]

    init(width: Int, height: Int, _ color: (Int, Int) -> Color) {
        self.width = width
        self.height = height
        pixels = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    }

    subscript(x: Int, y: Int) -> Color { pixels[y * width + x] }

    /// Random colors in squares of 2x2 pixels, so that chroma subsampling is lossless.
    static func squares(width: Int, height: Int, seed: UInt64) -> ReferenceImage {
        var generator = SplitMix64(seed: seed)
        let columns = (width + 1) / 2
        let colors = (0..<columns * ((height + 1) / 2)).map { _ in
            Color(
                red: Double(Int.random(in: 0...255, using: &generator)),
                green: Double(Int.random(in: 0...255, using: &generator)),
                blue: Double(Int.random(in: 0...255, using: &generator)))
        }
        return ReferenceImage(width: width, height: height) { x, y in colors[y / 2 * columns + x / 2] }
    }

    /// Returns the image rotated clockwise by a number of degrees, then mirrored.
    func rotated(_ degrees: Int, isMirrored: Bool) -> ReferenceImage {
        let swaps = degrees % 180 != 0
        let (newWidth, newHeight) = swaps ? (height, width) : (width, height)
        return ReferenceImage(width: newWidth, height: newHeight) { x, y in
            let x = isMirrored ? newWidth - 1 - x : x
            switch degrees {
            case 90: return self[y, height - 1 - x]
            case 180: return self[width - 1 - x, height - 1 - y]
            case 270: return self[width - 1 - y, x]
            default: return self[x, y]
            }
        }
    }

    func cropped(x: Int, y: Int, width: Int, height: Int) -> ReferenceImage {
        ReferenceImage(width: width, height: height) { self[$0 + x, $1 + y] }
    }

    /// Returns the luma only, with the weights of a matrix.
    func gray(_ weights: (red: Double, blue: Double)) -> ReferenceImage {
        ReferenceImage(width: width, height: height) { x, y in
            let color = self[x, y]
            let luma =
                weights.red * color.red + (1 - weights.red - weights.blue) * color.green + weights.blue * color.blue
            return Color(red: luma, green: luma, blue: luma)
        }
    }

    /// Returns the largest difference of any component.
    func distance(to other: ReferenceImage) -> Double {
        precondition(width == other.width && height == other.height)
        return zip(pixels, other.pixels).reduce(0) { largest, pair in
            max(
                largest, abs(pair.0.red - pair.1.red), abs(pair.0.green - pair.1.green),
                abs(pair.0.blue - pair.1.blue))
        }
    }

    /// Returns the peak signal-to-noise ratio over all components, in decibels.
    func psnr(to other: ReferenceImage) -> Double {
        let sum = zip(pixels, other.pixels).reduce(0.0) { sum, pair in
            let (r, g, b) = (pair.0.red - pair.1.red, pair.0.green - pair.1.green, pair.0.blue - pair.1.blue)
            return sum + r * r + g * g + b * b
        }
        let mean = sum / Double(3 * pixels.count)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}

/// A slow, independent implementation of ITU-R BT.601, BT.709 and BT.2020 (ITU-T H.273).
struct ReferenceEncoding {
    // The luma weights of red and blue.
    var red: Double
    var blue: Double
    var isFullRange: Bool

    func ycc(_ color: ReferenceImage.Color) -> (y: Double, cb: Double, cr: Double) {
        let y = red * color.red + (1 - red - blue) * color.green + blue * color.blue
        let cb = (color.blue - y) / (2 * (1 - blue))
        let cr = (color.red - y) / (2 * (1 - red))
        return isFullRange
            ? (y, 128 + cb, 128 + cr) : (16 + y * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255)
    }

    func color(y: Double, cb: Double, cr: Double) -> ReferenceImage.Color {
        let y = isFullRange ? y : (y - 16) * 255 / 219
        let cb = (cb - 128) * (isFullRange ? 1 : 255.0 / 224)
        let cr = (cr - 128) * (isFullRange ? 1 : 255.0 / 224)
        let r = y + 2 * (1 - red) * cr
        let b = y + 2 * (1 - blue) * cb
        let g = (y - red * r - blue * b) / (1 - red - blue)
        func clamp(_ value: Double) -> Double { min(max(value, 0), 255) }
        return .init(red: clamp(r), green: clamp(g), blue: clamp(b))
    }
}

/// Access to pixel buffers that does not use the code under test.
enum ReferenceBuffer {
    static func make(_ width: Int, _ height: Int, _ format: OSType, matrix: CFString? = nil) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferCreate(nil, width, height, format, nil, &buffer), kCVReturnSuccess)
        let result = try XCTUnwrap(buffer)
        if let matrix { CVBufferSetAttachment(result, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate) }
        CVPixelBufferLockBaseAddress(result, [])
        defer { CVPixelBufferUnlockBaseAddress(result, []) }
        // A pattern that reveals bytes that were not written.
        for plane in 0..<max(1, CVPixelBufferGetPlaneCount(result)) {
            let (base, stride, rows) = try self.plane(plane, of: result)
            for index in 0..<stride * rows { base[index] = 0xA5 }
        }
        return result
    }

    /// Returns the base address, the bytes per row and the number of rows of a plane.
    static func plane(_ index: Int, of buffer: CVPixelBuffer) throws -> (UnsafeMutablePointer<UInt8>, Int, Int) {
        let isPlanar = CVPixelBufferGetPlaneCount(buffer) > 0
        let address = isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, index) : CVPixelBufferGetBaseAddress(buffer)
        let base = try XCTUnwrap(address).assumingMemoryBound(to: UInt8.self)
        return isPlanar
            ? (base, CVPixelBufferGetBytesPerRowOfPlane(buffer, index), CVPixelBufferGetHeightOfPlane(buffer, index))
            : (base, CVPixelBufferGetBytesPerRow(buffer), CVPixelBufferGetHeight(buffer))
    }

    static func encoding(_ format: OSType, _ matrix: CFString) -> ReferenceEncoding {
        let full = [
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
            kCVPixelFormatType_422YpCbCr8FullRange, kCVPixelFormatType_OneComponent8,
            kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange,
        ]
        let weights: (Double, Double) =
            switch matrix {
            case kCVImageBufferYCbCrMatrix_ITU_R_709_2: (0.2126, 0.0722)
            case kCVImageBufferYCbCrMatrix_ITU_R_2020: (0.2627, 0.0593)
            default: (0.299, 0.114)
            }
        return ReferenceEncoding(red: weights.0, blue: weights.1, isFullRange: full.contains(format))
    }

    /// The byte offsets of red, green and blue, and the bytes per pixel.
    private static func order(_ format: OSType) -> (Int, Int, Int, Int)? {
        switch format {
        case kCVPixelFormatType_32BGRA: (2, 1, 0, 4)
        case kCVPixelFormatType_32RGBA: (0, 1, 2, 4)
        case kCVPixelFormatType_32ARGB: (1, 2, 3, 4)
        case kCVPixelFormatType_32ABGR: (3, 2, 1, 4)
        case kCVPixelFormatType_24RGB: (0, 1, 2, 3)
        case kCVPixelFormatType_24BGR: (2, 1, 0, 3)
        default: nil
        }
    }

    /// Returns pointers to the Y', Cb and Cr bytes of a pixel; for 10-bit formats, to the upper bytes of their 16-bit
    /// words.
    private static func components(
        _ x: Int, _ y: Int, _ format: OSType, _ buffer: CVPixelBuffer
    ) throws -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) {
        let (base, stride, _) = try plane(0, of: buffer)
        let row = base + y * stride
        switch format {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            let (chroma, chromaStride, _) = try plane(1, of: buffer)
            let pair = chroma + y / 2 * chromaStride + x / 2 * 2
            return (row + x, pair, pair + 1)
        case let code where PixelLayout.tenBitPixelFormats.contains(code):
            let (chroma, chromaStride, rows) = try plane(1, of: buffer)
            let chromaY = rows < CVPixelBufferGetHeight(buffer) ? y / 2 : y
            let pair = chroma + chromaY * chromaStride + x / 2 * 4 + 1
            return (row + 2 * x + 1, pair, pair + 2)
        case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
            let (cb, cbStride, _) = try plane(1, of: buffer)
            let (cr, crStride, _) = try plane(2, of: buffer)
            return (row + x, cb + y / 2 * cbStride + x / 2, cr + y / 2 * crStride + x / 2)
        case kCVPixelFormatType_422YpCbCr8:
            return (row + 2 * x + 1, row + x / 2 * 4, row + x / 2 * 4 + 2)
        default:
            return (row + 2 * x, row + x / 2 * 4 + 1, row + x / 2 * 4 + 3)
        }
    }

    static func write(_ image: ReferenceImage, to buffer: CVPixelBuffer, matrix: CFString) throws {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let encoding = encoding(format, matrix)
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        for y in 0..<image.height {
            for x in 0..<image.width {
                let color = image[x, y]
                if let (red, green, blue, count) = order(format) {
                    let (base, stride, _) = try plane(0, of: buffer)
                    let pixel = base + y * stride + x * count
                    if count == 4 { for index in 0..<4 { pixel[index] = 255 } }
                    pixel[red] = byte(color.red)
                    pixel[green] = byte(color.green)
                    pixel[blue] = byte(color.blue)
                } else if format == kCVPixelFormatType_OneComponent8 {
                    let (base, stride, _) = try plane(0, of: buffer)
                    base[y * stride + x] = byte(encoding.ycc(color).y)
                } else {
                    let (luma, cb, cr) = try components(x, y, format, buffer)
                    let ycc = encoding.ycc(color)
                    guard PixelLayout.tenBitPixelFormats.contains(format) else {
                        luma.pointee = byte(ycc.y)
                        cb.pointee = byte(ycc.cb)
                        cr.pointee = byte(ycc.cr)
                        continue
                    }
                    for (component, value, middle) in [(luma, ycc.y, 0.0), (cb, ycc.cb, 128), (cr, ycc.cr, 128)] {
                        let scale = encoding.isFullRange ? 1023.0 / 255 : 4
                        let code = min(max((4 * middle + (value - middle) * scale).rounded(), 0), 1023)
                        let word = UInt16(code) << 6
                        (component - 1).pointee = UInt8(word & 0xff)
                        component.pointee = UInt8(word >> 8)
                    }
                }
            }
        }
    }

    /// Returns the value of a component in 8-bit codes. For 10-bit formats, `component` points to the upper byte of a
    /// 16-bit word.
    private static func value(
        _ component: UnsafeMutablePointer<UInt8>, _ format: OSType, middle: Double, isFullRange: Bool
    ) -> Double {
        guard PixelLayout.tenBitPixelFormats.contains(format) else { return Double(component.pointee) }
        let code = Double((UInt16(component.pointee) << 8 | UInt16((component - 1).pointee)) >> 6)
        return middle + (code - 4 * middle) * (isFullRange ? 255.0 / 1023 : 0.25)
    }

    static func read(_ buffer: CVPixelBuffer, matrix: CFString) throws -> ReferenceImage {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let encoding = encoding(format, matrix)
        let (base, stride, _) = try plane(0, of: buffer)
        var failure: (any Error)?
        let image = ReferenceImage(
            width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer)
        ) { x, y in
            if let (red, green, blue, count) = order(format) {
                let pixel = base + y * stride + x * count
                return .init(red: Double(pixel[red]), green: Double(pixel[green]), blue: Double(pixel[blue]))
            }
            if format == kCVPixelFormatType_OneComponent8 {
                let luma = Double(base[y * stride + x])
                return .init(red: luma, green: luma, blue: luma)
            }
            do {
                let (luma, cb, cr) = try components(x, y, format, buffer)
                func value(_ component: UnsafeMutablePointer<UInt8>, _ middle: Double) -> Double {
                    Self.value(component, format, middle: middle, isFullRange: encoding.isFullRange)
                }
                return encoding.color(y: value(luma, 0), cb: value(cb, 128), cr: value(cr, 128))
            } catch {
                failure = error
                return .init(red: -1000, green: 0, blue: 0)
            }
        }
        if let failure { throw failure }
        return image
    }
}
