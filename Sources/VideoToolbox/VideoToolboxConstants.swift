// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's; settings of writers contain them. There are no compression or decompression
// sessions: writers and readers encode and decode.

public import MediaTypes

// MARK: Profiles and levels

public let kVTProfileLevel_H264_Baseline_1_3: CFString = "H264_Baseline_1_3"
public let kVTProfileLevel_H264_Baseline_3_0: CFString = "H264_Baseline_3_0"
public let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
public let kVTProfileLevel_H264_Baseline_3_2: CFString = "H264_Baseline_3_2"
public let kVTProfileLevel_H264_Baseline_4_0: CFString = "H264_Baseline_4_0"
public let kVTProfileLevel_H264_Baseline_4_1: CFString = "H264_Baseline_4_1"
public let kVTProfileLevel_H264_Baseline_4_2: CFString = "H264_Baseline_4_2"
public let kVTProfileLevel_H264_Baseline_5_0: CFString = "H264_Baseline_5_0"
public let kVTProfileLevel_H264_Baseline_5_1: CFString = "H264_Baseline_5_1"
public let kVTProfileLevel_H264_Baseline_5_2: CFString = "H264_Baseline_5_2"
public let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
public let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString = "H264_ConstrainedBaseline_AutoLevel"
public let kVTProfileLevel_H264_Main_3_0: CFString = "H264_Main_3_0"
public let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
public let kVTProfileLevel_H264_Main_3_2: CFString = "H264_Main_3_2"
public let kVTProfileLevel_H264_Main_4_0: CFString = "H264_Main_4_0"
public let kVTProfileLevel_H264_Main_4_1: CFString = "H264_Main_4_1"
public let kVTProfileLevel_H264_Main_4_2: CFString = "H264_Main_4_2"
public let kVTProfileLevel_H264_Main_5_0: CFString = "H264_Main_5_0"
public let kVTProfileLevel_H264_Main_5_1: CFString = "H264_Main_5_1"
public let kVTProfileLevel_H264_Main_5_2: CFString = "H264_Main_5_2"
public let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
public let kVTProfileLevel_H264_Extended_5_0: CFString = "H264_Extended_5_0"
public let kVTProfileLevel_H264_Extended_AutoLevel: CFString = "H264_Extended_AutoLevel"
public let kVTProfileLevel_H264_High_3_0: CFString = "H264_High_3_0"
public let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
public let kVTProfileLevel_H264_High_3_2: CFString = "H264_High_3_2"
public let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
public let kVTProfileLevel_H264_High_4_1: CFString = "H264_High_4_1"
public let kVTProfileLevel_H264_High_4_2: CFString = "H264_High_4_2"
public let kVTProfileLevel_H264_High_5_0: CFString = "H264_High_5_0"
public let kVTProfileLevel_H264_High_5_1: CFString = "H264_High_5_1"
public let kVTProfileLevel_H264_High_5_2: CFString = "H264_High_5_2"
public let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
public let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString = "H264_ConstrainedHigh_AutoLevel"
public let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"
public let kVTProfileLevel_HEVC_Main10_AutoLevel: CFString = "HEVC_Main10_AutoLevel"
public let kVTProfileLevel_HEVC_Main42210_AutoLevel: CFString = "HEVC_Main42210_AutoLevel"
public let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
public let kVTH264EntropyMode_CABAC: CFString = "CABAC"

// MARK: Properties of compression sessions

public let kVTCompressionPropertyKey_PixelBufferPoolIsShared: CFString = "PixelBufferPoolIsShared"
public let kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes: CFString = "VideoEncoderPixelBufferAttributes"
public let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
public let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
public let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
public let kVTCompressionPropertyKey_AllowOpenGOP: CFString = "AllowOpenGOP"
public let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
public let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
public let kVTCompressionPropertyKey_Quality: CFString = "Quality"
public let kVTCompressionPropertyKey_TargetQualityForAlpha: CFString = "TargetQualityForAlpha"
public let kVTCompressionPropertyKey_MoreFramesBeforeStart: CFString = "MoreFramesBeforeStart"
public let kVTCompressionPropertyKey_MoreFramesAfterEnd: CFString = "MoreFramesAfterEnd"
public let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality: CFString = "PrioritizeEncodingSpeedOverQuality"
public let kVTCompressionPropertyKey_ConstantBitRate: CFString = "ConstantBitRate"
public let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
public let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
public let kVTCompressionPropertyKey_Depth: CFString = "Depth"
public let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
public let kVTCompressionPropertyKey_MaxH264SliceBytes: CFString = "MaxH264SliceBytes"
public let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
public let kVTCompressionPropertyKey_MaximizePowerEfficiency: CFString = "MaximizePowerEfficiency"
public let kVTCompressionPropertyKey_SourceFrameCount: CFString = "SourceFrameCount"
public let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
public let kVTCompressionPropertyKey_ExpectedDuration: CFString = "ExpectedDuration"
public let kVTCompressionPropertyKey_BaseLayerFrameRate: CFString = "BaseLayerFrameRate"
public let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: CFString =
    "UsingHardwareAcceleratedVideoEncoder"
public let kVTCompressionPropertyKey_ColorPrimaries: CFString = "ColorPrimaries"
public let kVTCompressionPropertyKey_TransferFunction: CFString = "TransferFunction"
public let kVTCompressionPropertyKey_YCbCrMatrix: CFString = "YCbCrMatrix"
public let kVTCompressionPropertyKey_ICCProfile: CFString = "ICCProfile"
public let kVTCompressionPropertyKey_MasteringDisplayColorVolume: CFString = "MasteringDisplayColorVolume"
public let kVTCompressionPropertyKey_ContentLightLevelInfo: CFString = "ContentLightLevelInfo"
public let kVTCompressionPropertyKey_FieldCount: CFString = "FieldCount"
public let kVTCompressionPropertyKey_FieldDetail: CFString = "FieldDetail"
public let kVTCompressionPropertyKey_AspectRatio16x9: CFString = "AspectRatio16x9"
public let kVTCompressionPropertyKey_ProgressiveScan: CFString = "ProgressiveScan"
public let kVTCompressionPropertyKey_MultiPassStorage: CFString = "MultiPassStorage"
public let kVTCompressionPropertyKey_PixelTransferProperties: CFString = "PixelTransferProperties"
public let kVTCompressionPropertyKey_MinAllowedFrameQP: CFString = "MinAllowedFrameQP"
public let kVTCompressionPropertyKey_MaxAllowedFrameQP: CFString = "MaxAllowedFrameQP"
public let kVTCompressionPropertyKey_ReferenceBufferCount: CFString = "ReferenceBufferCount"
public let kVTCompressionPropertyKey_HDRMetadataInsertionMode: CFString = "HDRMetadataInsertionMode"
public let kVTCompressionPropertyKey_NumberOfPendingFrames: CFString = "NumberOfPendingFrames"
public let kVTCompressionPropertyKey_CleanAperture: CFString = "CleanAperture"
public let kVTCompressionPropertyKey_PixelAspectRatio: CFString = "PixelAspectRatio"
public let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString =
    "EnableHardwareAcceleratedVideoEncoder"
public let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString =
    "RequireHardwareAcceleratedVideoEncoder"
public let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"
public let kVTHDRMetadataInsertionMode_None: CFString = "None"
public let kVTHDRMetadataInsertionMode_Auto: CFString = "Auto"

// MARK: Properties of decompression sessions

public let kVTDecompressionPropertyKey_RealTime: CFString = "RealTime"
public let kVTDecompressionPropertyKey_ThreadCount: CFString = "ThreadCount"
public let kVTDecompressionPropertyKey_FieldMode: CFString = "FieldMode"
public let kVTDecompressionPropertyKey_DeinterlaceMode: CFString = "DeinterlaceMode"
public let kVTDecompressionPropertyKey_ReducedResolutionDecode: CFString = "ReducedResolutionDecode"
public let kVTDecompressionPropertyKey_ReducedFrameDelivery: CFString = "ReducedFrameDelivery"
public let kVTDecompressionPropertyKey_OnlyTheseFrames: CFString = "OnlyTheseFrames"
public let kVTDecompressionPropertyKey_SuggestedQualityOfServiceTiers: CFString = "SuggestedQualityOfServiceTiers"
public let kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: CFString =
    "UsingHardwareAcceleratedVideoDecoder"
public let kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: CFString = "NumberOfFramesBeingDecoded"
public let kVTDecompressionPropertyKey_PixelTransferProperties: CFString = "PixelTransferProperties"
public let kVTDecompressionPropertyKey_MaxOutputPresentationTimeStampOfFramesBeingDecoded: CFString =
    "MaxOutputPresentationTimeStampOfFramesBeingDecoded"
public let kVTDecompressionPropertyKey_MinOutputPresentationTimeStampOfFramesBeingDecoded: CFString =
    "MinOutputPresentationTimeStampOfFramesBeingDecoded"
public let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: CFString =
    "EnableHardwareAcceleratedVideoDecoder"
public let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder: CFString =
    "RequireHardwareAcceleratedVideoDecoder"

// MARK: Properties of scaling

public let kVTScalingMode_Normal: CFString = "Normal"
public let kVTScalingMode_CropSourceToCleanAperture: CFString = "CropSourceToCleanAperture"
public let kVTScalingMode_Letterbox: CFString = "Letterbox"
public let kVTScalingMode_Trim: CFString = "Trim"
public let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"

// MARK: Errors

public let kVTPropertyNotSupportedErr: OSStatus = -12_900
public let kVTPropertyReadOnlyErr: OSStatus = -12_901
public let kVTParameterErr: OSStatus = -12_902
public let kVTInvalidSessionErr: OSStatus = -12_903
public let kVTAllocationFailedErr: OSStatus = -12_904
public let kVTPixelTransferNotSupportedErr: OSStatus = -12_905
public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12_906
public let kVTCouldNotCreateInstanceErr: OSStatus = -12_907
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12_908
public let kVTVideoDecoderBadDataErr: OSStatus = -12_909
public let kVTVideoDecoderUnsupportedDataFormatErr: OSStatus = -12_910
public let kVTVideoDecoderMalfunctionErr: OSStatus = -12_911
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12_912
public let kVTVideoDecoderNotAvailableNowErr: OSStatus = -12_913
public let kVTPixelRotationNotSupportedErr: OSStatus = -12_914
public let kVTVideoEncoderNotAvailableNowErr: OSStatus = -12_915
public let kVTFormatDescriptionChangeNotSupportedErr: OSStatus = -12_916
public let kVTInsufficientSourceColorDataErr: OSStatus = -12_917
public let kVTCouldNotCreateColorCorrectionDataErr: OSStatus = -12_918
public let kVTColorSyncTransformConvertFailedErr: OSStatus = -12_919
public let kVTVideoDecoderAuthorizationErr: OSStatus = -12_210
public let kVTVideoEncoderAuthorizationErr: OSStatus = -12_211
public let kVTColorCorrectionPixelTransferFailedErr: OSStatus = -12_212
public let kVTMultiPassStorageIdentifierMismatchErr: OSStatus = -12_213
public let kVTMultiPassStorageInvalidErr: OSStatus = -12_214
public let kVTFrameSiloInvalidTimeStampErr: OSStatus = -12_215
public let kVTFrameSiloInvalidTimeRangeErr: OSStatus = -12_216
public let kVTCouldNotFindTemporalFilterErr: OSStatus = -12_217
public let kVTPixelTransferNotPermittedErr: OSStatus = -12_218
public let kVTColorCorrectionImageRotationFailedErr: OSStatus = -12_219
public let kVTVideoDecoderRemovedErr: OSStatus = -17_690
