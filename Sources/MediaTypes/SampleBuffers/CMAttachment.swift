// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Whether an attachment passes on: `kCMAttachmentMode_…`.
public typealias CMAttachmentMode = UInt32

/// The attachment stays with its buffer.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment passes on to buffers made from its buffer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that attachments can be hung onto: a sample buffer, a block buffer or a pixel buffer.
///
/// Thread-safe.
public protocol CMAttachmentBearerProtocol: AnyObject {
    /// The attachments; reading gives a copy, writing replaces them all.
    var attachments: CMAttachmentBearerAttachments { get set }
}

extension CMAttachmentBearerProtocol {
    /// Copies the attachments that pass on to another object, over those of equal keys there.
    public func propagateAttachments(to destination: any CMAttachmentBearerProtocol) {
        destination.attachments.merge(attachments.propagated, mode: .shouldPropagate)
    }
}

/// What `CMGetAttachment` and its sisters take.
public typealias CMAttachmentBearer = any CMAttachmentBearerProtocol

extension CVBuffer: CMAttachmentBearerProtocol {}
extension CMBlockBuffer: CMAttachmentBearerProtocol {}
extension CMSampleBuffer: CMAttachmentBearerProtocol {}

/// Attachments by key, each with the mode that tells whether it passes on.
public struct CMAttachmentBearerAttachments: Sendable {
    /// A value with its mode.
    public enum Value {
        /// A value that passes on.
        case shouldPropagate(Any)
        /// A value that stays.
        case shouldNotPropagate(Any)

        /// The value alone.
        public var value: Any {
            switch self {
            case .shouldPropagate(let value), .shouldNotPropagate(let value): value
            }
        }

        /// The mode alone.
        public var mode: Mode {
            switch self {
            case .shouldPropagate: .shouldPropagate
            case .shouldNotPropagate: .shouldNotPropagate
            }
        }
    }

    /// Whether an attachment passes on.
    public typealias Mode = CVAttachmentMode

    var entries: [String: Attachment]

    init(_ entries: [String: Attachment]) { self.entries = entries }

    /// Makes no attachments, to be filled once and hung onto many buffers.
    package init() { self.init([:]) }

    /// The attachments that pass on.
    public var propagated: [String: Any] { entries.filter(\.value.propagates).mapValues(\.value) }
    /// The attachments that stay.
    public var nonPropagated: [String: Any] { entries.filter { !$0.value.propagates }.mapValues(\.value) }

    /// The attachment of a key; setting nil removes it.
    public subscript(key: CFString) -> Value? {
        get {
            entries[key].map { $0.propagates ? .shouldPropagate($0.value) : .shouldNotPropagate($0.value) }
        }
        set {
            entries[key] = newValue.map { Attachment(value: $0.value, propagates: $0.mode == .shouldPropagate) }
        }
    }

    /// Sets several attachments with one mode, over those of equal keys.
    public mutating func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments {
            entries[key] = Attachment(value: value, propagates: mode == .shouldPropagate)
        }
    }

    /// Removes the attachment of a key.
    public mutating func removeValue(forKey key: CFString) { entries[key] = nil }

    /// Removes all attachments.
    public mutating func removeAll() { entries = [:] }
}

/// Sets an attachment, over one of the same key; nil removes it.
public func CMSetAttachment(
    _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
    let propagates = attachmentMode == kCMAttachmentMode_ShouldPropagate
    target.attachments[key] = value.map { propagates ? .shouldPropagate($0) : .shouldNotPropagate($0) }
}

/// The attachment of a key, and through `attachmentModeOut` its mode; nil where there is none.
public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = target.attachments[key] else { return nil }
    attachmentModeOut?.pointee = attachment.mode.rawValue
    return attachment.value
}

/// Removes the attachment of a key.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
    target.attachments.removeValue(forKey: key)
}

/// Removes all attachments.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) { target.attachments.removeAll() }

/// The attachments of one mode; nil where there are none.
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    let attachments = target.attachments
    let chosen =
        attachmentMode == kCMAttachmentMode_ShouldPropagate ? attachments.propagated : attachments.nonPropagated
    return chosen.isEmpty ? nil : chosen
}

/// Sets several attachments with one mode, over those of equal keys.
public func CMSetAttachments(
    _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
    target.attachments.merge(
        theAttachments,
        mode: attachmentMode == kCMAttachmentMode_ShouldPropagate ? .shouldPropagate : .shouldNotPropagate)
}

/// Copies the attachments that pass on to another object.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    source.propagateAttachments(to: destination)
}
