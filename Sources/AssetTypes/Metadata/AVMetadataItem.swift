public import Foundation
public import MediaTypes

/// A metadata item: a key in a key space, and its value.
///
/// - Important: Thread-safe.
public class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // SAFETY: all state is behind `fields`; the objects in it are immutable copies.
    package struct Fields {
        package var keySpace: AVMetadataKeySpace?
        package var key: (any NSCopying & NSObjectProtocol)?
        package var extendedLanguageTag: String?
        package var locale: Locale?
        package var time = CMTime.invalid
        package var duration = CMTime.invalid
        package var dataType: String?
        package var value: (any NSCopying & NSObjectProtocol)?
        package var extraAttributes: [AVMetadataExtraAttributeKey: Any]?
        package var startDate: Date?
        /// Loads the value on demand; nil if it is in `value`.
        var loader: MetadataValueLoader?

        package init() {}

        package var identifier: AVMetadataIdentifier? {
            get {
                guard let key, let keySpace else { return nil }
                return AVMetadataItem.identifier(forKey: key, keySpace: keySpace)
            }
            set {
                keySpace = newValue.flatMap(AVMetadataItem.keySpace(forIdentifier:))
                key = newValue.flatMap(MetadataIdentifierParts.init)?.key
            }
        }
    }

    package let fields: Lock<Fields>

    public override init() { fields = Lock(Fields()) }

    package init(_ fields: Fields) { self.fields = Lock(fields) }

    /// The key space and key; nil if either is missing.
    public var identifier: AVMetadataIdentifier? { fields.withLock { $0.identifier } }
    /// The BCP 47 language tag; nil if the item applies to all languages.
    public var extendedLanguageTag: String? { fields.withLock { $0.extendedLanguageTag } }
    /// The language as a locale.
    public var locale: Locale? {
        fields.withLock { $0.locale ?? $0.extendedLanguageTag.map(Locale.init(identifier:)) }
    }
    /// The start of the item's validity; invalid if it applies to the whole asset.
    public var time: CMTime { fields.withLock { $0.time } }
    /// The duration of the item's validity; invalid if it applies to the whole asset.
    public var duration: CMTime { fields.withLock { $0.duration } }
    /// The value's data type, for example `kCMMetadataBaseDataType_UTF8`; nil if the value's class implies it.
    public var dataType: String? { fields.withLock { $0.dataType } }
    /// An `NSString`, `NSNumber`, `NSDate` or `NSData`.
    public var value: (any NSCopying & NSObjectProtocol)? { loadedValue }
    public var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { fields.withLock { $0.extraAttributes } }
    public var startDate: Date? { fields.withLock { $0.startDate } }
    public var keySpace: AVMetadataKeySpace? { fields.withLock { $0.keySpace } }
    /// An `NSString`, as in `AVMetadataKey`.
    ///
    /// - Note: Unlike Apple, four-character keys are strings too, not numbers.
    public var key: (any NSCopying & NSObjectProtocol)? { fields.withLock { $0.key } }
    /// The equivalent key in the common key space; nil if there is none.
    public var commonKey: AVMetadataKey? { identifier.flatMap(\.commonKey) }

    /// The value as text; nil if it has no text form.
    public var stringValue: String? {
        switch value {
        case let text as NSString: text.string
        case let number as NSNumber: number.stringValue
        case let date as NSDate: date.bridged.formatted(.iso8601)
        default: nil
        }
    }

    /// The value as a number; nil if it is not numeric.
    public var numberValue: NSNumber? {
        switch value {
        case let number as NSNumber: number
        case let text as NSString:
            if let integer = Int64(text.string) {
                NSNumber(value: integer)
            } else {
                Double(text.string).map { NSNumber(value: $0) }
            }
        default: nil
        }
    }

    /// The value as a date; text is parsed as ISO 8601.
    public var dateValue: Date? {
        switch value {
        case let date as NSDate: date.bridged
        case let text as NSString: MetadataDate(text.string)?.date
        default: nil
        }
    }

    /// The value's bytes; text is encoded as UTF-8. nil for numbers and dates.
    public var dataValue: Data? {
        switch value {
        case let data as NSData: Data(referencing: data)
        case let text as NSString: Data(text.string.utf8)
        default: nil
        }
    }

    public func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(fields.withLock { $0 }) }

    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = AVMutableMetadataItem()
        let fields = fields.withLock { $0 }
        copy.fields.withLock { $0 = fields }
        return copy
    }

    public override var description: String {
        let name = identifier?.rawValue ?? "no identifier"
        return "<AVMetadataItem: \(name), value = \(stringValue ?? dataValue.map { "\($0.count) bytes" } ?? "none")>"
    }
}

extension AVMetadataItem {
    /// Returns the identifier for a key and its key space.
    ///
    /// - Parameter key: A string, a number that represents four characters, or data.
    /// - Returns: Nil for keys of other types.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        MetadataIdentifierParts(key: key, keySpace: keySpace)?.identifier
    }

    /// Returns the key space of an identifier; nil if it has no slash.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        MetadataIdentifierParts(identifier)?.keySpace
    }

    /// Returns the key of an identifier; nil if it has no slash.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        MetadataIdentifierParts(identifier)?.key
    }

    /// Returns the items with an identifier; a common identifier also matches the equivalent keys of other key spaces.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            item.identifier == identifier || item.commonKey.map { "common/" + $0.rawValue } == identifier.rawValue
        }
    }

    /// Returns the items that pass a filter.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredBy metadataItemFilter: AVMetadataItemFilter
    ) -> [AVMetadataItem] {
        metadataItems.filter(metadataItemFilter.passes)
    }

    /// Returns the items with a key and a key space; nil matches any key or key space.
    ///
    /// - Parameter key: A string, a number that represents four characters, or data; keys of other types match nothing.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            guard let key else { return keySpace == nil || item.keySpace == keySpace }
            guard keySpace == nil || keySpace == .common || item.keySpace == keySpace else { return false }
            // A key has several forms, which depend on its key space.
            let (space, itemKey): (AVMetadataKeySpace, Any?) =
                keySpace == .common ? (.common, item.commonKey) : (item.keySpace ?? .common, item.key)
            guard let itemKey, let found = identifier(forKey: itemKey, keySpace: space) else { return false }
            return found == identifier(forKey: key, keySpace: space)
        }
    }

    /// Returns the items that match a preferred language, each once, in the order of the preferred languages.
    ///
    /// - Parameter preferredLanguages: BCP 47 language tags.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMetadataItem] {
        metadataItems.filteredAndSorted(byPreferredLanguages: preferredLanguages) { item in
            (item.extendedLanguageTag ?? item.locale?.identifier).map(LanguageTag.init)
        }
    }
}

extension NSString {
    /// The string as a Swift string.
    package var string: String { String(describing: self) }
}

extension NSDate {
    /// The date as a Swift date.
    var bridged: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
}
