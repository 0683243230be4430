// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attachment keys of image buffers, and their values. Format descriptions use the same strings, so attachments are
// copied to them unchanged.

/// Attachment key: color space.
public let kCVImageBufferCGColorSpaceKey: CFString = "CVImageBufferCGColorSpace"
/// Attachment key: clean aperture.
public let kCVImageBufferCleanApertureKey: CFString = "CVImageBufferCleanAperture"
/// Clean aperture key: width in pixels.
public let kCVImageBufferCleanApertureWidthKey: CFString = "Width"
/// Clean aperture key: height in pixels.
public let kCVImageBufferCleanApertureHeightKey: CFString = "Height"
/// Clean aperture key: horizontal offset of the center in pixels, positive to the right.
public let kCVImageBufferCleanApertureHorizontalOffsetKey: CFString = "HorizontalOffset"
/// Clean aperture key: vertical offset of the center in pixels, positive downward.
public let kCVImageBufferCleanApertureVerticalOffsetKey: CFString = "VerticalOffset"
/// Attachment key: preferred clean aperture.
public let kCVImageBufferPreferredCleanApertureKey: CFString = "CVImageBufferPreferredCleanAperture"
/// Attachment key: the number of fields in the image, 1 or 2.
public let kCVImageBufferFieldCountKey: CFString = "CVImageBufferFieldCount"
/// Attachment key: the field order, a `kCVImageBufferFieldDetail…`.
public let kCVImageBufferFieldDetailKey: CFString = "CVImageBufferFieldDetail"
/// Field order: separate fields, top field first.
public let kCVImageBufferFieldDetailTemporalTopFirst: CFString = "TemporalTopFirst"
/// Field order: separate fields, bottom field first.
public let kCVImageBufferFieldDetailTemporalBottomFirst: CFString = "TemporalBottomFirst"
/// Field order: interleaved fields, first row in the earlier field.
public let kCVImageBufferFieldDetailSpatialFirstLineEarly: CFString = "SpatialFirstLineEarly"
/// Field order: interleaved fields, first row in the later field.
public let kCVImageBufferFieldDetailSpatialFirstLineLate: CFString = "SpatialFirstLineLate"
/// Attachment key: pixel aspect ratio.
public let kCVImageBufferPixelAspectRatioKey: CFString = "CVImageBufferPixelAspectRatio"
/// Pixel aspect ratio key: the relative width of a pixel.
public let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString = "HorizontalSpacing"
/// Pixel aspect ratio key: the relative height of a pixel.
public let kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString = "VerticalSpacing"
/// Attachment key: display dimensions.
public let kCVImageBufferDisplayDimensionsKey: CFString = "CVImageBufferDisplayDimensions"
/// Display dimensions key: width in square pixels.
public let kCVImageBufferDisplayWidthKey: CFString = "Width"
/// Display dimensions key: height in square pixels.
public let kCVImageBufferDisplayHeightKey: CFString = "Height"
/// Attachment key: gamma level.
public let kCVImageBufferGammaLevelKey: CFString = "CVImageBufferGammaLevel"
/// Attachment key: ICC profile.
public let kCVImageBufferICCProfileKey: CFString = "CVImageBufferICCProfile"
/// Attachment key: YCbCr matrix.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// YCbCr matrix: ITU-R BT.709.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// YCbCr matrix: ITU-R BT.601.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// YCbCr matrix: SMPTE 240M.
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// YCbCr matrix: DCI P3.
public let kCVImageBufferYCbCrMatrix_DCI_P3: CFString = "DCI_P3"
/// YCbCr matrix: P3 with white point D65.
public let kCVImageBufferYCbCrMatrix_P3_D65: CFString = "P3_D65"
/// YCbCr matrix: ITU-R BT.2020.
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
/// Attachment key: color primaries.
public let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// Color primaries: ITU-R BT.709.
public let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Color primaries: EBU Tech 3213.
public let kCVImageBufferColorPrimaries_EBU_3213: CFString = "EBU_3213"
/// Color primaries: SMPTE C.
public let kCVImageBufferColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// Color primaries: P22 phosphors.
public let kCVImageBufferColorPrimaries_P22: CFString = "P22"
/// Color primaries: DCI P3.
public let kCVImageBufferColorPrimaries_DCI_P3: CFString = "DCI_P3"
/// Color primaries: P3 with white point D65.
public let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// Color primaries: ITU-R BT.2020.
public let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// Attachment key: transfer function.
public let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// Transfer function: ITU-R BT.709.
public let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Transfer function: SMPTE 240M.
public let kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// Transfer function: a power function; the gamma level is its exponent.
public let kCVImageBufferTransferFunction_UseGamma: CFString = "UseGamma"
/// Transfer function: EBU Tech 3213.
public let kCVImageBufferTransferFunction_EBU_3213: CFString = "EBU_3213"
/// Transfer function: SMPTE C.
public let kCVImageBufferTransferFunction_SMPTE_C: CFString = "SMPTE_C"
/// Transfer function: sRGB.
public let kCVImageBufferTransferFunction_sRGB: CFString = "sRGB"
/// Transfer function: ITU-R BT.2020.
public let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// Transfer function: SMPTE ST 428-1 (gamma 2.6).
public let kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
/// Transfer function: PQ (SMPTE ST 2084).
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// Transfer function: HLG (ITU-R BT.2100).
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// Transfer function: linear.
public let kCVImageBufferTransferFunction_Linear: CFString = "Linear"
/// Attachment key: the chroma location in progressive images and in the top field.
public let kCVImageBufferChromaLocationTopFieldKey: CFString = "CVImageBufferChromaLocationTopField"
/// Attachment key: the chroma location in the bottom field.
public let kCVImageBufferChromaLocationBottomFieldKey: CFString = "CVImageBufferChromaLocationBottomField"
/// Chroma location: left.
public let kCVImageBufferChromaLocation_Left: CFString = "Left"
/// Chroma location: center.
public let kCVImageBufferChromaLocation_Center: CFString = "Center"
/// Chroma location: top left.
public let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
/// Chroma location: top.
public let kCVImageBufferChromaLocation_Top: CFString = "Top"
/// Chroma location: bottom left.
public let kCVImageBufferChromaLocation_BottomLeft: CFString = "BottomLeft"
/// Chroma location: bottom.
public let kCVImageBufferChromaLocation_Bottom: CFString = "Bottom"
/// Chroma location: as in DV (PAL).
public let kCVImageBufferChromaLocation_DV420: CFString = "DV420"
/// Attachment key: chroma subsampling.
public let kCVImageBufferChromaSubsamplingKey: CFString = "CVImageBufferChromaSubsampling"
/// Chroma subsampling: 4:2:0.
public let kCVImageBufferChromaSubsampling_420: CFString = "420"
/// Chroma subsampling: 4:2:2.
public let kCVImageBufferChromaSubsampling_422: CFString = "422"
/// Chroma subsampling: 4:1:1.
public let kCVImageBufferChromaSubsampling_411: CFString = "411"
/// Attachment key: whether all pixels are opaque.
public let kCVImageBufferAlphaChannelIsOpaque: CFString = "CVImageBufferAlphaChannelIsOpaque"
/// Attachment key: alpha channel mode.
public let kCVImageBufferAlphaChannelModeKey: CFString = "CVImageBufferAlphaChannelMode"
/// Alpha mode: colors are not multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
/// Alpha mode: colors are multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"
/// Attachment key: metadata of the sequence for processing after decoding.
public let kCVImageBufferPostDecodeProcessingSequenceMetadataKey: CFString =
    "CVImageBufferPostDecodeProcessingSequenceMetadata"
/// Attachment key: metadata of the frame for processing after decoding.
public let kCVImageBufferPostDecodeProcessingFrameMetadataKey: CFString =
    "CVImageBufferPostDecodeProcessingFrameMetadata"
/// Attachment key: the color volume of the mastering display (SMPTE ST 2086).
public let kCVImageBufferMasteringDisplayColorVolumeKey: CFString = "CVImageBufferMasteringDisplayColorVolume"
/// Attachment key: the content light level (CTA-861.3).
public let kCVImageBufferContentLightLevelInfoKey: CFString = "CVImageBufferContentLightLevelInfo"
/// Attachment key: ambient viewing environment.
public let kCVImageBufferAmbientViewingEnvironmentKey: CFString = "CVImageBufferAmbientViewingEnvironment"
/// Attachment key: the illuminance of the scene in millilux.
public let kCVImageBufferSceneIlluminationKey: CFString = "CVImageBufferSceneIllumination"
/// Attachment key: region of interest.
public let kCVImageBufferRegionOfInterestKey: CFString = "CVImageBufferRegionOfInterest"
/// Attachment key: log transfer function.
public let kCVImageBufferLogTransferFunctionKey: CFString = "CVImageBufferLogTransferFunction"
/// Logarithmic transfer function: Apple Log.
public let kCVImageBufferLogTransferFunction_AppleLog: CFString = "AppleLog"
/// Logarithmic transfer function: Apple Log 2.
public let kCVImageBufferLogTransferFunction_AppleLog2: CFString = "AppleLog2"
/// Attachment key: display mask rectangle.
public let kCVImageBufferDisplayMaskRectangleKey: CFString = "CVImageBufferDisplayMaskRectangle"
/// Display mask rectangle key: reference raster width.
public let kCVImageBufferDisplayMaskRectangle_ReferenceRasterWidthKey: CFString =
    "DisplayMaskRectangle_ReferenceRasterWidthKey"
/// Display mask rectangle key: reference raster height.
public let kCVImageBufferDisplayMaskRectangle_ReferenceRasterHeightKey: CFString =
    "DisplayMaskRectangle_ReferenceRasterHeightKey"
/// Display mask rectangle key: left edge.
public let kCVImageBufferDisplayMaskRectangle_RectangleLeftKey: CFString = "DisplayMaskRectangle_RectangleLeftKey"
/// Display mask rectangle key: width.
public let kCVImageBufferDisplayMaskRectangle_RectangleWidthKey: CFString = "DisplayMaskRectangle_RectangleWidthKey"
/// Display mask rectangle key: top edge.
public let kCVImageBufferDisplayMaskRectangle_RectangleTopKey: CFString = "DisplayMaskRectangle_RectangleTopKey"
/// Display mask rectangle key: height.
public let kCVImageBufferDisplayMaskRectangle_RectangleHeightKey: CFString = "DisplayMaskRectangle_RectangleHeightKey"
/// Display mask rectangle key: left edge points.
public let kCVImageBufferDisplayMaskRectangle_LeftEdgePointsKey: CFString = "DisplayMaskRectangle_LeftEdgePointsKey"
/// Display mask rectangle key: right edge points.
public let kCVImageBufferDisplayMaskRectangle_RightEdgePointsKey: CFString = "DisplayMaskRectangle_RightEdgePointsKey"
