import CPixelKernels
package import MediaTypes

/// The conversion of HLG (hybrid log-gamma) and PQ (perceptual quantizer) to a standard dynamic range.
package enum HighDynamicRange: Sendable, Hashable {
    case hlg
    case pq

    /// Creates the transfer function with which a buffer is tagged; nil for a standard dynamic range.
    package init?(_ buffer: CVPixelBuffer) {
        switch CVBufferCopyAttachment(buffer, kCVImageBufferTransferFunctionKey, nil) as? String {
        case kCVImageBufferTransferFunction_ITU_R_2100_HLG: self = .hlg
        case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: self = .pq
        default: return nil
        }
    }

    /// Tags a buffer as BT.709; its colors must have been converted.
    package static func tagAsStandardRange(_ buffer: CVPixelBuffer) {
        for (key, value) in [
            (kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2),
            (kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2),
            (kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2),
        ] { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }

    /// Converts the colors of a BGRA image with the primaries of BT.2020 to BT.709, in place.
    func convertToBT709(_ image: PixelImage) {
        let plane = image.planes.0
        cpixel_convert_bt2020_to_bt709(
            plane.base, plane.stride, image.width32, image.height32, lightOfCode, Self.codeOfLight)
    }

    /// The linear light of each 8-bit code value; 16,384 is white.
    private var lightOfCode: [UInt16] {
        switch self {
        case .hlg: Self.lightOfHLG
        case .pq: Self.lightOfPQ
        }
    }

    private static let lightOfHLG: [UInt16] = (0..<256).map { code in
        UInt16((HybridLogGamma.light(ofSignal: Double(code) / 255) / HybridLogGamma.white * 16384).rounded())
    }

    /// Light of more than four times white is clipped.
    private static let lightOfPQ: [UInt16] = (0..<256).map { code in
        let light = PerceptualQuantizer.luminance(ofSignal: Double(code) / 255) / PerceptualQuantizer.white
        return UInt16(min(65535, (light * 16384).rounded()))
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
