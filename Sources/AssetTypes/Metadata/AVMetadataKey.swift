public import Foundation

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// The key of a metadata item, as defined by its key space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Lets clients write `AVMetadataKey.commonKeyTitle as NSString`, as Apple's string constants allow.
extension AVMetadataKey: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) {
        result = AVMetadataKey(source.description)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVMetadataKey {
        AVMetadataKey(source?.description ?? "")
    }
}

/// Keys that are common to all key spaces.
extension AVMetadataKey {
    public static let commonKeyAccessibilityDescription = AVMetadataKey("accessibilityDescription")
    public static let commonKeyAlbumName = AVMetadataKey("albumName")
    public static let commonKeyArtist = AVMetadataKey("artist")
    public static let commonKeyArtwork = AVMetadataKey("artwork")
    public static let commonKeyAuthor = AVMetadataKey("author")
    public static let commonKeyContributor = AVMetadataKey("contributor")
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    public static let commonKeyCreator = AVMetadataKey("creator")
    public static let commonKeyDescription = AVMetadataKey("description")
    public static let commonKeyFormat = AVMetadataKey("format")
    public static let commonKeyIdentifier = AVMetadataKey("identifier")
    public static let commonKeyLanguage = AVMetadataKey("language")
    public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
    public static let commonKeyLocation = AVMetadataKey("location")
    public static let commonKeyMake = AVMetadataKey("make")
    public static let commonKeyModel = AVMetadataKey("model")
    public static let commonKeyPublisher = AVMetadataKey("publisher")
    public static let commonKeyRelation = AVMetadataKey("relation")
    public static let commonKeySoftware = AVMetadataKey("software")
    public static let commonKeySource = AVMetadataKey("source")
    public static let commonKeySubject = AVMetadataKey("subject")
    public static let commonKeyTitle = AVMetadataKey("title")
    public static let commonKeyType = AVMetadataKey("type")
}
