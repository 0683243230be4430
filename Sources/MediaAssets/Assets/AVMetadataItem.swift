public import Foundation
public import MediaTypes

/// One entry of metadata: a key in a key space, and its value.
///
/// - Important: Thread-safe.
public class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // SAFETY: all state is behind `fields`, and the objects in it are copies that nobody changes.
    struct Fields {
        var keySpace: AVMetadataKeySpace?
        var key: (any NSCopying & NSObjectProtocol)?
        var extendedLanguageTag: String?
        var locale: Locale?
        var time = CMTime.invalid
        var duration = CMTime.invalid
        var dataType: String?
        var value: (any NSCopying & NSObjectProtocol)?
        var extraAttributes: [AVMetadataExtraAttributeKey: Any]?
        var startDate: Date?

        var identifier: AVMetadataIdentifier? {
            get {
                guard let key, let keySpace else { return nil }
                return AVMetadataItem.identifier(forKey: key, keySpace: keySpace)
            }
            set {
                keySpace = newValue.flatMap(AVMetadataItem.keySpace(forIdentifier:))
                key = newValue.flatMap(MetadataName.init)?.key
            }
        }
    }

    let fields: Lock<Fields>

    public override init() { fields = Lock(Fields()) }

    init(_ fields: Fields) { self.fields = Lock(fields) }

    /// Key and key space in one; nil where either is missing.
    public var identifier: AVMetadataIdentifier? { fields.withLock { $0.identifier } }
    /// A language by BCP 47; nil where the entry holds for every language.
    public var extendedLanguageTag: String? { fields.withLock { $0.extendedLanguageTag } }
    /// The language as a locale.
    public var locale: Locale? {
        fields.withLock { $0.locale ?? $0.extendedLanguageTag.map(Locale.init(identifier:)) }
    }
    /// When the entry begins to hold; invalid where it holds for the whole.
    public var time: CMTime { fields.withLock { $0.time } }
    /// For how long it holds; invalid where it holds for the whole.
    public var duration: CMTime { fields.withLock { $0.duration } }
    /// The value's type, as `kCMMetadataBaseDataType_UTF8`; nil where the value's class tells it.
    public var dataType: String? { fields.withLock { $0.dataType } }
    /// An `NSString`, `NSNumber`, `NSDate` or `NSData`.
    public var value: (any NSCopying & NSObjectProtocol)? { fields.withLock { $0.value } }
    public var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { fields.withLock { $0.extraAttributes } }
    public var startDate: Date? { fields.withLock { $0.startDate } }
    public var keySpace: AVMetadataKeySpace? { fields.withLock { $0.keySpace } }
    /// An `NSString` as in `AVMetadataKey`.
    ///
    /// - Note: Unlike Apple, keys of four characters are strings too, not numbers.
    public var key: (any NSCopying & NSObjectProtocol)? { fields.withLock { $0.key } }
    /// The key of the common key space that tells the same; nil where there is none.
    public var commonKey: AVMetadataKey? { identifier.flatMap(\.commonKey) }

    /// The value as text; nil where it is none.
    public var stringValue: String? {
        switch value {
        case let text as NSString: text.string
        case let number as NSNumber: number.stringValue
        case let date as NSDate: date.bridged.formatted(.iso8601)
        default: nil
        }
    }

    /// The value as a number; nil where it is none.
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

    /// The value as a date; text is read by ISO 8601.
    public var dateValue: Date? {
        switch value {
        case let date as NSDate: date.bridged
        case let text as NSString: MetadataDate(text.string)?.date
        default: nil
        }
    }

    /// The value's bytes, text by UTF-8; nil for numbers and dates.
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
    /// The identifier for a key and its space.
    ///
    /// - Parameter key: A string, a number that stands for four characters, or data.
    /// - Returns: Nil for keys of another kind.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        MetadataName(key: key, keySpace: keySpace)?.identifier
    }

    /// The key space that an identifier names; nil where it has no slash.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        MetadataName(identifier)?.keySpace
    }

    /// The key that an identifier names; nil where it has no slash.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? { MetadataName(identifier)?.key }

    /// The items with an identifier; one of the common key space also finds its like in the other spaces.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            item.identifier == identifier || item.commonKey.map { "common/" + $0.rawValue } == identifier.rawValue
        }
    }

    /// The items that a filter lets through.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredBy metadataItemFilter: AVMetadataItemFilter
    ) -> [AVMetadataItem] {
        metadataItems.filter(metadataItemFilter.passes)
    }

    /// The items with a key, a key space or both.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let wanted = key.flatMap { MetadataName(key: $0, keySpace: .common)?.text }
        return metadataItems.filter { item in
            if keySpace == .common, let wanted { return item.commonKey?.rawValue == wanted }
            return (keySpace == nil || item.keySpace == keySpace)
                && (wanted == nil || (item.key as? NSString)?.string == wanted)
        }
    }

    /// The items in one of the languages, in the order of preference.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMetadataItem] {
        preferredLanguages.flatMap { language in
            metadataItems.filter { item in
                guard let tag = item.extendedLanguageTag else { return false }
                return tag == language || language.hasPrefix(tag + "-") || tag.hasPrefix(language + "-")
            }
        }
    }
}

extension NSString {
    /// The same as a Swift string.
    var string: String { String(describing: self) }
}

extension NSDate {
    /// The same as a Swift date.
    var bridged: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
}
