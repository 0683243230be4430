import MediaTypes
import PixelKernels

extension CVPixelBuffer {
    /// Returns HLG or PQ pixels as 32BGRA in BT.709, with compressed highlights; others unchanged.
    ///
    /// - Throws: `.outOfMemory`, or the errors of `PixelConverter`.
    func inStandardDynamicRange(_ converter: PixelConverter) throws(ImageError) -> CVPixelBuffer {
        guard HighDynamicRange(self) != nil else { return self }
        guard let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw ImageError(.outOfMemory, "memory ran out while converting a photo of \(width)x\(height)")
        }
        try converter.convert(self, to: result)
        return result
    }
}
