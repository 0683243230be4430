public import Foundation
public import MediaTypes

/// A mutable metadata item.
///
/// - Important: Thread-safe.
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // SAFETY: as its superclass; assigned objects are copied.

    public override init() { super.init() }

    /// The key space and key; setting it sets both.
    public override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set { fields.withLock { $0.identifier = newValue } }
    }

    public override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { fields.withLock { $0.extendedLanguageTag = newValue } }
    }

    public override var locale: Locale? {
        get { super.locale }
        set { fields.withLock { $0.locale = newValue } }
    }

    public override var time: CMTime {
        get { super.time }
        set { fields.withLock { $0.time = newValue } }
    }

    public override var duration: CMTime {
        get { super.duration }
        set { fields.withLock { $0.duration = newValue } }
    }

    public override var dataType: String? {
        get { super.dataType }
        set { fields.withLock { $0.dataType = newValue } }
    }

    public override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set {
            let copy = newValue?.copy(with: nil) as? any NSCopying & NSObjectProtocol
            fields.withLock { fields in
                fields.value = copy
                fields.loader = nil
            }
        }
    }

    public override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set { fields.withLock { $0.extraAttributes = newValue } }
    }

    public override var startDate: Date? {
        get { super.startDate }
        set { fields.withLock { $0.startDate = newValue } }
    }

    public override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { fields.withLock { $0.keySpace = newValue } }
    }

    public override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set {
            let copy = newValue?.copy(with: nil) as? any NSCopying & NSObjectProtocol
            fields.withLock { $0.key = copy }
        }
    }
}
