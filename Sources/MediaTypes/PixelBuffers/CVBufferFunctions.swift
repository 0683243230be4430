// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Pixel buffer attribute key: attachments that propagate.
public let kCVBufferPropagatedAttachmentsKey: CFString = "PropagatedAttachments"
/// Pixel buffer attribute key: attachments that do not propagate.
public let kCVBufferNonPropagatedAttachmentsKey: CFString = "NonPropagatedAttachments"
/// The attachment key of a movie time: a dictionary of value and timescale.
public let kCVBufferMovieTimeKey: CFString = "QTMovieTime"
/// The key of a movie time's value.
public let kCVBufferTimeValueKey: CFString = "TimeValue"
/// The key of a movie time's timescale.
public let kCVBufferTimeScaleKey: CFString = "TimeScale"

/// Sets an attachment, replacing one with the same key.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
    buffer.attachments[key] = attachmentMode == .shouldPropagate ? .shouldPropagate(value) : .shouldNotPropagate(value)
}

/// Returns the attachment for a key, with its mode in `attachmentMode`; nil if there is none.
///
/// - Note: Unlike Apple, the value itself is returned and not an `Unmanaged` of it.
public func CVBufferGetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
    CVBufferCopyAttachment(buffer, key, attachmentMode)
}

/// Returns the attachment for a key, with its mode in `attachmentMode`; nil if there is none.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = buffer.attachments[key] else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// Whether there is an attachment for a key.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool { buffer.attachments[key] != nil }

/// Removes the attachment for a key.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    buffer.attachments.removeValue(forKey: key)
}

/// Removes all attachments.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.attachments.removeAll() }

/// Returns the attachments of one mode; nil if there are none.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    CVBufferCopyAttachments(buffer, attachmentMode)
}

/// Returns the attachments of one mode; nil if there are none.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    CMCopyDictionaryOfAttachments(allocator: nil, target: buffer, attachmentMode: attachmentMode.rawValue)
}

/// Sets several attachments with one mode, replacing those with equal keys.
public func CVBufferSetAttachments(
    _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
    buffer.attachments.merge(theAttachments, mode: attachmentMode)
}

/// Copies the propagating attachments to another buffer, replacing those with equal keys.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    sourceBuffer.propagateAttachments(to: destinationBuffer)
}
