import Foundation

/// The format of a media file, detected from its first bytes.
enum MediaKind: String, Sendable, CaseIterable {
    case jpeg, png, rawPhoto, quickTime, mpeg4, avi, matroska, unknown

    /// Detects the format.
    ///
    /// - Parameter start: The first 12 bytes of the file, or more.
    init(start: Data) {
        let bytes = [UInt8](start.prefix(12))
        func has(_ text: String, at offset: Int) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            // TIFF, the base of DNG.
            self = .rawPhoto
        } else if has("ftyp", at: 4) {
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

    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
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
        case .rawPhoto: "com.adobe.raw-image"
        case .quickTime: "com.apple.quicktime-movie"
        case .mpeg4: "public.mpeg-4"
        case .avi: "public.avi"
        case .matroska: "org.matroska.mkv"
        case .unknown: "public.data"
        }
    }
}
