// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import MediaTypes

/// Output-settings key: how images of another size are scaled to the output's size.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// Scaling mode: like `AVVideoScalingModeResizeAspect`, but never enlarges; not available for writer inputs.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// Scaling mode: stretches the image to the output's size.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Scaling mode: fits the whole image in the output, with black bars.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// Scaling mode: fills the output, cropping the image.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"

/// Output-settings key: a dictionary with the pixel aspect ratio.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// The relative width of a pixel.
public let AVVideoPixelAspectRatioHorizontalSpacingKey: String = kCVImageBufferPixelAspectRatioHorizontalSpacingKey
/// The relative height of a pixel.
public let AVVideoPixelAspectRatioVerticalSpacingKey: String = kCVImageBufferPixelAspectRatioVerticalSpacingKey

/// Output-settings key: a dictionary with the visible part of the image.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
/// The width of the visible part in pixels.
public let AVVideoCleanApertureWidthKey: String = kCVImageBufferCleanApertureWidthKey
/// The height of the visible part in pixels.
public let AVVideoCleanApertureHeightKey: String = kCVImageBufferCleanApertureHeightKey
/// The horizontal offset of the visible part's center from the image's center, in pixels to the right.
public let AVVideoCleanApertureHorizontalOffsetKey: String = kCVImageBufferCleanApertureHorizontalOffsetKey
/// The vertical offset of the visible part's center from the image's center, in pixels downward.
public let AVVideoCleanApertureVerticalOffsetKey: String = kCVImageBufferCleanApertureVerticalOffsetKey

/// Output-settings key: a dictionary with the color properties.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"
/// Color property: the primaries.
public let AVVideoColorPrimariesKey: String = kCVImageBufferColorPrimariesKey
public let AVVideoColorPrimaries_ITU_R_709_2: String = kCVImageBufferColorPrimaries_ITU_R_709_2
public let AVVideoColorPrimaries_EBU_3213: String = kCVImageBufferColorPrimaries_EBU_3213
public let AVVideoColorPrimaries_SMPTE_C: String = kCVImageBufferColorPrimaries_SMPTE_C
public let AVVideoColorPrimaries_P3_D65: String = kCVImageBufferColorPrimaries_P3_D65
public let AVVideoColorPrimaries_ITU_R_2020: String = kCVImageBufferColorPrimaries_ITU_R_2020
/// Color property: the transfer function.
public let AVVideoTransferFunctionKey: String = kCVImageBufferTransferFunctionKey
public let AVVideoTransferFunction_ITU_R_709_2: String = kCVImageBufferTransferFunction_ITU_R_709_2
public let AVVideoTransferFunction_SMPTE_240M_1995: String = kCVImageBufferTransferFunction_SMPTE_240M_1995
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ: String = kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
public let AVVideoTransferFunction_ITU_R_2100_HLG: String = kCVImageBufferTransferFunction_ITU_R_2100_HLG
public let AVVideoTransferFunction_Linear: String = kCVImageBufferTransferFunction_Linear
public let AVVideoTransferFunction_IEC_sRGB: String = kCVImageBufferTransferFunction_sRGB
/// Color property: the matrix from R'G'B' to Y'CbCr.
public let AVVideoYCbCrMatrixKey: String = kCVImageBufferYCbCrMatrixKey
public let AVVideoYCbCrMatrix_ITU_R_709_2: String = kCVImageBufferYCbCrMatrix_ITU_R_709_2
public let AVVideoYCbCrMatrix_ITU_R_601_4: String = kCVImageBufferYCbCrMatrix_ITU_R_601_4
public let AVVideoYCbCrMatrix_SMPTE_240M_1995: String = kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
public let AVVideoYCbCrMatrix_ITU_R_2020: String = kCVImageBufferYCbCrMatrix_ITU_R_2020

/// Output-settings key: whether the client can process wide color. It has no effect.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// Output-settings key: the encoder to use. It has no effect.
public let AVVideoEncoderSpecificationKey = "AVVideoEncoderSpecificationKey"
/// Output-settings key: properties for a decoder; not available for writer inputs.
public let AVVideoDecompressionPropertiesKey = "AVVideoDecompressionPropertiesKey"

/// Compression property: whether the decode order may differ from the presentation order, true by default.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// Compression property: the number of frames per second that must not be droppable.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"
/// Compression property: the profile and level of H.264 or HEVC.
public let AVVideoProfileLevelKey = "ProfileLevel"
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
/// Compression property: the entropy coding mode of H.264.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
public let AVVideoH264EntropyModeCABAC = "CABAC"
