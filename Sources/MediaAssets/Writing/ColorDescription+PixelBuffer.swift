package import MediaCodecs
package import MediaTypes

extension ColorDescription {
    /// Creates the color description of a pixel buffer: that of its attachments if they specify the primaries of
    /// BT.2020, a transfer function and a matrix; BT.601 if they specify the matrix of BT.601; otherwise BT.709.
    package init(of pixels: CVPixelBuffer) {
        let isFullRange = pixels.format.range == .full
        func attachment(_ key: CFString) -> String? { CVBufferCopyAttachment(pixels, key, nil) as? String }
        let matrix = attachment(kCVImageBufferYCbCrMatrixKey)
        if let primaries = attachment(kCVImageBufferColorPrimariesKey),
            primaries == kCVImageBufferColorPrimaries_ITU_R_2020,
            let transfer = attachment(kCVImageBufferTransferFunctionKey), let matrix,
            var color = ColorDescription(primaries: primaries, transfer: transfer, matrix: matrix)
        {
            color.isFullRange = isFullRange
            self = color
            return
        }
        self =
            matrix == kCVImageBufferYCbCrMatrix_ITU_R_601_4
            ? .bt601(isFullRange: isFullRange)
            : .bt709(isFullRange: isFullRange)
    }
}
