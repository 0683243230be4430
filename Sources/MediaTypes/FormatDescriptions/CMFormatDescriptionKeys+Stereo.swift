// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

// Format description extensions of stereo and immersive video.

/// Extension key: horizontal field of view, in thousandths of a degree.
public let kCMFormatDescriptionExtension_HorizontalFieldOfView: CFString = "HorizontalFieldOfView"
/// Extension key: the hero eye (the preferred eye for monoscopic playback), a `kCMFormatDescriptionHeroEye_…`.
public let kCMFormatDescriptionExtension_HeroEye: CFString = "HeroEye"
/// Extension key: the distance between the two lenses, in micrometers.
public let kCMFormatDescriptionExtension_StereoCameraBaseline: CFString = "StereoCameraBaseline"
/// Extension key: horizontal disparity adjustment.
public let kCMFormatDescriptionExtension_HorizontalDisparityAdjustment: CFString = "HorizontalDisparityAdjustment"
/// Extension key: whether there is a view for the left eye.
public let kCMFormatDescriptionExtension_HasLeftStereoEyeView: CFString = "HasLeftStereoEyeView"
/// Extension key: whether there is a view for the right eye.
public let kCMFormatDescriptionExtension_HasRightStereoEyeView: CFString = "HasRightStereoEyeView"
/// Extension key: whether there are views besides those of the eyes.
public let kCMFormatDescriptionExtension_HasAdditionalViews: CFString = "HasAdditionalViews"
/// Extension key: projection kind.
public let kCMFormatDescriptionExtension_ProjectionKind: CFString = "ProjectionKind"
/// Extension key: view packing kind.
public let kCMFormatDescriptionExtension_ViewPackingKind: CFString = "ViewPackingKind"
/// Extension key: camera calibration data lens collection.
public let kCMFormatDescriptionExtension_CameraCalibrationDataLensCollection: CFString =
    "CameraCalibrationDataLensCollection"
/// Extension key: ambient viewing environment.
public let kCMFormatDescriptionExtension_AmbientViewingEnvironment: CFString =
    kCVImageBufferAmbientViewingEnvironmentKey
/// Hero eye: left.
public let kCMFormatDescriptionHeroEye_Left: CFString = "Left"
/// Hero eye: right.
public let kCMFormatDescriptionHeroEye_Right: CFString = "Right"
/// Projection kind: rectilinear.
public let kCMFormatDescriptionProjectionKind_Rectilinear: CFString = "Rectilinear"
/// Projection kind: equirectangular.
public let kCMFormatDescriptionProjectionKind_Equirectangular: CFString = "Equirectangular"
/// Projection kind: half equirectangular.
public let kCMFormatDescriptionProjectionKind_HalfEquirectangular: CFString = "HalfEquirectangular"
/// Projection kind: parametric immersive.
public let kCMFormatDescriptionProjectionKind_ParametricImmersive: CFString = "ParametricImmersive"
/// Projection kind: Apple Immersive Video.
public let kCMFormatDescriptionProjectionKind_AppleImmersiveVideo: CFString = "AppleImmersiveVideo"
/// View packing kind: side by side.
public let kCMFormatDescriptionViewPackingKind_SideBySide: CFString = "SideBySide"
/// View packing kind: over under.
public let kCMFormatDescriptionViewPackingKind_OverUnder: CFString = "OverUnder"
/// Camera calibration key: lens algorithm kind.
public let kCMFormatDescriptionCameraCalibration_LensAlgorithmKind: CFString = "LensAlgorithmKind"
/// Camera calibration key: lens domain.
public let kCMFormatDescriptionCameraCalibration_LensDomain: CFString = "LensDomain"
/// Camera calibration key: lens identifier.
public let kCMFormatDescriptionCameraCalibration_LensIdentifier: CFString = "LensIdentifier"
/// Camera calibration key: lens role.
public let kCMFormatDescriptionCameraCalibration_LensRole: CFString = "LensRole"
/// Camera calibration key: lens distortions.
public let kCMFormatDescriptionCameraCalibration_LensDistortions: CFString = "LensDistortions"
/// Camera calibration key: lens frame adjustments polynomial X.
public let kCMFormatDescriptionCameraCalibration_LensFrameAdjustmentsPolynomialX: CFString =
    "LensFrameAdjustmentsPolynomialX"
/// Camera calibration key: lens frame adjustments polynomial Y.
public let kCMFormatDescriptionCameraCalibration_LensFrameAdjustmentsPolynomialY: CFString =
    "LensFrameAdjustmentsPolynomialY"
/// Camera calibration key: radial angle limit.
public let kCMFormatDescriptionCameraCalibration_RadialAngleLimit: CFString = "RadialAngleLimit"
/// Camera calibration key: intrinsic matrix.
public let kCMFormatDescriptionCameraCalibration_IntrinsicMatrix: CFString = "IntrinsicMatrix"
/// Camera calibration key: intrinsic matrix projection offset.
public let kCMFormatDescriptionCameraCalibration_IntrinsicMatrixProjectionOffset: CFString =
    "IntrinsicMatrixProjectionOffset"
/// Camera calibration key: intrinsic matrix reference dimensions.
public let kCMFormatDescriptionCameraCalibration_IntrinsicMatrixReferenceDimensions: CFString =
    "IntrinsicMatrixReferenceDimensions"
/// Camera calibration key: extrinsic origin source.
public let kCMFormatDescriptionCameraCalibration_ExtrinsicOriginSource: CFString = "ExtrinsicOriginSource"
/// Camera calibration key: extrinsic orientation quaternion.
public let kCMFormatDescriptionCameraCalibration_ExtrinsicOrientationQuaternion: CFString =
    "ExtrinsicOrientationQuaternion"
/// Lens algorithm kind: parametric lens.
public let kCMFormatDescriptionCameraCalibrationLensAlgorithmKind_ParametricLens: CFString = "ParametricLens"
/// Lens domain: color.
public let kCMFormatDescriptionCameraCalibrationLensDomain_Color: CFString = "Color"
/// Lens role: mono.
public let kCMFormatDescriptionCameraCalibrationLensRole_Mono: CFString = "Mono"
/// Lens role: left.
public let kCMFormatDescriptionCameraCalibrationLensRole_Left: CFString = "Left"
/// Lens role: right.
public let kCMFormatDescriptionCameraCalibrationLensRole_Right: CFString = "Right"
/// Extrinsic origin source: stereo camera system baseline.
public let kCMFormatDescriptionCameraCalibrationExtrinsicOriginSource_StereoCameraSystemBaseline: CFString =
    "StereoCameraSystemBaseline"
