import CPixelKernels
package import MediaTypes

/// Conversion from the transfer function HLG to a standard dynamic range.
package enum HighDynamicRange {
    /// Whether a buffer is tagged as HLG.
    package static func isHLG(_ buffer: CVPixelBuffer) -> Bool {
        let transfer = CVBufferCopyAttachment(buffer, kCVImageBufferTransferFunctionKey, nil) as? String
        return transfer == kCVImageBufferTransferFunction_ITU_R_2100_HLG
    }

    /// Tags a buffer whose colors were converted as BT.709.
    package static func tagAsStandardRange(_ buffer: CVPixelBuffer) {
        for (key, value) in [
            (kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2),
            (kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2),
            (kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2),
        ] { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }

    /// Converts the colors of a BGRA image from HLG with the primaries of BT.2020 to BT.709, in place.
    static func narrowColors(of image: PixelImage) {
        let plane = image.planes.0
        cpixel_narrow_colors(plane.base, plane.stride, image.width32, image.height32, light, codes)
    }

    /// The light of each code; 16,384 is white.
    private static let light: [UInt16] = (0..<256).map { code in
        UInt16((HybridLogGamma.light(ofSignal: Double(code) / 255) / HybridLogGamma.white * 16384).rounded())
    }

    /// The code of each light divided by 16: BT.709's up to 40 % of white; above it a hyperbola in the square root of
    /// light with the same slope, which reaches the highest code at the peak of HLG.
    private static let codes: [UInt8] = (0..<4096).map { index in
        let light = (Double(index) + 0.5) * 16 / 16384
        let knee = 0.4
        func signal(_ light: Double) -> Double {
            light < 0.018 ? 4.5 * light : 1.099 * RepeatableMath.exp2(0.45 * RepeatableMath.log2(light)) - 0.099
        }
        guard light > knee else { return UInt8((signal(light) * 255).rounded()) }
        let kneeRoot = knee.squareRoot()
        let width = (1 / HybridLogGamma.white).squareRoot() - kneeRoot
        let rest = 1 - signal(knee)
        let slope = 0.45 * (signal(knee) + 0.099) / knee
        let steepness = slope * 2 * kneeRoot * width / rest
        let share = min((light.squareRoot() - kneeRoot) / width, 1)
        let value = signal(knee) + rest * steepness * share / (1 + (steepness - 1) * share)
        return UInt8((min(value, 1) * 255).rounded())
    }
}
