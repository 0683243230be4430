package import AssetTypes
import Foundation

extension MovieMetadata {
    /// Adds metadata items; a later item replaces an earlier one with the same key.
    ///
    /// Equivalent keys of different key spaces are treated alike. Items without a dedicated field are stored under
    /// their QuickTime metadata key. Items without a value are ignored, as are items that have neither a QuickTime
    /// metadata key nor an equivalent common key.
    package mutating func add(_ items: [AVMetadataItem]) {
        for item in items {
            guard let text = item.stringValue else {
                if let data = item.dataValue, let key = Self.quickTimeKey(of: item) {
                    // Type 0 is untyped data.
                    setCustom(key, .data(data, type: 0))
                }
                continue
            }
            switch item.commonKey {
            case .commonKeyCreationDate:
                creationDate = text
                creationSecondsSince1970 =
                    item.dateValue.map { Int64($0.timeIntervalSince1970.rounded(.down)) } ?? creationSecondsSince1970
            case .commonKeyMake: make = text
            case .commonKeyModel: model = text
            case .commonKeySoftware: software = text
            case .commonKeyLocation: location = text
            default:
                if let key = Self.quickTimeKey(of: item) { setCustom(key, Self.number(in: item) ?? .text(text)) }
            }
        }
    }

    private static func number(in item: AVMetadataItem) -> Entry.Value? {
        guard let number = item.value as? NSNumber else { return nil }
        return Int64(exactly: number.doubleValue).map { .integer($0) } ?? .real(number.doubleValue)
    }

    private mutating func setCustom(_ key: String, _ value: Entry.Value) {
        if let index = custom.firstIndex(where: { $0.key == key }) {
            custom[index].value = value
        } else {
            custom.append(Entry(key: key, value: value))
        }
    }

    /// Returns the QuickTime metadata key under which an item is stored; nil if there is none.
    private static func quickTimeKey(of item: AVMetadataItem) -> String? {
        if item.keySpace == .quickTimeMetadata { return (item.key as? NSString)?.string }
        guard let common = item.commonKey else { return nil }
        let names: [AVMetadataKey: AVMetadataKey] = [
            .commonKeyAlbumName: .quickTimeMetadataKeyAlbum, .commonKeyCopyrights: .quickTimeMetadataKeyCopyright,
            .commonKeyIdentifier: .quickTimeMetadataKeyContentIdentifier,
            .commonKeyAccessibilityDescription: .quickTimeMetadataKeyAccessibilityDescription,
        ]
        return names[common]?.rawValue ?? "com.apple.quicktime." + common.rawValue.lowercased()
    }
}
