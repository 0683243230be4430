public import Foundation

/// A type of files: images, movies, audio and their formats, with file name extensions and MIME types.
///
/// - Note: Unlike Apple, there is no system registry: an identifier that is not in the table of this module is a type
///   without supertypes, extensions and MIME types.
public struct UTType: Hashable, Sendable {
    public let identifier: String

    /// Creates the type of an identifier; nil if the text is empty.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }

    private init(known identifier: String) { self.identifier = identifier }

    /// Creates the type of a file name extension, without a dot; nil if no type that conforms to the supertype has it.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(supertype) { $0.extensions.contains(filenameExtension.lowercased()) }
    }

    /// Creates the type of a MIME type; nil if no type that conforms to the supertype has it.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(supertype) { $0.mimeTypes.contains(mimeType.lowercased()) }
    }

    /// Creates the type of an extension or a MIME type; nil if no type that conforms to the supertype has it.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        self.init(supertype ?? .item) { $0.tags(tagClass).contains(tag.lowercased()) }
    }

    private init?(_ supertype: UTType, where hasTag: (UTTypeRecord) -> Bool) {
        let types = UTTypeRecord.all.filter(hasTag).map { UTType(known: $0.identifier) }
        guard let type = types.first(where: { $0.conforms(to: supertype) }) else { return nil }
        self = type
    }

    private var record: UTTypeRecord? { UTTypeRecord.of(identifier) }

    /// The most common extension, without a dot.
    public var preferredFilenameExtension: String? { record?.extensions.first }
    public var preferredMIMEType: String? { record?.mimeTypes.first }
    /// All extensions and MIME types.
    public var tags: [UTTagClass: [String]] {
        guard let record else { return [:] }
        return [UTTagClass.filenameExtension: record.extensions, .mimeType: record.mimeTypes].filter {
            !$0.value.isEmpty
        }
    }

    /// All types that this one conforms to, without itself.
    public var supertypes: Set<UTType> {
        (record?.supertypes ?? []).map { UTType(known: $0) }.reduce(into: []) { result, type in
            result.insert(type)
            result.formUnion(type.supertypes)
        }
    }

    /// Whether the type is equal to another one, or a subtype of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    /// Whether the type is in the public domain, and not defined by a company.
    public var isPublic: Bool { identifier.hasPrefix("public.") }
    /// Whether the type represents an unknown extension or MIME type.
    public var isDynamic: Bool { identifier.hasPrefix("dyn.") }
    /// Whether the table of this module contains the type.
    public var isDeclared: Bool { record != nil }

    public static let item = UTType(known: "public.item")
    public static let content = UTType(known: "public.content")
    public static let data = UTType(known: "public.data")
    public static let text = UTType(known: "public.text")
    public static let plainText = UTType(known: "public.plain-text")
    public static let json = UTType(known: "public.json")
    public static let xml = UTType(known: "public.xml")
    public static let pdf = UTType(known: "com.adobe.pdf")
    public static let image = UTType(known: "public.image")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let png = UTType(known: "public.png")
    public static let tiff = UTType(known: "public.tiff")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let bmp = UTType(known: "com.microsoft.bmp")
    public static let heif = UTType(known: "public.heif")
    public static let heic = UTType(known: "public.heic")
    public static let webP = UTType(known: "org.webmproject.webp")
    public static let rawImage = UTType(known: "public.camera-raw-image")
    public static let dng = UTType(known: "com.adobe.raw-image")
    public static let livePhoto = UTType(known: "com.apple.live-photo")
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    public static let movie = UTType(known: "public.movie")
    public static let video = UTType(known: "public.video")
    public static let audio = UTType(known: "public.audio")
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    public static let mpeg = UTType(known: "public.mpeg")
    public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
    public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let avi = UTType(known: "public.avi")
    public static let appleProtectedMPEG4Video = UTType(known: "com.apple.protected-mpeg-4-video")
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    public static let appleProtectedMPEG4Audio = UTType(known: "com.apple.protected-mpeg-4-audio")
    public static let mp3 = UTType(known: "public.mp3")
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    public static let aiff = UTType(known: "public.aiff-audio")
}

extension UTType: CustomStringConvertible {
    public var description: String { identifier }
}

extension UTType: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let type = UTType(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a type identifier is not empty")
        }
        self = type
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

/// A kind of names for types: extensions or MIME types.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension URL {
    /// Appends the preferred extension of a type, unless the last component has one of the type's extensions.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard let preferred = contentType.preferredFilenameExtension,
            contentType.tags[.filenameExtension]?.contains(pathExtension.lowercased()) != true
        else { return self }
        return appendingPathExtension(preferred)
    }

    /// Appends a component with the extension of a type.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        appendingPathComponent(partialName).appendingPathExtension(for: contentType)
    }

    /// Appends the extension of a type, like `appendingPathExtension(for:)`.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}
