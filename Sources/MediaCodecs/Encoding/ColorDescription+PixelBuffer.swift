package import MediaTypes
import PixelKernels

extension ColorDescription {
    /// The code point of the primaries of P3 with the white point D65 (ITU-T H.273, table 2).
    package static let displayP3Primaries: UInt16 = 12

    /// Creates the color description of a pixel buffer from its attachments.
    ///
    /// Y'CbCr without a matrix has that of `YCbCrEncoding.Matrix.assumed(height:)`, R'G'B' is converted with BT.709.
    /// Missing primaries and transfer functions are those of the matrix's standard.
    package init(of pixels: CVPixelBuffer) {
        func attachment(_ key: CFString) -> String? { CVBufferCopyAttachment(pixels, key, nil) as? String }
        let attached = UInt16(CVYCbCrMatrixGetIntegerCodePointForString(attachment(kCVImageBufferYCbCrMatrixKey)))
        let isAssumedBT601 =
            pixels.format.model == .yCbCr
            && YCbCrEncoding.Matrix.assumed(height: CVPixelBufferGetHeight(pixels)) == .bt601
        let matrix = attached != Self.unspecified ? attached : isAssumedBT601 ? 6 : 1
        self = .standard(ofMatrix: matrix, isFullRange: pixels.format.range == .full)
        let primaries = CVColorPrimariesGetIntegerCodePointForString(attachment(kCVImageBufferColorPrimariesKey))
        if primaries != Self.unspecified { self.primaries = UInt16(primaries) }
        let transfer = CVTransferFunctionGetIntegerCodePointForString(attachment(kCVImageBufferTransferFunctionKey))
        if transfer != Self.unspecified { self.transfer = UInt16(transfer) }
    }

    /// Returns the primaries and the transfer function of the standard that defines a matrix.
    private static func standard(ofMatrix matrix: UInt16, isFullRange: Bool) -> ColorDescription {
        switch matrix {
        case 4, 5, 6: ColorDescription(primaries: 6, transfer: 1, matrix: matrix, isFullRange: isFullRange)
        case 7: ColorDescription(primaries: 7, transfer: 7, matrix: matrix, isFullRange: isFullRange)
        case 9, 10: ColorDescription(primaries: 9, transfer: 14, matrix: matrix, isFullRange: isFullRange)
        default: ColorDescription(primaries: 1, transfer: 1, matrix: matrix, isFullRange: isFullRange)
        }
    }
}
