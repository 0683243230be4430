import CLinuxDevices
import MediaTypes

extension V4L2AcceptedFormat {
    /// The attachments for the color space that the driver reports; empty if it is unknown.
    ///
    /// The defaults are those of `V4L2_MAP_YCBCR_ENC_DEFAULT` and `V4L2_MAP_XFER_FUNC_DEFAULT` in videodev2.h.
    var colorAttachments: [String: String] {
        var attachments: [String: String] = [:]
        switch v4l2_colorspace(colorspace) {
        case V4L2_COLORSPACE_SMPTE170M, V4L2_COLORSPACE_SMPTE240M:
            attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_SMPTE_C
        case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG:
            attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_ITU_R_709_2
        case V4L2_COLORSPACE_470_SYSTEM_BG:
            attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_EBU_3213
        case V4L2_COLORSPACE_BT2020:
            attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_ITU_R_2020
        case V4L2_COLORSPACE_DCI_P3:
            attachments[kCVImageBufferColorPrimariesKey] = kCVImageBufferColorPrimaries_DCI_P3
        default:
            return [:]
        }
        attachments[kCVImageBufferYCbCrMatrixKey] = matrix
        attachments[kCVImageBufferTransferFunctionKey] = transfer
        return attachments
    }

    private var matrix: String? {
        switch v4l2_ycbcr_encoding(yCbCrEncoding) {
        case V4L2_YCBCR_ENC_601, V4L2_YCBCR_ENC_XV601: return kCVImageBufferYCbCrMatrix_ITU_R_601_4
        case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709: return kCVImageBufferYCbCrMatrix_ITU_R_709_2
        case V4L2_YCBCR_ENC_BT2020: return kCVImageBufferYCbCrMatrix_ITU_R_2020
        case V4L2_YCBCR_ENC_SMPTE240M: return kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
        case V4L2_YCBCR_ENC_DEFAULT: break
        default: return nil
        }
        switch v4l2_colorspace(colorspace) {
        case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3: return kCVImageBufferYCbCrMatrix_ITU_R_709_2
        case V4L2_COLORSPACE_BT2020: return kCVImageBufferYCbCrMatrix_ITU_R_2020
        case V4L2_COLORSPACE_SMPTE240M: return kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
        default: return kCVImageBufferYCbCrMatrix_ITU_R_601_4
        }
    }

    private var transfer: String? {
        switch v4l2_xfer_func(transferFunction) {
        case V4L2_XFER_FUNC_709: return kCVImageBufferTransferFunction_ITU_R_709_2
        case V4L2_XFER_FUNC_SRGB: return kCVImageBufferTransferFunction_sRGB
        case V4L2_XFER_FUNC_SMPTE240M: return kCVImageBufferTransferFunction_SMPTE_240M_1995
        case V4L2_XFER_FUNC_NONE: return kCVImageBufferTransferFunction_Linear
        case V4L2_XFER_FUNC_SMPTE2084: return kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
        case V4L2_XFER_FUNC_DEFAULT: break
        default: return nil
        }
        switch v4l2_colorspace(colorspace) {
        case V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: return kCVImageBufferTransferFunction_sRGB
        case V4L2_COLORSPACE_SMPTE240M: return kCVImageBufferTransferFunction_SMPTE_240M_1995
        case V4L2_COLORSPACE_DCI_P3: return nil
        default: return kCVImageBufferTransferFunction_ITU_R_709_2
        }
    }
}
