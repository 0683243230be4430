import CThreeA
import MediaTypes

/// The sample positions of a packed format.
private struct PackedSamples {
    /// The byte offset of each component in a block.
    var offsets: [Int]
    /// The distance between adjacent samples of each component in bytes.
    var steps: [Int32]
    var isRGB = false
    /// The binary logarithm of the number of pixels per chroma sample.
    var shiftX: Int32 = 0
    /// See `threea_image`.
    var wordShift: Int32 = -1

    /// Returns the sample positions of a packed pixel format; nil if it is not supported.
    static func samples(of code: OSType) -> PackedSamples? {
        switch code {
        case kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange:
            PackedSamples(offsets: [0, 1, 3], steps: [2, 4, 4], shiftX: 1)
        case kCVPixelFormatType_422YpCbCr8: PackedSamples(offsets: [1, 0, 2], steps: [2, 4, 4], shiftX: 1)
        case kCVPixelFormatType_444YpCbCr8: PackedSamples(offsets: [1, 2, 0], steps: [3, 3, 3])
        case kCVPixelFormatType_32BGRA: rgb([2, 1, 0], 4)
        case kCVPixelFormatType_32RGBA: rgb([0, 1, 2], 4)
        case kCVPixelFormatType_32ARGB: rgb([1, 2, 3], 4)
        case kCVPixelFormatType_32ABGR: rgb([3, 2, 1], 4)
        case kCVPixelFormatType_24RGB: rgb([0, 1, 2], 3)
        case kCVPixelFormatType_24BGR: rgb([2, 1, 0], 3)
        case kCVPixelFormatType_OneComponent8: PackedSamples(offsets: [0], steps: [1])
        case kCVPixelFormatType_OneComponent10: PackedSamples(offsets: [0], steps: [2], wordShift: 2)
        case kCVPixelFormatType_OneComponent12: PackedSamples(offsets: [0], steps: [2], wordShift: 4)
        case kCVPixelFormatType_OneComponent16: PackedSamples(offsets: [0], steps: [2], wordShift: 8)
        default: nil
        }
    }

    private static func rgb(_ offsets: [Int], _ step: Int32) -> PackedSamples {
        PackedSamples(offsets: offsets, steps: [step, step, step], isRGB: true)
    }
}

extension threea_image {
    /// Creates the description of a pixel buffer's samples; nil if its format is not supported.
    ///
    /// The value contains pointers that are valid as long as the pixel buffer exists.
    init?(_ pixels: CVPixelBuffer) {
        self.init()
        let format = pixels.format
        let planes = pixels.planes
        guard let first = planes.first, pixels.width > 2, pixels.height > 2 else { return nil }
        width = Int32(pixels.width)
        height = Int32(pixels.height)
        wordShift = -1
        isFullRange = format.range == .video ? 0 : 1
        func address(_ plane: PixelPlane, _ offset: Int) -> UnsafePointer<UInt8> {
            UnsafePointer((plane.baseAddress + offset).assumingMemoryBound(to: UInt8.self))
        }
        if format.isPlanar {
            guard format.model == .yCbCr, (2...3).contains(planes.count), planes.count == format.planes.count
            else { return nil }
            let bytes = format.bitsPerComponent > 8 ? 2 : 1
            if bytes == 2 { wordShift = 8 }
            // Cb and Cr share a plane, or each has its own plane. A third plane after a shared one is alpha.
            let areShared = format.planes[1].bitsPerBlock == 16 * bytes
            let (cb, cr) = (planes[1], areShared ? planes[1] : planes[planes.count - 1])
            samples = (address(first, 0), address(cb, 0), address(cr, areShared ? bytes : 0))
            rowBytes = (Int32(first.bytesPerRow), Int32(cb.bytesPerRow), Int32(cr.bytesPerRow))
            let chromaStep = Int32(areShared ? 2 * bytes : bytes)
            step = (Int32(bytes), chromaStep, chromaStep)
            shiftX = format.planes[1].horizontalSubsampling > 1 ? 1 : 0
            shiftY = format.planes[1].verticalSubsampling > 1 ? 1 : 0
        } else {
            guard let packed = PackedSamples.samples(of: format.code) else { return nil }
            let row = Int32(first.bytesPerRow)
            rowBytes = (row, row, row)
            let hasColor = packed.offsets.count == 3
            samples = (
                address(first, packed.offsets[0]), hasColor ? address(first, packed.offsets[1]) : nil,
                hasColor ? address(first, packed.offsets[2]) : nil
            )
            step = (packed.steps[0], hasColor ? packed.steps[1] : 0, hasColor ? packed.steps[2] : 0)
            isRGB = packed.isRGB ? 1 : 0
            shiftX = packed.shiftX
            wordShift = packed.wordShift
        }
        setMatrix(pixels.attachments[kCVImageBufferYCbCrMatrixKey]?.value as? String)
    }

    /// Sets the inverse matrix of Rec. ITU-R BT.601, BT.709 or BT.2020, by default BT.709.
    private mutating func setMatrix(_ name: String?) {
        if name == kCVImageBufferYCbCrMatrix_ITU_R_601_4 {
            (redCr, greenCb, greenCr, blueCb) = (5743, 1410, 2925, 7258)
        } else if name == kCVImageBufferYCbCrMatrix_ITU_R_2020 {
            (redCr, greenCb, greenCr, blueCb) = (6040, 674, 2340, 7706)
        } else {
            (redCr, greenCb, greenCr, blueCb) = (6450, 767, 1917, 7601)
        }
    }
}
