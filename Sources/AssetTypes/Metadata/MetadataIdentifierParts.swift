package import Foundation
import MediaTypes

/// The key space and key of an `AVMetadataIdentifier`.
package struct MetadataIdentifierParts {
    let keySpace: AVMetadataKeySpace
    /// The key in UTF-8, except that the © of a four-character key is the single byte 0xA9.
    private let bytes: [UInt8]

    package init?(key: Any, keySpace: AVMetadataKeySpace) {
        self.keySpace = keySpace
        switch key {
        case let key as AVMetadataKey: bytes = Self.bytes(of: key.rawValue, keySpace)
        case let text as String: bytes = Self.bytes(of: text, keySpace)
        case let text as NSString: bytes = Self.bytes(of: text.string, keySpace)
        case let number as NSNumber:
            let code = number.uint32Value
            bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        case let data as Data: bytes = Array(data)
        case let data as NSData: bytes = Array(Data(referencing: data))
        default: return nil
        }
    }

    init?(_ identifier: AVMetadataIdentifier) {
        guard let (prefix, key) = MetadataIdentifierCoding.parts(of: identifier.rawValue) else { return nil }
        keySpace = AVMetadataKeySpace(identifierPrefix: prefix)
        bytes = key
    }

    /// The key as in `AVMetadataKey`, with `@` for the © of four-character keys.
    var text: String {
        guard bytes.first == 0xa9 else { return String(decoding: bytes, as: UTF8.self) }
        return "@" + String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    package var key: any NSCopying & NSObjectProtocol { NSString(string: text) }

    var identifier: AVMetadataIdentifier {
        AVMetadataIdentifier(MetadataIdentifierCoding.identifier(prefix: keySpace.identifierPrefix, key: bytes))
    }

    private static func bytes(of text: String, _ keySpace: AVMetadataKeySpace) -> [UInt8] {
        let hasFourCharacterKeys = [.quickTimeUserData, .isoUserData, .iTunes].contains(keySpace)
        guard hasFourCharacterKeys, let first = text.unicodeScalars.first, first == "@" || first == "©" else {
            return Array(text.utf8)
        }
        return [0xa9] + Array(String(text.unicodeScalars.dropFirst()).utf8)
    }
}

extension AVMetadataIdentifier {
    /// The equivalent key in the common key space; nil if there is none.
    var commonKey: AVMetadataKey? {
        if let key = Self.commonKeys[self] { return key }
        guard rawValue.hasPrefix("common/") else { return nil }
        return AVMetadataKey(String(rawValue.dropFirst("common/".count)))
    }

    private static let commonKeys: [AVMetadataIdentifier: AVMetadataKey] = [
        .quickTimeMetadataAccessibilityDescription: .commonKeyAccessibilityDescription,
        .quickTimeMetadataAlbum: .commonKeyAlbumName, .quickTimeMetadataArtist: .commonKeyArtist,
        .quickTimeMetadataArtwork: .commonKeyArtwork, .quickTimeMetadataAuthor: .commonKeyAuthor,
        .quickTimeMetadataCopyright: .commonKeyCopyrights, .quickTimeMetadataCreationDate: .commonKeyCreationDate,
        .quickTimeMetadataDescription: .commonKeyDescription, .quickTimeMetadataDisplayName: .commonKeyTitle,
        .quickTimeMetadataLocationISO6709: .commonKeyLocation, .quickTimeMetadataMake: .commonKeyMake,
        .quickTimeMetadataModel: .commonKeyModel, .quickTimeMetadataPublisher: .commonKeyPublisher,
        .quickTimeMetadataSoftware: .commonKeySoftware, .quickTimeMetadataTitle: .commonKeyTitle,
        .quickTimeMetadataContentIdentifier: .commonKeyIdentifier,
        .quickTimeUserDataAlbum: .commonKeyAlbumName, .quickTimeUserDataArtist: .commonKeyArtist,
        .quickTimeUserDataAuthor: .commonKeyAuthor, .quickTimeUserDataCopyright: .commonKeyCopyrights,
        .quickTimeUserDataCreationDate: .commonKeyCreationDate, .quickTimeUserDataDescription: .commonKeyDescription,
        .quickTimeUserDataFullName: .commonKeyTitle, .quickTimeUserDataLocationISO6709: .commonKeyLocation,
        .quickTimeUserDataMake: .commonKeyMake, .quickTimeUserDataModel: .commonKeyModel,
        .quickTimeUserDataPublisher: .commonKeyPublisher, .quickTimeUserDataSoftware: .commonKeySoftware,
        .isoUserDataCopyright: .commonKeyCopyrights, .isoUserDataDate: .commonKeyCreationDate,
        .identifier3GPUserDataAuthor: .commonKeyAuthor, .identifier3GPUserDataDescription: .commonKeyDescription,
        .identifier3GPUserDataLocation: .commonKeyLocation, .identifier3GPUserDataTitle: .commonKeyTitle,
        .iTunesMetadataAlbum: .commonKeyAlbumName, .iTunesMetadataArtist: .commonKeyArtist,
        .iTunesMetadataAuthor: .commonKeyAuthor, .iTunesMetadataCopyright: .commonKeyCopyrights,
        .iTunesMetadataCoverArt: .commonKeyArtwork, .iTunesMetadataDescription: .commonKeyDescription,
        .iTunesMetadataEncodingTool: .commonKeySoftware, .iTunesMetadataPublisher: .commonKeyPublisher,
        .id3MetadataAlbumTitle: .commonKeyAlbumName, .id3MetadataAttachedPicture: .commonKeyArtwork,
        .id3MetadataCopyright: .commonKeyCopyrights, .id3MetadataLeadPerformer: .commonKeyArtist,
        .id3MetadataPublisher: .commonKeyPublisher, .id3MetadataTitleDescription: .commonKeyTitle,
        .iTunesMetadataReleaseDate: .commonKeyCreationDate, .iTunesMetadataSongName: .commonKeyTitle,
    ]
}
