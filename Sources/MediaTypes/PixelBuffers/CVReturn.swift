/// A result code of the pixel buffer functions; `kCVReturnSuccess` is success.
public typealias CVReturn = Int32

/// Bits of options.
public typealias CVOptionFlags = UInt64

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// The first code of the range of errors.
public let kCVReturnFirst: CVReturn = -6660
/// An error without a name.
public let kCVReturnError: CVReturn = kCVReturnFirst
/// An argument cannot be right.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There was no memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// What was asked for is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// There is no such display.
public let kCVReturnInvalidDisplay: CVReturn = -6670
/// The display link runs already.
public let kCVReturnDisplayLinkAlreadyRunning: CVReturn = -6671
/// The display link does not run.
public let kCVReturnDisplayLinkNotRunning: CVReturn = -6672
/// The display link has no callback.
public let kCVReturnDisplayLinkCallbacksNotSet: CVReturn = -6673
/// The pixel format is not known, or cannot be held in memory.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A width or height is not positive, or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// A pixel buffer attribute is missing or wrong.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// The pixel buffer cannot be shown to OpenGL.
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
/// The pixel buffer cannot be shown to Metal.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// The pool has as many buffers as the request allows, and none is free.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The pool could not make a buffer.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// A pool attribute is missing or wrong.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// Try again later.
public let kCVReturnRetry: CVReturn = -6692
/// The last code of the range of errors.
public let kCVReturnLast: CVReturn = -6699
