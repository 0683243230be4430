// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The entries of a format description. Tags that an image buffer has too carry the image buffer's names and values.

/// The extension key of: original compression settings.
public let kCMFormatDescriptionExtension_OriginalCompressionSettings: CFString = "OriginalCompressionSettings"
/// The extension key of: sample description extension atoms.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString = "SampleDescriptionExtensionAtoms"
/// The extension key of: verbatim sample description.
public let kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString = "VerbatimSampleDescription"
/// The extension key of: verbatim ISOsample entry.
public let kCMFormatDescriptionExtension_VerbatimISOSampleEntry: CFString = "VerbatimISOSampleEntry"
/// The extension key of: format name.
public let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"
/// The extension key of: depth.
public let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
/// The extension key of: clean aperture.
public let kCMFormatDescriptionExtension_CleanAperture: CFString = kCVImageBufferCleanApertureKey
/// The key, in an aperture or ratio, of: clean aperture width.
public let kCMFormatDescriptionKey_CleanApertureWidth: CFString = "Width"
/// The key, in an aperture or ratio, of: clean aperture height.
public let kCMFormatDescriptionKey_CleanApertureHeight: CFString = "Height"
/// The key, in an aperture or ratio, of: clean aperture horizontal offset.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString = "HorizontalOffset"
/// The key, in an aperture or ratio, of: clean aperture vertical offset.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString = "VerticalOffset"
/// The key, in an aperture or ratio, of: clean aperture width rational.
public let kCMFormatDescriptionKey_CleanApertureWidthRational: CFString = "CleanApertureWidthRational"
/// The key, in an aperture or ratio, of: clean aperture height rational.
public let kCMFormatDescriptionKey_CleanApertureHeightRational: CFString = "CleanApertureHeightRational"
/// The key, in an aperture or ratio, of: clean aperture horizontal offset rational.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: CFString =
    "CleanApertureHorizontalOffsetRational"
/// The key, in an aperture or ratio, of: clean aperture vertical offset rational.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational: CFString = "CleanApertureVerticalOffsetRational"
/// The extension key of: field count.
public let kCMFormatDescriptionExtension_FieldCount: CFString = kCVImageBufferFieldCountKey
/// The extension key of: field detail.
public let kCMFormatDescriptionExtension_FieldDetail: CFString = kCVImageBufferFieldDetailKey
/// An extension value: TemporalTopFirst.
public let kCMFormatDescriptionFieldDetail_TemporalTopFirst: CFString = kCVImageBufferFieldDetailTemporalTopFirst
/// An extension value: TemporalBottomFirst.
public let kCMFormatDescriptionFieldDetail_TemporalBottomFirst: CFString = kCVImageBufferFieldDetailTemporalBottomFirst
/// An extension value: SpatialFirstLineEarly.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly: CFString =
    kCVImageBufferFieldDetailSpatialFirstLineEarly
/// An extension value: SpatialFirstLineLate.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineLate: CFString =
    kCVImageBufferFieldDetailSpatialFirstLineLate
/// The extension key of: pixel aspect ratio.
public let kCMFormatDescriptionExtension_PixelAspectRatio: CFString = kCVImageBufferPixelAspectRatioKey
/// The key, in an aperture or ratio, of: pixel aspect ratio horizontal spacing.
public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString = "HorizontalSpacing"
/// The key, in an aperture or ratio, of: pixel aspect ratio vertical spacing.
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString = "VerticalSpacing"
/// The extension key of: color primaries.
public let kCMFormatDescriptionExtension_ColorPrimaries: CFString = kCVImageBufferColorPrimariesKey
/// An extension value: ITU R 709 2.
public let kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString = kCVImageBufferColorPrimaries_ITU_R_709_2
/// An extension value: EBU 3213.
public let kCMFormatDescriptionColorPrimaries_EBU_3213: CFString = kCVImageBufferColorPrimaries_EBU_3213
/// An extension value: SMPTE C.
public let kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString = kCVImageBufferColorPrimaries_SMPTE_C
/// An extension value: DCI P3.
public let kCMFormatDescriptionColorPrimaries_DCI_P3: CFString = kCVImageBufferColorPrimaries_DCI_P3
/// An extension value: P3 D65.
public let kCMFormatDescriptionColorPrimaries_P3_D65: CFString = kCVImageBufferColorPrimaries_P3_D65
/// An extension value: ITU R 2020.
public let kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString = kCVImageBufferColorPrimaries_ITU_R_2020
/// An extension value: P22.
public let kCMFormatDescriptionColorPrimaries_P22: CFString = kCVImageBufferColorPrimaries_P22
/// The extension key of: transfer function.
public let kCMFormatDescriptionExtension_TransferFunction: CFString = kCVImageBufferTransferFunctionKey
/// An extension value: ITU R 709 2.
public let kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString = kCVImageBufferTransferFunction_ITU_R_709_2
/// An extension value: SMPTE 240M 1995.
public let kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString =
    kCVImageBufferTransferFunction_SMPTE_240M_1995
/// An extension value: UseGamma.
public let kCMFormatDescriptionTransferFunction_UseGamma: CFString = kCVImageBufferTransferFunction_UseGamma
/// An extension value: ITU R 2020.
public let kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString = kCVImageBufferTransferFunction_ITU_R_2020
/// An extension value: SMPTE ST 428 1.
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString = kCVImageBufferTransferFunction_SMPTE_ST_428_1
/// An extension value: SMPTE ST 2084 PQ.
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString =
    kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
/// An extension value: ITU R 2100 HLG.
public let kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString = kCVImageBufferTransferFunction_ITU_R_2100_HLG
/// An extension value: Linear.
public let kCMFormatDescriptionTransferFunction_Linear: CFString = kCVImageBufferTransferFunction_Linear
/// An extension value: sRGB.
public let kCMFormatDescriptionTransferFunction_sRGB: CFString = kCVImageBufferTransferFunction_sRGB
/// The extension key of: gamma level.
public let kCMFormatDescriptionExtension_GammaLevel: CFString = kCVImageBufferGammaLevelKey
/// The extension key of: YCbCr matrix.
public let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = kCVImageBufferYCbCrMatrixKey
/// An extension value: ITU R 709 2.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString = kCVImageBufferYCbCrMatrix_ITU_R_709_2
/// An extension value: ITU R 601 4.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString = kCVImageBufferYCbCrMatrix_ITU_R_601_4
/// An extension value: SMPTE 240M 1995.
public let kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString = kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
/// An extension value: ITU R 2020.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString = kCVImageBufferYCbCrMatrix_ITU_R_2020
/// The extension key of: full range video.
public let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
/// The extension key of: ICC profile.
public let kCMFormatDescriptionExtension_ICCProfile: CFString = kCVImageBufferICCProfileKey
/// The extension key of: bytes per row.
public let kCMFormatDescriptionExtension_BytesPerRow: CFString = "BytesPerRow"
/// The extension key of: chroma location top field.
public let kCMFormatDescriptionExtension_ChromaLocationTopField: CFString = kCVImageBufferChromaLocationTopFieldKey
/// The extension key of: chroma location bottom field.
public let kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString =
    kCVImageBufferChromaLocationBottomFieldKey
/// An extension value: Left.
public let kCMFormatDescriptionChromaLocation_Left: CFString = kCVImageBufferChromaLocation_Left
/// An extension value: Center.
public let kCMFormatDescriptionChromaLocation_Center: CFString = kCVImageBufferChromaLocation_Center
/// An extension value: TopLeft.
public let kCMFormatDescriptionChromaLocation_TopLeft: CFString = kCVImageBufferChromaLocation_TopLeft
/// An extension value: Top.
public let kCMFormatDescriptionChromaLocation_Top: CFString = kCVImageBufferChromaLocation_Top
/// An extension value: BottomLeft.
public let kCMFormatDescriptionChromaLocation_BottomLeft: CFString = kCVImageBufferChromaLocation_BottomLeft
/// An extension value: Bottom.
public let kCMFormatDescriptionChromaLocation_Bottom: CFString = kCVImageBufferChromaLocation_Bottom
/// An extension value: DV420.
public let kCMFormatDescriptionChromaLocation_DV420: CFString = kCVImageBufferChromaLocation_DV420
/// An extension value: ConformsToMPEG2VideoProfile.
public let kCMFormatDescriptionConformsToMPEG2VideoProfile: CFString = "ConformsToMPEG2VideoProfile"
/// The extension key of: protected content original format.
public let kCMFormatDescriptionExtension_ProtectedContentOriginalFormat: CFString = "ProtectedContentOriginalFormat"
/// The extension key of: temporal quality.
public let kCMFormatDescriptionExtension_TemporalQuality: CFString = "TemporalQuality"
/// The extension key of: spatial quality.
public let kCMFormatDescriptionExtension_SpatialQuality: CFString = "SpatialQuality"
/// The extension key of: verbatim image description.
public let kCMFormatDescriptionExtension_VerbatimImageDescription: CFString = "VerbatimImageDescription"
/// The extension key of: version.
public let kCMFormatDescriptionExtension_Version: CFString = "Version"
/// The extension key of: revision level.
public let kCMFormatDescriptionExtension_RevisionLevel: CFString = "RevisionLevel"
/// The extension key of: vendor.
public let kCMFormatDescriptionExtension_Vendor: CFString = "Vendor"
/// An extension value: Apple.
public let kCMFormatDescriptionVendor_Apple: CFString = "appl"
/// The extension key of: mastering display color volume.
public let kCMFormatDescriptionExtension_MasteringDisplayColorVolume: CFString =
    kCVImageBufferMasteringDisplayColorVolumeKey
/// The extension key of: content light level info.
public let kCMFormatDescriptionExtension_ContentLightLevelInfo: CFString = kCVImageBufferContentLightLevelInfoKey
/// The extension key of: content color volume.
public let kCMFormatDescriptionExtension_ContentColorVolume: CFString = "ContentColorVolume"
/// The extension key of: alternative transfer characteristics.
public let kCMFormatDescriptionExtension_AlternativeTransferCharacteristics: CFString =
    "AlternativeTransferCharacteristics"
/// The extension key of: auxiliary type info.
public let kCMFormatDescriptionExtension_AuxiliaryTypeInfo: CFString = "AuxiliaryTypeInfo"
/// The extension key of: alpha channel mode.
public let kCMFormatDescriptionExtension_AlphaChannelMode: CFString = kCVImageBufferAlphaChannelModeKey
/// An extension value: StraightAlpha.
public let kCMFormatDescriptionAlphaChannelMode_StraightAlpha: CFString = kCVImageBufferAlphaChannelMode_StraightAlpha
/// An extension value: PremultipliedAlpha.
public let kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha: CFString =
    kCVImageBufferAlphaChannelMode_PremultipliedAlpha
/// The extension key of: contains alpha channel.
public let kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString = "ContainsAlphaChannel"
/// The extension key of: bits per component.
public let kCMFormatDescriptionExtension_BitsPerComponent: CFString = "BitsPerComponent"
/// The extension key of: log transfer function.
public let kCMFormatDescriptionExtension_LogTransferFunction: CFString = kCVImageBufferLogTransferFunctionKey
/// An extension value: AppleLog.
public let kCMFormatDescriptionLogTransferFunction_AppleLog: CFString = kCVImageBufferLogTransferFunction_AppleLog
/// The extension key of: converted from external spherical tags.
public let kCMFormatDescriptionExtension_ConvertedFromExternalSphericalTags: CFString =
    "ConvertedFromExternalSphericalTags"
