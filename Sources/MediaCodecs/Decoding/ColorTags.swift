import CLibAV
import MediaTypes
import PixelKernels

/// The color description of a decoded frame (ITU-T H.273), converted to attachments of pixel buffers.
struct ColorTags {
    private(set) var matrix: YCbCrEncoding.Matrix?
    private(set) var primaries: CFString?
    private(set) var transfer: CFString?

    init(_ frame: AVFrame) {
        switch frame.colorspace {
        case AVCOL_SPC_BT709: matrix = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: matrix = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: matrix = .bt2020
        default: matrix = nil
        }
        switch frame.color_primaries {
        case AVCOL_PRI_BT709: primaries = kCVImageBufferColorPrimaries_ITU_R_709_2
        case AVCOL_PRI_BT470BG: primaries = kCVImageBufferColorPrimaries_EBU_3213
        case AVCOL_PRI_SMPTE170M: primaries = kCVImageBufferColorPrimaries_SMPTE_C
        case AVCOL_PRI_BT2020: primaries = kCVImageBufferColorPrimaries_ITU_R_2020
        default: primaries = nil
        }
        switch frame.color_trc {
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M: transfer = kCVImageBufferTransferFunction_ITU_R_709_2
        case AVCOL_TRC_IEC61966_2_1: transfer = kCVImageBufferTransferFunction_sRGB
        case AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12: transfer = kCVImageBufferTransferFunction_ITU_R_2020
        case AVCOL_TRC_SMPTE2084: transfer = kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
        case AVCOL_TRC_ARIB_STD_B67: transfer = kCVImageBufferTransferFunction_ITU_R_2100_HLG
        default: transfer = nil
        }
    }

    /// Sets the attachments for the values that the file specifies, and removes the attachments for the other values.
    func apply(to pixels: CVPixelBuffer) {
        for (key, value) in [
            (kCVImageBufferYCbCrMatrixKey, matrix?.attachment), (kCVImageBufferColorPrimariesKey, primaries),
            (kCVImageBufferTransferFunctionKey, transfer),
        ] {
            if let value {
                CVBufferSetAttachment(pixels, key, value, .shouldPropagate)
            } else {
                CVBufferRemoveAttachment(pixels, key)
            }
        }
    }
}
