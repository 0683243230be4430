// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Whether an attachment propagates: `kCMAttachmentMode_…`.
public typealias CMAttachmentMode = UInt32

/// The attachment does not propagate.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment propagates to buffers that are created from its buffer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that can have attachments: a sample buffer, a block buffer or a pixel buffer.
///
/// Thread-safe.
public protocol CMAttachmentBearerProtocol: AnyObject {
    /// The attachments; reading returns a copy, writing replaces all of them.
    var attachments: CMAttachmentBearerAttachments { get set }
}

extension CMAttachmentBearerProtocol {
    /// Copies the propagating attachments to another object, replacing those with equal keys.
    public func propagateAttachments(to destination: any CMAttachmentBearerProtocol) {
        destination.attachments.merge(attachments.propagated, mode: .shouldPropagate)
    }
}

/// The parameter type of `CMGetAttachment` and related functions.
///
/// A value that does not conform to `CMAttachmentBearerProtocol` has no attachments, and attachments cannot be set.
public typealias CMAttachmentBearer = CFTypeRef

extension CVBuffer: CMAttachmentBearerProtocol {}
extension CMBlockBuffer: CMAttachmentBearerProtocol {}
extension CMSampleBuffer: CMAttachmentBearerProtocol {}

/// Attachments by key, each with its propagation mode.
public struct CMAttachmentBearerAttachments: Sendable {
    /// A value with its propagation mode.
    public enum Value {
        /// A value that propagates.
        case shouldPropagate(Any)
        /// A value that does not propagate.
        case shouldNotPropagate(Any)

        /// The value without its mode.
        public var value: Any {
            switch self {
            case .shouldPropagate(let value), .shouldNotPropagate(let value): value
            }
        }

        /// The mode.
        public var mode: Mode {
            switch self {
            case .shouldPropagate: .shouldPropagate
            case .shouldNotPropagate: .shouldNotPropagate
            }
        }
    }

    /// Whether an attachment propagates.
    public typealias Mode = CVAttachmentMode

    var entries: [String: Attachment]

    init(_ entries: [String: Attachment]) { self.entries = entries }

    /// Creates an empty collection, which can be assigned to several buffers.
    package init() { self.init([:]) }

    /// The attachments that propagate.
    public var propagated: [String: Any] { entries.filter(\.value.propagates).mapValues(\.value) }
    /// The attachments that do not propagate.
    public var nonPropagated: [String: Any] { entries.filter { !$0.value.propagates }.mapValues(\.value) }

    /// The attachment for a key; setting nil removes it.
    public subscript(key: CFString) -> Value? {
        get {
            entries[key].map { $0.propagates ? .shouldPropagate($0.value) : .shouldNotPropagate($0.value) }
        }
        set {
            entries[key] = newValue.map { Attachment(value: $0.value, propagates: $0.mode == .shouldPropagate) }
        }
    }

    /// Sets several attachments with one mode, replacing those with equal keys.
    public mutating func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments {
            entries[key] = Attachment(value: value, propagates: mode == .shouldPropagate)
        }
    }

    /// Removes the attachment for a key.
    public mutating func removeValue(forKey key: CFString) { entries[key] = nil }

    /// Removes all attachments.
    public mutating func removeAll() { entries = [:] }
}

/// Sets an attachment, replacing one with the same key; nil removes it.
public func CMSetAttachment(
    _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
    guard let target = target as? any CMAttachmentBearerProtocol else { return }
    let propagates = attachmentMode == kCMAttachmentMode_ShouldPropagate
    target.attachments[key] = value.map { propagates ? .shouldPropagate($0) : .shouldNotPropagate($0) }
}

/// Returns the attachment for a key, with its mode in `attachmentModeOut`; nil if there is none.
public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = (target as? any CMAttachmentBearerProtocol)?.attachments[key] else { return nil }
    attachmentModeOut?.pointee = attachment.mode.rawValue
    return attachment.value
}

/// Removes the attachment for a key.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
    (target as? any CMAttachmentBearerProtocol)?.attachments.removeValue(forKey: key)
}

/// Removes all attachments.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
    (target as? any CMAttachmentBearerProtocol)?.attachments.removeAll()
}

/// Returns the attachments with a propagation mode; nil if there are none.
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    guard let attachments = (target as? any CMAttachmentBearerProtocol)?.attachments else { return nil }
    let selected =
        attachmentMode == kCMAttachmentMode_ShouldPropagate ? attachments.propagated : attachments.nonPropagated
    return selected.isEmpty ? nil : selected
}

/// Sets several attachments with one mode, replacing those with equal keys.
public func CMSetAttachments(
    _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
    (target as? any CMAttachmentBearerProtocol)?.attachments.merge(
        theAttachments,
        mode: attachmentMode == kCMAttachmentMode_ShouldPropagate ? .shouldPropagate : .shouldNotPropagate)
}

/// Copies the propagating attachments to another object, replacing those with equal keys.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    guard let source = source as? any CMAttachmentBearerProtocol,
        let destination = destination as? any CMAttachmentBearerProtocol
    else { return }
    source.propagateAttachments(to: destination)
}
