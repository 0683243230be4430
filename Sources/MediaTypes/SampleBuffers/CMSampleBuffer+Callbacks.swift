// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Called when a sample buffer is invalidated; the number is the `refcon` that was set with it.
public typealias CMSampleBufferInvalidateCallback = (CMSampleBuffer, UInt64) -> Void

/// Sets the function that is called when the buffer is invalidated.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` if a function or handler is already set.
@discardableResult
public func CMSampleBufferSetInvalidateCallback(
    _ sbuf: CMSampleBuffer, invalidateCallback: @escaping CMSampleBufferInvalidateCallback, refcon: UInt64
) -> OSStatus {
    CMSampleBufferSetInvalidateHandler(sbuf) { invalidateCallback($0, refcon) }
}
