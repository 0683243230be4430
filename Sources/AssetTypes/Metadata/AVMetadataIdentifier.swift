// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// A key space and a key: the space, a slash, and the key, with non-printable bytes percent-encoded.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Identifiers that are common to all key spaces.
extension AVMetadataIdentifier {
    public static let commonIdentifierAccessibilityDescription = AVMetadataIdentifier("common/accessibilityDescription")
    public static let commonIdentifierAlbumName = AVMetadataIdentifier("common/albumName")
    public static let commonIdentifierArtist = AVMetadataIdentifier("common/artist")
    public static let commonIdentifierArtwork = AVMetadataIdentifier("common/artwork")
    public static let commonIdentifierAuthor = AVMetadataIdentifier("common/author")
    public static let commonIdentifierContributor = AVMetadataIdentifier("common/contributor")
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("common/copyrights")
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("common/creationDate")
    public static let commonIdentifierCreator = AVMetadataIdentifier("common/creator")
    public static let commonIdentifierDescription = AVMetadataIdentifier("common/description")
    public static let commonIdentifierFormat = AVMetadataIdentifier("common/format")
    public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier("common/identifier")
    public static let commonIdentifierLanguage = AVMetadataIdentifier("common/language")
    public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier("common/lastModifiedDate")
    public static let commonIdentifierLocation = AVMetadataIdentifier("common/location")
    public static let commonIdentifierMake = AVMetadataIdentifier("common/make")
    public static let commonIdentifierModel = AVMetadataIdentifier("common/model")
    public static let commonIdentifierPublisher = AVMetadataIdentifier("common/publisher")
    public static let commonIdentifierRelation = AVMetadataIdentifier("common/relation")
    public static let commonIdentifierSoftware = AVMetadataIdentifier("common/software")
    public static let commonIdentifierSource = AVMetadataIdentifier("common/source")
    public static let commonIdentifierSubject = AVMetadataIdentifier("common/subject")
    public static let commonIdentifierTitle = AVMetadataIdentifier("common/title")
    public static let commonIdentifierType = AVMetadataIdentifier("common/type")
}
