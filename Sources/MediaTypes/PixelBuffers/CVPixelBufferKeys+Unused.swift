// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// ProRes RAW buffer key: sensel siting offsets.
public let kCVPixelBufferProResRAWKey_SenselSitingOffsets: CFString = "SenselSitingOffsets"
/// ProRes RAW buffer key: black level.
public let kCVPixelBufferProResRAWKey_BlackLevel: CFString = "BlackLevel"
/// ProRes RAW buffer key: white level.
public let kCVPixelBufferProResRAWKey_WhiteLevel: CFString = "WhiteLevel"
/// ProRes RAW buffer key: white balance CCT.
public let kCVPixelBufferProResRAWKey_WhiteBalanceCCT: CFString = "WhiteBalanceCCT"
/// ProRes RAW buffer key: white balance red factor.
public let kCVPixelBufferProResRAWKey_WhiteBalanceRedFactor: CFString = "WhiteBalanceRedFactor"
/// ProRes RAW buffer key: white balance blue factor.
public let kCVPixelBufferProResRAWKey_WhiteBalanceBlueFactor: CFString = "WhiteBalanceBlueFactor"
/// ProRes RAW buffer key: color matrix.
public let kCVPixelBufferProResRAWKey_ColorMatrix: CFString = "ColorMatrix"
/// ProRes RAW buffer key: gain factor.
public let kCVPixelBufferProResRAWKey_GainFactor: CFString = "GainFactor"
/// ProRes RAW buffer key: recommended crop.
public let kCVPixelBufferProResRAWKey_RecommendedCrop: CFString = "RecommendedCrop"
/// ProRes RAW buffer key: metadata extension.
public let kCVPixelBufferProResRAWKey_MetadataExtension: CFString = "MetadataExtension"
/// Pixel buffer attribute without effect: IO surface open GL texture compatibility.
public let kCVPixelBufferIOSurfaceOpenGLTextureCompatibilityKey: CFString = "IOSurfaceOpenGLTextureCompatibility"
/// Pixel buffer attribute without effect: IO surface open GLFBO compatibility.
public let kCVPixelBufferIOSurfaceOpenGLFBOCompatibilityKey: CFString = "IOSurfaceOpenGLFBOCompatibility"
/// Pixel buffer attribute without effect: IO surface core animation compatibility.
public let kCVPixelBufferIOSurfaceCoreAnimationCompatibilityKey: CFString = "IOSurfaceCoreAnimationCompatibility"
/// Pixel buffer attribute without effect: IO surface open GLES texture compatibility.
public let kCVPixelBufferIOSurfaceOpenGLESTextureCompatibilityKey: CFString = "IOSurfaceOpenGLESTextureCompatibility"
/// Pixel buffer attribute without effect: IO surface open GLESFBO compatibility.
public let kCVPixelBufferIOSurfaceOpenGLESFBOCompatibilityKey: CFString = "IOSurfaceOpenGLESFBOCompatibility"
/// The notification of a buffer that returns to its pool; nothing posts it.
public let kCVPixelBufferPoolFreeBufferNotification: CFString = "kCVPixelBufferPoolFreeBufferNotification"
/// Pixel format key without effect: open GL format.
public let kCVPixelFormatOpenGLFormat: CFString = "OpenGLFormat"
/// Pixel format key without effect: open GL type.
public let kCVPixelFormatOpenGLType: CFString = "OpenGLType"
/// Pixel format key without effect: open GL internal format.
public let kCVPixelFormatOpenGLInternalFormat: CFString = "OpenGLInternalFormat"
/// Pixel format key without effect: QD compatibility.
public let kCVPixelFormatQDCompatibility: CFString = "QDCompatibility"
/// Pixel format key without effect: open GL compatibility.
public let kCVPixelFormatOpenGLCompatibility: CFString = "OpenGLCompatibility"
/// Pixel format key without effect: open GLES compatibility.
public let kCVPixelFormatOpenGLESCompatibility: CFString = "OpenGLESCompatibility"
/// Pixel format key without effect: fill extended pixels callback.
public let kCVPixelFormatFillExtendedPixelsCallback: CFString = "FillExtendedPixelsCallback"
/// The attachment for the display mask rectangle of the left eye.
public let kCVImageBufferDisplayMaskRectangleStereoLeftKey: CFString = "CVImageBufferDisplayMaskRectangleStereoLeft"
/// The attachment for the display mask rectangle of the right eye.
public let kCVImageBufferDisplayMaskRectangleStereoRightKey: CFString = "CVImageBufferDisplayMaskRectangleStereoRight"
