// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Called when a sample buffer is invalidated.
public typealias CMSampleBufferInvalidateCallback = (CMSampleBuffer, UInt64) -> Void

/// Sets the function that is called when the buffer is invalidated; an error if one is set.
@discardableResult
public func CMSampleBufferSetInvalidateCallback(
    _ sbuf: CMSampleBuffer, invalidateCallback: @escaping CMSampleBufferInvalidateCallback, refcon: UInt64
) -> OSStatus {
    CMSampleBufferSetInvalidateHandler(sbuf) { invalidateCallback($0, refcon) }
}
