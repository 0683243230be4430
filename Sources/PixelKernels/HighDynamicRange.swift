import CPixelKernels
package import MediaTypes

/// The conversion of HLG (hybrid log-gamma) to a standard dynamic range.
package enum HighDynamicRange {
    /// Whether a buffer is tagged as HLG.
    package static func isHLG(_ buffer: CVPixelBuffer) -> Bool {
        let transfer = CVBufferCopyAttachment(buffer, kCVImageBufferTransferFunctionKey, nil) as? String
        return transfer == kCVImageBufferTransferFunction_ITU_R_2100_HLG
    }

    /// Tags a buffer as BT.709; its colors must have been converted.
    package static func tagAsStandardRange(_ buffer: CVPixelBuffer) {
        for (key, value) in [
            (kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2),
            (kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2),
            (kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2),
        ] { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }

    /// Converts the colors of a BGRA image from HLG with the primaries of BT.2020 to BT.709, in place.
    static func convertToBT709(_ image: PixelImage) {
        let plane = image.planes.0
        cpixel_convert_bt2020_to_bt709(
            plane.base, plane.stride, image.width32, image.height32, lightOfCode, codeOfLight)
    }

    /// The linear light of each 8-bit code value; 16,384 is white.
    private static let lightOfCode: [UInt16] = (0..<256).map { code in
        UInt16((HybridLogGamma.light(ofSignal: Double(code) / 255) / HybridLogGamma.white * 16384).rounded())
    }

    /// The 8-bit code value of linear light, with highlights compressed up to the peak of HLG. The index is the light
    /// divided by 16; index 1,024 is white.
    private static let codeOfLight: [UInt8] = {
        let curve = HighlightCompression(headroom: 1 / HybridLogGamma.white)
        return (0..<4096).map { index in
            UInt8((curve.signal(ofLight: (Double(index) + 0.5) * 16 / 16384) * 255).rounded())
        }
    }()
}
