// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// Format description extensions. Those that are also image buffer attachments have the same keys and values.

/// Extension key: original compression settings.
public let kCMFormatDescriptionExtension_OriginalCompressionSettings: CFString = "OriginalCompressionSettings"
/// Extension key: the boxes (atoms) of the sample description, as a dictionary by four-character code.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString = "SampleDescriptionExtensionAtoms"
/// Extension key: the sample description as stored in the file.
public let kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString = "VerbatimSampleDescription"
/// Extension key: the ISO sample entry as stored in the file.
public let kCMFormatDescriptionExtension_VerbatimISOSampleEntry: CFString = "VerbatimISOSampleEntry"
/// Extension key: format name.
public let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"
/// Extension key: bits per pixel.
public let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
/// Extension key: clean aperture.
public let kCMFormatDescriptionExtension_CleanAperture: CFString = kCVImageBufferCleanApertureKey
/// Clean aperture key: width in pixels.
public let kCMFormatDescriptionKey_CleanApertureWidth: CFString = "Width"
/// Clean aperture key: height in pixels.
public let kCMFormatDescriptionKey_CleanApertureHeight: CFString = "Height"
/// Clean aperture key: horizontal offset of the center in pixels, positive to the right.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString = "HorizontalOffset"
/// Clean aperture key: vertical offset of the center in pixels, positive downward.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString = "VerticalOffset"
/// Clean aperture key: width, as an array of numerator and denominator.
public let kCMFormatDescriptionKey_CleanApertureWidthRational: CFString = "CleanApertureWidthRational"
/// Clean aperture key: height, as an array of numerator and denominator.
public let kCMFormatDescriptionKey_CleanApertureHeightRational: CFString = "CleanApertureHeightRational"
/// Clean aperture key: horizontal offset, as an array of numerator and denominator.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: CFString =
    "CleanApertureHorizontalOffsetRational"
/// Clean aperture key: vertical offset, as an array of numerator and denominator.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational: CFString = "CleanApertureVerticalOffsetRational"
/// Extension key: the number of fields in a frame, 1 or 2.
public let kCMFormatDescriptionExtension_FieldCount: CFString = kCVImageBufferFieldCountKey
/// Extension key: the field order, a `kCMFormatDescriptionFieldDetail_…`.
public let kCMFormatDescriptionExtension_FieldDetail: CFString = kCVImageBufferFieldDetailKey
/// Field order: separate fields, top field first.
public let kCMFormatDescriptionFieldDetail_TemporalTopFirst: CFString = kCVImageBufferFieldDetailTemporalTopFirst
/// Field order: separate fields, bottom field first.
public let kCMFormatDescriptionFieldDetail_TemporalBottomFirst: CFString = kCVImageBufferFieldDetailTemporalBottomFirst
/// Field order: interleaved fields, first row in the earlier field.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly: CFString =
    kCVImageBufferFieldDetailSpatialFirstLineEarly
/// Field order: interleaved fields, first row in the later field.
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineLate: CFString =
    kCVImageBufferFieldDetailSpatialFirstLineLate
/// Extension key: pixel aspect ratio.
public let kCMFormatDescriptionExtension_PixelAspectRatio: CFString = kCVImageBufferPixelAspectRatioKey
/// Pixel aspect ratio key: the relative width of a pixel.
public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString = "HorizontalSpacing"
/// Pixel aspect ratio key: the relative height of a pixel.
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString = "VerticalSpacing"
/// Extension key: color primaries.
public let kCMFormatDescriptionExtension_ColorPrimaries: CFString = kCVImageBufferColorPrimariesKey
/// Color primaries: ITU-R BT.709.
public let kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString = kCVImageBufferColorPrimaries_ITU_R_709_2
/// Color primaries: EBU Tech 3213.
public let kCMFormatDescriptionColorPrimaries_EBU_3213: CFString = kCVImageBufferColorPrimaries_EBU_3213
/// Color primaries: SMPTE C.
public let kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString = kCVImageBufferColorPrimaries_SMPTE_C
/// Color primaries: DCI P3.
public let kCMFormatDescriptionColorPrimaries_DCI_P3: CFString = kCVImageBufferColorPrimaries_DCI_P3
/// Color primaries: P3 with white point D65.
public let kCMFormatDescriptionColorPrimaries_P3_D65: CFString = kCVImageBufferColorPrimaries_P3_D65
/// Color primaries: ITU-R BT.2020.
public let kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString = kCVImageBufferColorPrimaries_ITU_R_2020
/// Color primaries: P22 phosphors.
public let kCMFormatDescriptionColorPrimaries_P22: CFString = kCVImageBufferColorPrimaries_P22
/// Extension key: transfer function.
public let kCMFormatDescriptionExtension_TransferFunction: CFString = kCVImageBufferTransferFunctionKey
/// Transfer function: ITU-R BT.709.
public let kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString = kCVImageBufferTransferFunction_ITU_R_709_2
/// Transfer function: SMPTE 240M.
public let kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString =
    kCVImageBufferTransferFunction_SMPTE_240M_1995
/// Transfer function: a power function; the gamma level is its exponent.
public let kCMFormatDescriptionTransferFunction_UseGamma: CFString = kCVImageBufferTransferFunction_UseGamma
/// Transfer function: ITU-R BT.2020.
public let kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString = kCVImageBufferTransferFunction_ITU_R_2020
/// Transfer function: SMPTE ST 428-1 (gamma 2.6).
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString = kCVImageBufferTransferFunction_SMPTE_ST_428_1
/// Transfer function: PQ (SMPTE ST 2084).
public let kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString =
    kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
/// Transfer function: HLG (ITU-R BT.2100).
public let kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString = kCVImageBufferTransferFunction_ITU_R_2100_HLG
/// Transfer function: linear.
public let kCMFormatDescriptionTransferFunction_Linear: CFString = kCVImageBufferTransferFunction_Linear
/// Transfer function: sRGB.
public let kCMFormatDescriptionTransferFunction_sRGB: CFString = kCVImageBufferTransferFunction_sRGB
/// Extension key: gamma level.
public let kCMFormatDescriptionExtension_GammaLevel: CFString = kCVImageBufferGammaLevelKey
/// Extension key: YCbCr matrix.
public let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = kCVImageBufferYCbCrMatrixKey
/// YCbCr matrix: ITU-R BT.709.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString = kCVImageBufferYCbCrMatrix_ITU_R_709_2
/// YCbCr matrix: ITU-R BT.601.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString = kCVImageBufferYCbCrMatrix_ITU_R_601_4
/// YCbCr matrix: SMPTE 240M.
public let kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString = kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
/// YCbCr matrix: ITU-R BT.2020.
public let kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString = kCVImageBufferYCbCrMatrix_ITU_R_2020
/// Extension key: whether component values have full range.
public let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
/// Extension key: ICC profile.
public let kCMFormatDescriptionExtension_ICCProfile: CFString = kCVImageBufferICCProfileKey
/// Extension key: bytes per row of uncompressed video.
public let kCMFormatDescriptionExtension_BytesPerRow: CFString = "BytesPerRow"
/// Extension key: the chroma location in progressive frames and in the top field.
public let kCMFormatDescriptionExtension_ChromaLocationTopField: CFString = kCVImageBufferChromaLocationTopFieldKey
/// Extension key: the chroma location in the bottom field.
public let kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString =
    kCVImageBufferChromaLocationBottomFieldKey
/// Chroma location: left.
public let kCMFormatDescriptionChromaLocation_Left: CFString = kCVImageBufferChromaLocation_Left
/// Chroma location: center.
public let kCMFormatDescriptionChromaLocation_Center: CFString = kCVImageBufferChromaLocation_Center
/// Chroma location: top left.
public let kCMFormatDescriptionChromaLocation_TopLeft: CFString = kCVImageBufferChromaLocation_TopLeft
/// Chroma location: top.
public let kCMFormatDescriptionChromaLocation_Top: CFString = kCVImageBufferChromaLocation_Top
/// Chroma location: bottom left.
public let kCMFormatDescriptionChromaLocation_BottomLeft: CFString = kCVImageBufferChromaLocation_BottomLeft
/// Chroma location: bottom.
public let kCMFormatDescriptionChromaLocation_Bottom: CFString = kCVImageBufferChromaLocation_Bottom
/// Chroma location: as in DV (PAL).
public let kCMFormatDescriptionChromaLocation_DV420: CFString = kCVImageBufferChromaLocation_DV420
/// Extension key: the MPEG-2 profile, a `kCMMPEG2VideoProfile_…`.
public let kCMFormatDescriptionConformsToMPEG2VideoProfile: CFString = "ConformsToMPEG2VideoProfile"
/// Extension key: protected content original format.
public let kCMFormatDescriptionExtension_ProtectedContentOriginalFormat: CFString = "ProtectedContentOriginalFormat"
/// Extension key: temporal quality.
public let kCMFormatDescriptionExtension_TemporalQuality: CFString = "TemporalQuality"
/// Extension key: spatial quality.
public let kCMFormatDescriptionExtension_SpatialQuality: CFString = "SpatialQuality"
/// Extension key: the image description as stored in the file.
public let kCMFormatDescriptionExtension_VerbatimImageDescription: CFString = "VerbatimImageDescription"
/// Extension key: version.
public let kCMFormatDescriptionExtension_Version: CFString = "Version"
/// Extension key: revision level.
public let kCMFormatDescriptionExtension_RevisionLevel: CFString = "RevisionLevel"
/// Extension key: vendor.
public let kCMFormatDescriptionExtension_Vendor: CFString = "Vendor"
/// Vendor: Apple.
public let kCMFormatDescriptionVendor_Apple: CFString = "appl"
/// Extension key: the color volume of the mastering display (SMPTE ST 2086).
public let kCMFormatDescriptionExtension_MasteringDisplayColorVolume: CFString =
    kCVImageBufferMasteringDisplayColorVolumeKey
/// Extension key: the content light level (CTA-861.3).
public let kCMFormatDescriptionExtension_ContentLightLevelInfo: CFString = kCVImageBufferContentLightLevelInfoKey
/// Extension key: content color volume.
public let kCMFormatDescriptionExtension_ContentColorVolume: CFString = "ContentColorVolume"
/// Extension key: alternative transfer characteristics.
public let kCMFormatDescriptionExtension_AlternativeTransferCharacteristics: CFString =
    "AlternativeTransferCharacteristics"
/// Extension key: auxiliary type info.
public let kCMFormatDescriptionExtension_AuxiliaryTypeInfo: CFString = "AuxiliaryTypeInfo"
/// Extension key: alpha channel mode.
public let kCMFormatDescriptionExtension_AlphaChannelMode: CFString = kCVImageBufferAlphaChannelModeKey
/// Alpha mode: colors are not multiplied by alpha.
public let kCMFormatDescriptionAlphaChannelMode_StraightAlpha: CFString = kCVImageBufferAlphaChannelMode_StraightAlpha
/// Alpha mode: colors are multiplied by alpha.
public let kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha: CFString =
    kCVImageBufferAlphaChannelMode_PremultipliedAlpha
/// Extension key: contains alpha channel.
public let kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString = "ContainsAlphaChannel"
/// Extension key: bits per component.
public let kCMFormatDescriptionExtension_BitsPerComponent: CFString = "BitsPerComponent"
/// Extension key: log transfer function.
public let kCMFormatDescriptionExtension_LogTransferFunction: CFString = kCVImageBufferLogTransferFunctionKey
/// Logarithmic transfer function: Apple Log.
public let kCMFormatDescriptionLogTransferFunction_AppleLog: CFString = kCVImageBufferLogTransferFunction_AppleLog
/// Extension key: converted from external spherical tags.
public let kCMFormatDescriptionExtension_ConvertedFromExternalSphericalTags: CFString =
    "ConvertedFromExternalSphericalTags"
