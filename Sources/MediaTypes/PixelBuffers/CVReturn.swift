/// A result code of the pixel buffer functions; `kCVReturnSuccess` is success.
public typealias CVReturn = Int32

/// The raw value of the option sets of pixel buffers and pools, such as `CVPixelBufferLockFlags`.
public typealias CVOptionFlags = UInt64

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// The first code of the range of errors.
public let kCVReturnFirst: CVReturn = -6660
/// An unspecified error.
public let kCVReturnError: CVReturn = kCVReturnFirst
/// An invalid argument.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The allocation failed.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The request is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// There is no such display.
public let kCVReturnInvalidDisplay: CVReturn = -6670
/// The display link is already running.
public let kCVReturnDisplayLinkAlreadyRunning: CVReturn = -6671
/// The display link is not running.
public let kCVReturnDisplayLinkNotRunning: CVReturn = -6672
/// The display link has no callback.
public let kCVReturnDisplayLinkCallbacksNotSet: CVReturn = -6673
/// The pixel format is unknown or not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A width or height is not positive, or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// A pixel buffer attribute is missing or invalid.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// The pixel buffer is not compatible with OpenGL.
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
/// The pixel buffer is not compatible with Metal.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// The pool has reached the allocation threshold of the request, and no buffer is available for reuse.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The pool could not allocate a buffer.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// A pool attribute is missing or invalid.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The operation conflicts with a concurrent one; the client can retry it.
public let kCVReturnRetry: CVReturn = -6692
/// The last code of the range of errors.
public let kCVReturnLast: CVReturn = -6699
