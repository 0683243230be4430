// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import MediaTypes

/// Output-settings key: how a picture of another size is brought to the output's.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// Scaling mode: as `AVVideoScalingModeResizeAspect`, but never larger; not for writer inputs.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// Scaling mode: to the output's size, whatever becomes of the shape.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Scaling mode: the whole picture in its shape, black beside it.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// Scaling mode: the output filled by the picture in its shape, what is too much cut off.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"

/// Output-settings key: a dictionary with the shape of a pixel.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// The relative width of a pixel.
public let AVVideoPixelAspectRatioHorizontalSpacingKey: String = kCVImageBufferPixelAspectRatioHorizontalSpacingKey
/// The relative height of a pixel.
public let AVVideoPixelAspectRatioVerticalSpacingKey: String = kCVImageBufferPixelAspectRatioVerticalSpacingKey

/// Output-settings key: a dictionary with the part of the picture that is shown.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
/// The width in pixels of the part that is shown.
public let AVVideoCleanApertureWidthKey: String = kCVImageBufferCleanApertureWidthKey
/// The height in pixels of the part that is shown.
public let AVVideoCleanApertureHeightKey: String = kCVImageBufferCleanApertureHeightKey
/// How far right of the picture's centre that part's centre lies, in pixels.
public let AVVideoCleanApertureHorizontalOffsetKey: String = kCVImageBufferCleanApertureHorizontalOffsetKey
/// How far below the picture's centre that part's centre lies, in pixels.
public let AVVideoCleanApertureVerticalOffsetKey: String = kCVImageBufferCleanApertureVerticalOffsetKey

/// Output-settings key: a dictionary that tells what the numbers of a picture mean as colours.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"
/// Color property: the primaries.
public let AVVideoColorPrimariesKey: String = kCVImageBufferColorPrimariesKey
public let AVVideoColorPrimaries_ITU_R_709_2: String = kCVImageBufferColorPrimaries_ITU_R_709_2
public let AVVideoColorPrimaries_EBU_3213: String = kCVImageBufferColorPrimaries_EBU_3213
public let AVVideoColorPrimaries_SMPTE_C: String = kCVImageBufferColorPrimaries_SMPTE_C
public let AVVideoColorPrimaries_P3_D65: String = kCVImageBufferColorPrimaries_P3_D65
public let AVVideoColorPrimaries_ITU_R_2020: String = kCVImageBufferColorPrimaries_ITU_R_2020
/// Color property: how numbers grow with light.
public let AVVideoTransferFunctionKey: String = kCVImageBufferTransferFunctionKey
public let AVVideoTransferFunction_ITU_R_709_2: String = kCVImageBufferTransferFunction_ITU_R_709_2
public let AVVideoTransferFunction_SMPTE_240M_1995: String = kCVImageBufferTransferFunction_SMPTE_240M_1995
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ: String = kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
public let AVVideoTransferFunction_ITU_R_2100_HLG: String = kCVImageBufferTransferFunction_ITU_R_2100_HLG
public let AVVideoTransferFunction_Linear: String = kCVImageBufferTransferFunction_Linear
public let AVVideoTransferFunction_IEC_sRGB: String = kCVImageBufferTransferFunction_sRGB
/// Color property: how Y'CbCr is made of R'G'B'.
public let AVVideoYCbCrMatrixKey: String = kCVImageBufferYCbCrMatrixKey
public let AVVideoYCbCrMatrix_ITU_R_709_2: String = kCVImageBufferYCbCrMatrix_ITU_R_709_2
public let AVVideoYCbCrMatrix_ITU_R_601_4: String = kCVImageBufferYCbCrMatrix_ITU_R_601_4
public let AVVideoYCbCrMatrix_SMPTE_240M_1995: String = kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
public let AVVideoYCbCrMatrix_ITU_R_2020: String = kCVImageBufferYCbCrMatrix_ITU_R_2020

/// Output-settings key: whether the client can process wide colour; without effect here.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// Output-settings key: which encoder to take; without effect here.
public let AVVideoEncoderSpecificationKey = "AVVideoEncoderSpecificationKey"
/// Output-settings key: properties for a decoder; not for writer inputs.
public let AVVideoDecompressionPropertiesKey = "AVVideoDecompressionPropertiesKey"

/// Compression property: whether frames may be stored in another order than shown, true by default.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// Compression property: how many frames a second must not be droppable.
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
/// Compression property: how H.264 writes its numbers.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
public let AVVideoH264EntropyModeCABAC = "CABAC"

/// Output-settings key: an `AudioChannelLayout` as data; needed for more than two channels.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// Output-settings key: the bits of a sample that a lossless encoder keeps.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// Output-settings key: an `AVAudioQuality`; without effect here.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// Output-settings key: bits a second of each channel of compressed sound.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// Output-settings key: how the bit rate may vary; without effect here.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
/// Output-settings key: the quality of a rate conversion; not for writer inputs.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
