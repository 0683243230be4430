// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attachment names of image buffers and their values. A name's text is the same in a format description, so that
// tags pass from one to the other unchanged.

/// The attachment key of the image's color space.
public let kCVImageBufferCGColorSpaceKey: CFString = "CVImageBufferCGColorSpace"
/// The attachment key of the image's clean aperture.
public let kCVImageBufferCleanApertureKey: CFString = "CVImageBufferCleanAperture"
/// The attachment key of the image's clean aperture width.
public let kCVImageBufferCleanApertureWidthKey: CFString = "Width"
/// The attachment key of the image's clean aperture height.
public let kCVImageBufferCleanApertureHeightKey: CFString = "Height"
/// The attachment key of the image's clean aperture horizontal offset.
public let kCVImageBufferCleanApertureHorizontalOffsetKey: CFString = "HorizontalOffset"
/// The attachment key of the image's clean aperture vertical offset.
public let kCVImageBufferCleanApertureVerticalOffsetKey: CFString = "VerticalOffset"
/// The attachment key of the image's preferred clean aperture.
public let kCVImageBufferPreferredCleanApertureKey: CFString = "CVImageBufferPreferredCleanAperture"
/// The attachment key of the image's field count.
public let kCVImageBufferFieldCountKey: CFString = "CVImageBufferFieldCount"
/// The attachment key of the image's field detail.
public let kCVImageBufferFieldDetailKey: CFString = "CVImageBufferFieldDetail"
/// A field order, as attachment value: Temporal Top First.
public let kCVImageBufferFieldDetailTemporalTopFirst: CFString = "TemporalTopFirst"
/// A field order, as attachment value: Temporal Bottom First.
public let kCVImageBufferFieldDetailTemporalBottomFirst: CFString = "TemporalBottomFirst"
/// A field order, as attachment value: Spatial First Line Early.
public let kCVImageBufferFieldDetailSpatialFirstLineEarly: CFString = "SpatialFirstLineEarly"
/// A field order, as attachment value: Spatial First Line Late.
public let kCVImageBufferFieldDetailSpatialFirstLineLate: CFString = "SpatialFirstLineLate"
/// The attachment key of the image's pixel aspect ratio.
public let kCVImageBufferPixelAspectRatioKey: CFString = "CVImageBufferPixelAspectRatio"
/// The attachment key of the image's pixel aspect ratio horizontal spacing.
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString = "HorizontalSpacing"
/// The attachment key of the image's pixel aspect ratio vertical spacing.
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString = "VerticalSpacing"
/// The attachment key of the image's display dimensions.
public let kCVImageBufferDisplayDimensionsKey: CFString = "CVImageBufferDisplayDimensions"
/// The attachment key of the image's display width.
public let kCVImageBufferDisplayWidthKey: CFString = "Width"
/// The attachment key of the image's display height.
public let kCVImageBufferDisplayHeightKey: CFString = "Height"
/// The attachment key of the image's gamma level.
public let kCVImageBufferGammaLevelKey: CFString = "CVImageBufferGammaLevel"
/// The attachment key of the image's ICC profile.
public let kCVImageBufferICCProfileKey: CFString = "CVImageBufferICCProfile"
/// The attachment key of the image's YCbCr matrix.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// A YCbCr matrix, as attachment value: ITU R 709 2.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// A YCbCr matrix, as attachment value: ITU R 601 4.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// A YCbCr matrix, as attachment value: SMPTE 240M 1995.
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// A YCbCr matrix, as attachment value: DCI P3.
public let kCVImageBufferYCbCrMatrix_DCI_P3: CFString = "DCI_P3"
/// A YCbCr matrix, as attachment value: P3 D65.
public let kCVImageBufferYCbCrMatrix_P3_D65: CFString = "P3_D65"
/// A YCbCr matrix, as attachment value: ITU R 2020.
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
/// The attachment key of the image's color primaries.
public let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// Color primaries, as attachment value: ITU R 709 2.
public let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Color primaries, as attachment value: EBU 3213.
public let kCVImageBufferColorPrimaries_EBU_3213: CFString = "EBU_3213"
/// Color primaries, as attachment value: SMPTE C.
public let kCVImageBufferColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// Color primaries, as attachment value: P22.
public let kCVImageBufferColorPrimaries_P22: CFString = "P22"
/// Color primaries, as attachment value: DCI P3.
public let kCVImageBufferColorPrimaries_DCI_P3: CFString = "DCI_P3"
/// Color primaries, as attachment value: P3 D65.
public let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// Color primaries, as attachment value: ITU R 2020.
public let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// The attachment key of the image's transfer function.
public let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// A transfer function, as attachment value: ITU R 709 2.
public let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// A transfer function, as attachment value: SMPTE 240M 1995.
public let kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// A transfer function, as attachment value: Use Gamma.
public let kCVImageBufferTransferFunction_UseGamma: CFString = "UseGamma"
/// A transfer function, as attachment value: EBU 3213.
public let kCVImageBufferTransferFunction_EBU_3213: CFString = "EBU_3213"
/// A transfer function, as attachment value: SMPTE C.
public let kCVImageBufferTransferFunction_SMPTE_C: CFString = "SMPTE_C"
/// A transfer function, as attachment value: s RGB.
public let kCVImageBufferTransferFunction_sRGB: CFString = "sRGB"
/// A transfer function, as attachment value: ITU R 2020.
public let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// A transfer function, as attachment value: SMPTE ST 428 1.
public let kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
/// A transfer function, as attachment value: SMPTE ST 2084 PQ.
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// A transfer function, as attachment value: ITU R 2100 HLG.
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// A transfer function, as attachment value: Linear.
public let kCVImageBufferTransferFunction_Linear: CFString = "Linear"
/// The attachment key of the image's chroma location top field.
public let kCVImageBufferChromaLocationTopFieldKey: CFString = "CVImageBufferChromaLocationTopField"
/// The attachment key of the image's chroma location bottom field.
public let kCVImageBufferChromaLocationBottomFieldKey: CFString = "CVImageBufferChromaLocationBottomField"
/// A chroma siting, as attachment value: Left.
public let kCVImageBufferChromaLocation_Left: CFString = "Left"
/// A chroma siting, as attachment value: Center.
public let kCVImageBufferChromaLocation_Center: CFString = "Center"
/// A chroma siting, as attachment value: Top Left.
public let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
/// A chroma siting, as attachment value: Top.
public let kCVImageBufferChromaLocation_Top: CFString = "Top"
/// A chroma siting, as attachment value: Bottom Left.
public let kCVImageBufferChromaLocation_BottomLeft: CFString = "BottomLeft"
/// A chroma siting, as attachment value: Bottom.
public let kCVImageBufferChromaLocation_Bottom: CFString = "Bottom"
/// A chroma siting, as attachment value: DV420.
public let kCVImageBufferChromaLocation_DV420: CFString = "DV420"
/// The attachment key of the image's chroma subsampling.
public let kCVImageBufferChromaSubsamplingKey: CFString = "CVImageBufferChromaSubsampling"
/// A chroma subsampling, as attachment value: 420.
public let kCVImageBufferChromaSubsampling_420: CFString = "420"
/// A chroma subsampling, as attachment value: 422.
public let kCVImageBufferChromaSubsampling_422: CFString = "422"
/// A chroma subsampling, as attachment value: 411.
public let kCVImageBufferChromaSubsampling_411: CFString = "411"
/// The attachment key of the image's alpha channel is opaque.
public let kCVImageBufferAlphaChannelIsOpaque: CFString = "CVImageBufferAlphaChannelIsOpaque"
/// The attachment key of the image's alpha channel mode.
public let kCVImageBufferAlphaChannelModeKey: CFString = "CVImageBufferAlphaChannelMode"
/// An alpha mode, as attachment value: Straight Alpha.
public let kCVImageBufferAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
/// An alpha mode, as attachment value: Premultiplied Alpha.
public let kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"
/// The attachment key of the image's post decode processing sequence metadata.
public let kCVImageBufferPostDecodeProcessingSequenceMetadataKey: CFString =
    "CVImageBufferPostDecodeProcessingSequenceMetadata"
/// The attachment key of the image's post decode processing frame metadata.
public let kCVImageBufferPostDecodeProcessingFrameMetadataKey: CFString =
    "CVImageBufferPostDecodeProcessingFrameMetadata"
/// The attachment key of the image's mastering display color volume.
public let kCVImageBufferMasteringDisplayColorVolumeKey: CFString = "CVImageBufferMasteringDisplayColorVolume"
/// The attachment key of the image's content light level info.
public let kCVImageBufferContentLightLevelInfoKey: CFString = "CVImageBufferContentLightLevelInfo"
/// The attachment key of the image's ambient viewing environment.
public let kCVImageBufferAmbientViewingEnvironmentKey: CFString = "CVImageBufferAmbientViewingEnvironment"
/// The attachment key of the image's scene illumination.
public let kCVImageBufferSceneIlluminationKey: CFString = "CVImageBufferSceneIllumination"
/// The attachment key of the image's region of interest.
public let kCVImageBufferRegionOfInterestKey: CFString = "CVImageBufferRegionOfInterest"
/// The attachment key of the image's log transfer function.
public let kCVImageBufferLogTransferFunctionKey: CFString = "CVImageBufferLogTransferFunction"
/// A logarithmic transfer function, as attachment value: Apple Log.
public let kCVImageBufferLogTransferFunction_AppleLog: CFString = "AppleLog"
/// A logarithmic transfer function, as attachment value: Apple Log2.
public let kCVImageBufferLogTransferFunction_AppleLog2: CFString = "AppleLog2"
/// The attachment key of the image's display mask rectangle.
public let kCVImageBufferDisplayMaskRectangleKey: CFString = "CVImageBufferDisplayMaskRectangle"
/// Display mask rectangle key: reference raster width.
public let kCVImageBufferDisplayMaskRectangle_ReferenceRasterWidthKey: CFString =
    "DisplayMaskRectangle_ReferenceRasterWidthKey"
/// Display mask rectangle key: reference raster height.
public let kCVImageBufferDisplayMaskRectangle_ReferenceRasterHeightKey: CFString =
    "DisplayMaskRectangle_ReferenceRasterHeightKey"
/// Display mask rectangle key: rectangle left.
public let kCVImageBufferDisplayMaskRectangle_RectangleLeftKey: CFString = "DisplayMaskRectangle_RectangleLeftKey"
/// Display mask rectangle key: rectangle width.
public let kCVImageBufferDisplayMaskRectangle_RectangleWidthKey: CFString = "DisplayMaskRectangle_RectangleWidthKey"
/// Display mask rectangle key: rectangle top.
public let kCVImageBufferDisplayMaskRectangle_RectangleTopKey: CFString = "DisplayMaskRectangle_RectangleTopKey"
/// Display mask rectangle key: rectangle height.
public let kCVImageBufferDisplayMaskRectangle_RectangleHeightKey: CFString = "DisplayMaskRectangle_RectangleHeightKey"
/// Display mask rectangle key: left edge points.
public let kCVImageBufferDisplayMaskRectangle_LeftEdgePointsKey: CFString = "DisplayMaskRectangle_LeftEdgePointsKey"
/// Display mask rectangle key: right edge points.
public let kCVImageBufferDisplayMaskRectangle_RightEdgePointsKey: CFString = "DisplayMaskRectangle_RightEdgePointsKey"
