import Foundation
import MediaCodecs

/// The format of a media file, detected from its first bytes.
enum MediaKind: String, Sendable, CaseIterable {
    case jpeg, png, heic, avif, webP, rawPhoto, quickTime, mpeg4, avi, matroska, unknown

    /// The number of bytes that are sufficient to detect a format.
    static let startByteCount = 64

    /// Detects the format.
    ///
    /// - Parameter start: The first bytes of the file.
    init(start: Data) {
        if let format = PhotoFile.Format(start: start) {
            self = Self.kind(of: format)
            return
        }
        let bytes = [UInt8](start.prefix(12))
        func has(_ text: String, at offset: Int) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if has("ftyp", at: 4) {
            self = has("qt  ", at: 8) ? .quickTime : .mpeg4
        } else if ["moov", "mdat", "wide", "free", "skip"].contains(where: { has($0, at: 4) }) {
            // Older QuickTime files have no `ftyp` box.
            self = .quickTime
        } else if has("RIFF", at: 0), has("AVI ", at: 8) {
            self = .avi
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else {
            self = .unknown
        }
    }

    private static func kind(of format: PhotoFile.Format) -> MediaKind {
        switch format {
        case .jpeg: .jpeg
        case .png: .png
        case .heic: .heic
        case .avif: .avif
        case .webP: .webP
        case .dng: .rawPhoto
        }
    }

    /// The type of the resource that a file of this kind is by itself; nil if it is neither a photo nor a movie.
    var resourceType: PHAssetResourceType? {
        switch self {
        case .jpeg, .png, .heic, .avif, .webP, .rawPhoto: .photo
        case .quickTime, .mpeg4, .avi, .matroska: .video
        case .unknown: nil
        }
    }

    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .heic: "heic"
        case .avif: "avif"
        case .webP: "webp"
        case .rawPhoto: "dng"
        case .quickTime: "mov"
        case .mpeg4: "mp4"
        case .avi: "avi"
        case .matroska: "mkv"
        case .unknown: "data"
        }
    }

    var uniformTypeIdentifier: String {
        switch self {
        case .jpeg: "public.jpeg"
        case .png: "public.png"
        case .heic: "public.heic"
        case .avif: "public.avif"
        case .webP: "org.webmproject.webp"
        case .rawPhoto: "com.adobe.raw-image"
        case .quickTime: "com.apple.quicktime-movie"
        case .mpeg4: "public.mpeg-4"
        case .avi: "public.avi"
        case .matroska: "org.matroska.mkv"
        case .unknown: "public.data"
        }
    }
}
