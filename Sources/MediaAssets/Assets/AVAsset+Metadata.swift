import AssetTypes
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

extension AVAsset {
    private var entries: [MovieMap.Entry] { (try? open())?.file?.map.metadata ?? [] }

    /// All metadata of the file, in file order.
    public var metadata: [AVMetadataItem] { entries.map(AVMetadataItem.init) }

    /// The metadata items that have a common key, with that key; of those with equal keys and languages, the first.
    public var commonMetadata: [AVMetadataItem] { AVMetadataItem.common(of: metadata) }

    /// The formats of the file's metadata.
    public var availableMetadataFormats: [AVMetadataFormat] { AVMetadataFormat.formats(of: entries) }

    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        entries.filter { $0.space.format == format }.map(AVMetadataItem.init)
    }

    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        _ = try open()
        return metadata(forFormat: format)
    }

    /// The recording date from the metadata, else from the file's header; nil if neither has one.
    public var creationDate: AVMetadataItem? {
        if let item = commonMetadata.first(where: { $0.commonKey == .commonKeyCreationDate }) { return item }
        guard let seconds = headerCreationSeconds else { return nil }
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierCreationDate
        item.value = NSDate(timeIntervalSince1970: Double(seconds))
        return item
    }

    /// The creation time in the file's header, in seconds since 1970-01-01 00:00 UTC; nil if it has none.
    package var headerCreationSeconds: Int64? { (try? open())?.file?.map.creationSecondsSince1970 }

    public var lyrics: String? {
        metadata.first { $0.identifier == .iTunesMetadataLyrics }?.stringValue
    }
}

extension AVAssetTrack {
    public var metadata: [AVMetadataItem] { map.metadata.map(AVMetadataItem.init) }
    public var commonMetadata: [AVMetadataItem] { AVMetadataItem.common(of: metadata) }
    public var availableMetadataFormats: [AVMetadataFormat] { AVMetadataFormat.formats(of: map.metadata) }

    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        map.metadata.filter { $0.space.format == format }.map(AVMetadataItem.init)
    }

    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        metadata(forFormat: format)
    }
}

extension MovieMap.Entry.Space {
    var keySpace: AVMetadataKeySpace {
        switch self {
        case .quickTimeMetadata: .quickTimeMetadata
        case .quickTimeUserData: .quickTimeUserData
        case .isoUserData: .isoUserData
        case .itemList: .iTunes
        }
    }

    var format: AVMetadataFormat {
        switch self {
        case .quickTimeMetadata: .quickTimeMetadata
        case .quickTimeUserData: .quickTimeUserData
        case .isoUserData: .isoUserData
        case .itemList: .iTunesMetadata
        }
    }
}

extension AVMetadataFormat {
    static func formats(of entries: [MovieMap.Entry]) -> [AVMetadataFormat] {
        entries.reduce(into: []) { formats, entry in
            if !formats.contains(entry.space.format) { formats.append(entry.space.format) }
        }
    }
}

extension AVMetadataItem {
    /// Creates an item for a metadata entry of a file.
    convenience init(_ entry: MovieMap.Entry) {
        var fields = Fields()
        fields.keySpace = entry.space.keySpace
        fields.key = MetadataIdentifierParts(key: entry.key, keySpace: entry.space.keySpace)?.key
        fields.extendedLanguageTag = entry.language.map { LanguageTag($0).text }
        switch entry.value {
        case .text(let text):
            fields.value = NSString(string: text)
            fields.dataType = kCMMetadataBaseDataType_UTF8
        case .integer(let number):
            fields.value = NSNumber(value: number)
            fields.dataType = kCMMetadataBaseDataType_SInt64
        case .real(let number):
            fields.value = NSNumber(value: number)
            fields.dataType = kCMMetadataBaseDataType_Float64
        case .data(let data, let type):
            fields.value = NSData(data: data)
            // The well-known types of QTFF, "Metadata".
            fields.dataType =
                switch type {
                case 13: kCMMetadataBaseDataType_JPEG
                case 14: kCMMetadataBaseDataType_PNG
                case 27: kCMMetadataBaseDataType_BMP
                default: kCMMetadataBaseDataType_RawData
                }
        }
        self.init(fields)
    }

    /// Returns the items that have a common key, with that key in the common key space. Of several items with the same
    /// key and language, only the first is returned.
    static func common(of items: [AVMetadataItem]) -> [AVMetadataItem] {
        var seen: Set<String> = []
        return items.compactMap { item in
            guard let key = item.commonKey, seen.insert(key.rawValue + (item.extendedLanguageTag ?? "")).inserted else {
                return nil
            }
            var fields = item.fields.withLock { $0 }
            fields.keySpace = .common
            fields.key = NSString(string: key.rawValue)
            return AVMetadataItem(fields)
        }
    }
}
