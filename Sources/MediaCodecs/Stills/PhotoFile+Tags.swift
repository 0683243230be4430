import Foundation
import MediaTypes

/// A value of the metadata in a photo file.
package struct PhotoTag: Sendable, Hashable {
    /// The dictionary and the key of Image I/O, such as `{Exif}.FNumber`, or the name of an XMP property with its usual
    /// prefix, such as `dc:subject`.
    package var name: String
    package var text: String
}

extension PhotoFile {
    /// All values of the EXIF block, the texts of IPTC, the XMP packet, and the texts and comments of the file format, as far
    /// as they can be read.
    ///
    /// Maker notes of other cameras than Apple's are only listed with their size.
    package var tags: [PhotoTag] {
        var tags = exifBlock?.tags ?? []
        if let note = AppleMakerNote(self) {
            tags += note.values.sorted { $0.key < $1.key }.map { number, value in
                PhotoTag(name: "{MakerApple}.\(number)", text: value.text)
            }
        }
        tags += iptc.entries.map { PhotoTag(name: "{IPTC}.\($0.name)", text: $0.text) }
        tags += (xmp?.entries ?? []).map { PhotoTag(name: $0.name, text: $0.text) }
        switch contents {
        case .jpeg(let segments): tags += segments.comments.map { PhotoTag(name: "{JPEG}.Comment", text: $0) }
        case .png(let chunks): tags += chunks.texts.map { PhotoTag(name: "{PNG}.\($0.keyword)", text: $0.text) }
        case .heif, .webP, .dng, .damaged: break
        }
        return tags
    }

    /// The description of the photo: in the XMP packet, otherwise of IPTC, otherwise in the EXIF block.
    package var caption: String? {
        if let text = xmp?.values(.dublinCore, "description").first ?? iptc.texts(IPTCTexts.caption).first {
            return text
        }
        guard case .text(let text)? = metadata.additional[kCGImagePropertyTIFFImageDescription] else { return nil }
        return text
    }

    /// The keywords: the subjects in the XMP packet, otherwise the keywords of IPTC.
    package var keywords: [String] {
        let subjects = xmp?.values(.dublinCore, "subject") ?? []
        return subjects.isEmpty ? iptc.texts(IPTCTexts.keyword) : subjects
    }

    private var iptc: IPTCTexts {
        guard case .jpeg(let segments) = contents else { return IPTCTexts(imageResources: Data()) }
        return IPTCTexts(imageResources: segments.imageResources)
    }
}

extension EXIF.TagValue {
    /// The text, or the numbers, separated by commas.
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .integers(let values): values.map { "\($0)" }.joined(separator: ", ")
        case .numbers(let values): values.map { "\($0)" }.joined(separator: ", ")
        }
    }
}
