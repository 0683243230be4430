import CThreeA
import MediaTypes

/// Where the samples of a packed format are in a block.
private struct PackedSamples {
    /// Bytes from the block's begin to each component.
    var offsets: [Int]
    /// Bytes from one sample of each component to the next.
    var steps: [Int32]
    var isRGB = false
    /// Pixels to a sample of chroma, as a power of two.
    var shiftX: Int32 = 0
    /// As in `threea_picture`.
    var wordShift: Int32 = -1

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

extension threea_picture {
    /// Finds the samples of a picture; nil where its format is none that is read here.
    ///
    /// Valid while the picture is alive.
    init?(_ picture: CVPixelBuffer) {
        self.init()
        let format = picture.format
        let planes = picture.planes
        guard let first = planes.first, picture.width > 2, picture.height > 2 else { return nil }
        width = Int32(picture.width)
        height = Int32(picture.height)
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
            // Cb and Cr share a plane, or each has its own; a third plane after a shared one is alpha.
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
        setMatrix(picture.attachments[kCVImageBufferYCbCrMatrixKey]?.value as? String)
    }

    /// The inverse matrices of Rec. ITU-R BT.601 and BT.709; the latter where the picture does not tell.
    private mutating func setMatrix(_ name: String?) {
        if name == kCVImageBufferYCbCrMatrix_ITU_R_601_4 {
            (redCr, greenCb, greenCr, blueCb) = (5743, 1410, 2925, 7258)
        } else {
            (redCr, greenCb, greenCr, blueCb) = (6450, 767, 1917, 7601)
        }
    }
}
