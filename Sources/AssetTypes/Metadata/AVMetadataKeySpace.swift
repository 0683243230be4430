// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

/// A namespace of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The keys that are common to all key spaces.
    public static let common = AVMetadataKeySpace("comn")
    /// QTFF, "User Data Atoms".
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// ISO/IEC 14496-12, 8.10.
    public static let isoUserData = AVMetadataKeySpace("uiso")
    /// QTFF, "Metadata": keys are reverse-domain names, including custom ones.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// The item list of MPEG-4 files.
    public static let iTunes = AVMetadataKeySpace("itsk")
    public static let id3 = AVMetadataKeySpace("org.id3")
    public static let icy = AVMetadataKeySpace("icy")
    public static let hlsDateRange = AVMetadataKeySpace("lsdr")
    public static let audioFile = AVMetadataKeySpace("caaf")

    /// The part of identifiers before the slash.
    var identifierPrefix: String {
        switch self {
        case .common: "common"
        case .id3: "id3"
        default: rawValue
        }
    }

    init(identifierPrefix: String) {
        switch identifierPrefix {
        case "common": self = .common
        case "id3": self = .id3
        default: self.init(identifierPrefix)
        }
    }
}

/// A format in which files store metadata.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let quickTimeUserData = AVMetadataFormat("com.apple.quicktime.udta")
    public static let isoUserData = AVMetadataFormat("org.mp4ra")
    public static let quickTimeMetadata = AVMetadataFormat("com.apple.quicktime.mdta")
    public static let iTunesMetadata = AVMetadataFormat("com.apple.itunes")
    public static let id3Metadata = AVMetadataFormat("org.id3")
    public static let hlsMetadata = AVMetadataFormat("com.apple.quicktime.HLS")
    public static let unknown = AVMetadataFormat("public.unknown")
}

/// The name of an additional attribute of a metadata item's value.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let valueURI = AVMetadataExtraAttributeKey("URL")
    public static let baseURI = AVMetadataExtraAttributeKey("baseURL")
    public static let info = AVMetadataExtraAttributeKey("info")
}
