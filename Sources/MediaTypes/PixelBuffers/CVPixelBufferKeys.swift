// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attribute keys of pixel buffers and pools. The attributes for graphics APIs, the memory allocator, the plane
// alignment and the Bayer pattern are accepted and have no effect.

/// The pixel buffer attribute: a pixel format, or an array of formats.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The pixel buffer attribute: memory allocator.
public let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"
/// The pixel buffer attribute: width in pixels.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The pixel buffer attribute: height in pixels.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// The pixel buffer attribute: the number of additional columns on the left.
public let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
/// The pixel buffer attribute: the number of additional rows at the top.
public let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
/// The pixel buffer attribute: the number of additional columns on the right.
public let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
/// The pixel buffer attribute: the number of additional rows at the bottom.
public let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
/// The pixel buffer attribute: the alignment of rows in bytes, a power of two.
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// The pixel buffer attribute: CG bitmap context compatibility.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// The pixel buffer attribute: CG image compatibility.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// The pixel buffer attribute: OpenGL compatibility.
public let kCVPixelBufferOpenGLCompatibilityKey: CFString = "OpenGLCompatibility"
/// The pixel buffer attribute: plane alignment.
public let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
/// The pixel buffer attribute: IOSurface properties.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// The pixel buffer attribute: OpenGL ES compatibility.
public let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
/// The pixel buffer attribute: Metal compatibility.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// The pixel buffer attribute: OpenGL texture cache compatibility.
public let kCVPixelBufferOpenGLTextureCacheCompatibilityKey: CFString = "OpenGLTextureCacheCompatibility"
/// The pixel buffer attribute: OpenGL ES texture cache compatibility.
public let kCVPixelBufferOpenGLESTextureCacheCompatibilityKey: CFString = "OpenGLESTextureCacheCompatibility"
/// The pixel buffer attribute: Bayer pattern.
public let kCVPixelBufferVersatileBayerKey_BayerPattern: CFString = "BayerPattern"
/// The pixel buffer attribute: IOSurface purgeable.
public let kCVPixelBufferIOSurfacePurgeableKey: CFString = "IOSurfacePurgeable"
/// The pool attribute: the number of buffers that the pool allocates when it is created.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// The pool attribute: the age in seconds at which Apple's pools may free an unused buffer; has no effect.
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// The auxiliary attribute: the number of buffers at which the pool stops allocating.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
