import CPixelKernels
package import MediaTypes

/// The encoding of R'G'B' as Y'CbCr: the matrix and the value range.
package struct YCbCrEncoding: Sendable, Hashable {
    /// The luma coefficients, named after their standard.
    package enum Matrix: Int, Sendable, Hashable, CaseIterable {
        case smpte240 = 240
        case bt601 = 601
        case bt709 = 709
        case bt2020 = 2020

        /// The weights of R' and B' in Y'; the three weights add up to 1.
        package var lumaWeights: (red: Double, blue: Double) {
            switch self {
            case .smpte240: (0.212, 0.087)
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }

        /// The value for `kCVImageBufferYCbCrMatrixKey`.
        package var attachment: CFString {
            switch self {
            case .smpte240: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
            case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case .bt2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
            }
        }

        /// Creates the matrix of an attachment's value; nil for other values.
        package init?(attachment: String) {
            self.init(codePoint: CVYCbCrMatrixGetIntegerCodePointForString(attachment))
        }

        /// Creates the matrix of a code point of ITU-T H.273, table 4; nil for other encodings.
        ///
        /// The coefficients of the FCC (4) differ from those of BT.601 by less than a step of 8 bits. BT.2020 with
        /// constant luminance (10) is treated like the common form.
        package init?(codePoint: Int32) {
            switch codePoint {
            case 1: self = .bt709
            case 4, 5, 6: self = .bt601
            case 7: self = .smpte240
            case 9, 10: self = .bt2020
            default: return nil
            }
        }

        /// Returns the matrix of untagged images: BT.709 for heights of at least 720 pixels, otherwise BT.601.
        package static func assumed(height: Int) -> Matrix { height >= 720 ? .bt709 : .bt601 }
    }

    /// The luma coefficients.
    package var matrix: Matrix
    /// Whether all components use 0 … 255; otherwise Y' uses 16 … 235, and Cb and Cr 16 … 240.
    package var isFullRange: Bool

    /// Creates an encoding.
    package init(matrix: Matrix, isFullRange: Bool) {
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// The factors that convert Y'CbCr to R'G'B': the inverse of `weights`.
    var decoding: cpixel_decoding {
        let (red, blue) = matrix.lumaWeights
        let green = 1 - red - blue
        let yScale = isFullRange ? 1.0 : 255.0 / 219
        let cScale = isFullRange ? 1.0 : 255.0 / 224
        func fixed(_ number: Double) -> Int32 { Int32((number * 65536).rounded()) }
        return cpixel_decoding(
            y: fixed(yScale), y_offset: isFullRange ? 0 : 16, cr_to_red: fixed(2 * (1 - red) * cScale),
            cb_to_green: fixed(-2 * blue * (1 - blue) / green * cScale),
            cr_to_green: fixed(-2 * red * (1 - red) / green * cScale), cb_to_blue: fixed(2 * (1 - blue) * cScale))
    }

    /// The weights that convert R'G'B' to Y'CbCr (ITU-T H.273, equations 39 to 44), exact for white and all grays.
    var weights: (y: cpixel_weights, cb: cpixel_weights, cr: cpixel_weights) {
        let (red, blue) = matrix.lumaWeights
        let yScale = isFullRange ? 1.0 : 219.0 / 255
        let cScale = isFullRange ? 1.0 : 224.0 / 255
        let y = Self.weights(
            red: red * yScale, blue: blue * yScale, sum: yScale, offset: isFullRange ? 0 : 16)
        let cb = Self.weights(red: -red / (2 * (1 - blue)) * cScale, blue: 0.5 * cScale, sum: 0, offset: 128)
        let cr = Self.weights(red: 0.5 * cScale, blue: -blue / (2 * (1 - red)) * cScale, sum: 0, offset: 128)
        return (y, cb, cr)
    }

    private static func weights(red: Double, blue: Double, sum: Double, offset: Int32) -> cpixel_weights {
        let red = Int32((red * 65536).rounded())
        let blue = Int32((blue * 65536).rounded())
        let green = Int32((sum * 65536).rounded()) - red - blue
        return cpixel_weights(red: red, green: green, blue: blue, offset: (offset << 16) + 32768)
    }

    /// Returns the factors and offsets (times 65536) that convert Y' (`y`), and Cb and Cr (`c`), from one value range
    /// to the other: ITU-T H.273, equations 24 to 32.
    ///
    /// - Parameter bits: The number of bits of a component, at least 8.
    static func rangeChange(
        toFullRange: Bool, bits: Int = 8
    ) -> (y: (factor: Int32, offset: Int32), c: (factor: Int32, offset: Int32)) {
        let scale = Double(1 << (bits - 8))
        let maximum = 256 * scale - 1
        let y = toFullRange ? maximum / (219 * scale) : 219 * scale / maximum
        let c = toFullRange ? maximum / (224 * scale) : 224 * scale / maximum
        let yOffset = 16 * scale * (toFullRange ? -y : 1)
        let cOffset = 128 * scale * (1 - c)
        func fixed(_ number: Double) -> Int32 { Int32((number * 65536).rounded()) }
        return ((fixed(y), fixed(yOffset) + 32768), (fixed(c), fixed(cOffset) + 32768))
    }
}
