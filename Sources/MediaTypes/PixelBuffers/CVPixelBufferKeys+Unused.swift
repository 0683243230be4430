// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// ProRes RAW buffer key: sensel siting offsets.
public let kCVPixelBufferProResRAWKey_SenselSitingOffsets: CFString = "SenselSitingOffsets"
/// ProRes RAW buffer key: black level.
public let kCVPixelBufferProResRAWKey_BlackLevel: CFString = "BlackLevel"
/// ProRes RAW buffer key: white level.
public let kCVPixelBufferProResRAWKey_WhiteLevel: CFString = "WhiteLevel"
/// ProRes RAW buffer key: correlated color temperature of the white balance.
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
/// Pixel buffer attribute that has no effect: IOSurface OpenGL texture compatibility.
public let kCVPixelBufferIOSurfaceOpenGLTextureCompatibilityKey: CFString = "IOSurfaceOpenGLTextureCompatibility"
/// Pixel buffer attribute that has no effect: IOSurface OpenGL FBO compatibility.
public let kCVPixelBufferIOSurfaceOpenGLFBOCompatibilityKey: CFString = "IOSurfaceOpenGLFBOCompatibility"
/// Pixel buffer attribute that has no effect: IOSurface Core Animation compatibility.
public let kCVPixelBufferIOSurfaceCoreAnimationCompatibilityKey: CFString = "IOSurfaceCoreAnimationCompatibility"
/// Pixel buffer attribute that has no effect: IOSurface OpenGL ES texture compatibility.
public let kCVPixelBufferIOSurfaceOpenGLESTextureCompatibilityKey: CFString = "IOSurfaceOpenGLESTextureCompatibility"
/// Pixel buffer attribute that has no effect: IOSurface OpenGL ES FBO compatibility.
public let kCVPixelBufferIOSurfaceOpenGLESFBOCompatibilityKey: CFString = "IOSurfaceOpenGLESFBOCompatibility"
/// The name of the notification that a buffer was returned to its pool; it is never posted.
public let kCVPixelBufferPoolFreeBufferNotification: CFString = "kCVPixelBufferPoolFreeBufferNotification"
/// Pixel format key that has no effect: OpenGL format.
public let kCVPixelFormatOpenGLFormat: CFString = "OpenGLFormat"
/// Pixel format key that has no effect: OpenGL type.
public let kCVPixelFormatOpenGLType: CFString = "OpenGLType"
/// Pixel format key that has no effect: OpenGL internal format.
public let kCVPixelFormatOpenGLInternalFormat: CFString = "OpenGLInternalFormat"
/// Pixel format key that has no effect: QuickDraw compatibility.
public let kCVPixelFormatQDCompatibility: CFString = "QDCompatibility"
/// Pixel format key that has no effect: OpenGL compatibility.
public let kCVPixelFormatOpenGLCompatibility: CFString = "OpenGLCompatibility"
/// Pixel format key that has no effect: OpenGL ES compatibility.
public let kCVPixelFormatOpenGLESCompatibility: CFString = "OpenGLESCompatibility"
/// Pixel format key that has no effect: fill extended pixels callback.
public let kCVPixelFormatFillExtendedPixelsCallback: CFString = "FillExtendedPixelsCallback"
/// The attachment for the display mask rectangle of the left eye.
public let kCVImageBufferDisplayMaskRectangleStereoLeftKey: CFString = "CVImageBufferDisplayMaskRectangleStereoLeft"
/// The attachment for the display mask rectangle of the right eye.
public let kCVImageBufferDisplayMaskRectangleStereoRightKey: CFString = "CVImageBufferDisplayMaskRectangleStereoRight"
