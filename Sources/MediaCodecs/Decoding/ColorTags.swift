import CLibAV
import MediaTypes
import PixelKernels

/// The color description of a decoded frame (ITU-T H.273), converted to attachments of pixel buffers.
///
/// A frame without a matrix has that of `YCbCrEncoding.Matrix.assumed(height:)`.
struct ColorTags {
    /// The matrix for conversions; nil for encodings that are not a matrix of R'G'B', such as ICtCp.
    let matrix: YCbCrEncoding.Matrix?
    /// The code point of the matrix.
    let matrixCode: Int32
    /// The values of the attachments; nil for unspecified properties.
    private let attachments: [(key: CFString, value: CFString?)]

    init(_ frame: AVFrame) {
        let code = Int32(frame.colorspace.rawValue)
        matrixCode = code
        // 0 marks R'G'B', 3 is reserved.
        let isUnspecified = [0, Int32(ColorDescription.unspecified), 3].contains(code)
        matrix = isUnspecified ? .assumed(height: Int(frame.height)) : YCbCrEncoding.Matrix(codePoint: code)
        attachments = [
            (
                kCVImageBufferYCbCrMatrixKey,
                isUnspecified ? matrix?.attachment : CVYCbCrMatrixGetStringForIntegerCodePoint(code)
            ),
            (
                kCVImageBufferColorPrimariesKey,
                CVColorPrimariesGetStringForIntegerCodePoint(Int32(frame.color_primaries.rawValue))
            ),
            (
                kCVImageBufferTransferFunctionKey,
                CVTransferFunctionGetStringForIntegerCodePoint(Int32(frame.color_trc.rawValue))
            ),
        ]
    }

    /// Sets the attachments for the known values, and removes the attachments for the other values.
    func apply(to pixels: CVPixelBuffer) {
        for (key, value) in attachments {
            if let value {
                CVBufferSetAttachment(pixels, key, value, .shouldPropagate)
            } else {
                CVBufferRemoveAttachment(pixels, key)
            }
        }
    }
}
