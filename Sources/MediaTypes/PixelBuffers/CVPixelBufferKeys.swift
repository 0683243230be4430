// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attribute names of pixel buffers and pools. Those about graphics interfaces are taken and change nothing.

/// The pixel buffer attribute: pixel format type.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The pixel buffer attribute: memory allocator.
public let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"
/// The pixel buffer attribute: width.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The pixel buffer attribute: height.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// The pixel buffer attribute: extended pixels left.
public let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
/// The pixel buffer attribute: extended pixels top.
public let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
/// The pixel buffer attribute: extended pixels right.
public let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
/// The pixel buffer attribute: extended pixels bottom.
public let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
/// The pixel buffer attribute: bytes per row alignment.
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
/// The pool attribute: the age in seconds at which Apple's pools may free an unused buffer; not used here.
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// The auxiliary attribute of a request: the number of buffers at which the pool allocates no more.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
