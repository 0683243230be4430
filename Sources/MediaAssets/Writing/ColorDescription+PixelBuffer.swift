package import MediaCodecs
package import MediaTypes

extension ColorDescription {
    /// Creates the color description of a pixel buffer: BT.601 if its attached matrix is, otherwise BT.709.
    package init(of pixels: CVPixelBuffer) {
        let isFullRange = CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        let matrix = CVBufferCopyAttachment(pixels, kCVImageBufferYCbCrMatrixKey, nil) as? String
        self =
            matrix == kCVImageBufferYCbCrMatrix_ITU_R_601_4
            ? .bt601(isFullRange: isFullRange)
            : .bt709(isFullRange: isFullRange)
    }
}
