import CEXIF
import Foundation

extension EXIFBlock {
    /// The directories, with the names of Image I/O's dictionaries.
    private static let directories: [(ExifIfd, String)] = [
        (EXIF_IFD_0, "{TIFF}"), (EXIF_IFD_EXIF, "{Exif}"), (EXIF_IFD_GPS, "{GPS}"),
        (EXIF_IFD_INTEROPERABILITY, "{Interoperability}"), (EXIF_IFD_1, "{Thumbnail}"),
    ]
    /// The longest list of numbers that is written out.
    private static let listedCount = 16

    /// All entries, by directory.
    var tags: [PhotoTag] {
        Self.directories.flatMap { directory, name -> [PhotoTag] in
            guard let content = content(directory), let entries = content.pointee.entries else { return [] }
            return (0..<Int(content.pointee.count)).compactMap { index in
                guard let entry = entries[index]?.pointee, entry.data != nil, entry.size > 0 else { return nil }
                return PhotoTag(
                    name: "\(name).\(Self.name(of: entry.tag, in: directory))", text: text(of: entry, in: directory))
            }
        }
    }

    /// Returns the key of Image I/O, which omits the prefix of positions; hexadecimal digits for an unknown tag.
    private static func name(of tag: ExifTag, in directory: ExifIfd) -> String {
        guard let name = exif_tag_get_name_in_ifd(tag, directory) else {
            return "0x" + String(tag.rawValue, radix: 16)
        }
        let text = String(cString: name)
        return directory == EXIF_IFD_GPS && text.hasPrefix("GPS") ? String(text.dropFirst(3)) : text
    }

    private func text(of entry: ExifEntry, in directory: ExifIfd) -> String {
        let bytes = Array(UnsafeBufferPointer(start: entry.data, count: Int(entry.size)))
        // XPTitle to XPSubject of Windows, which libexif lists with their numbers: UTF-16 in bytes.
        if directory == EXIF_IFD_0, (0x9C9B...0x9C9F).contains(entry.tag.rawValue) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
            }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        }
        switch entry.format {
        case EXIF_FORMAT_ASCII:
            return String(textOfUnknownEncoding: bytes.prefix { $0 != 0 })
                .trimmingCharacters(in: .whitespacesAndNewlines)
        case EXIF_FORMAT_RATIONAL, EXIF_FORMAT_SRATIONAL:
            let numbers = rationals(entry.tag, in: directory)
            return directory == EXIF_IFD_GPS ? Self.positionText(entry.tag, numbers) : Self.text(numbers)
        case EXIF_FORMAT_UNDEFINED:
            if let comment = comment(entry.tag, in: directory) { return comment }
            // Versions are digits without a terminating zero.
            if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(decoding: bytes, as: UTF8.self) }
        default: break
        }
        let integers = integers(entry.tag, in: directory)
        guard !integers.isEmpty, integers.count <= Self.listedCount else { return "\(entry.size) bytes" }
        return Self.text(integers.map(Double.init))
    }

    /// Returns degrees, minutes and seconds as degrees, a time as a clock shows it, and other numbers in their order.
    private static func positionText(_ tag: ExifTag, _ numbers: [Double]) -> String {
        guard numbers.count == 3 else { return text(numbers) }
        switch tag {
        case GPSTag.latitude, GPSTag.longitude, GPSTag.destinationLatitude, GPSTag.destinationLongitude:
            return text([numbers[0] + numbers[1] / 60 + numbers[2] / 3600])
        case GPSTag.time:
            return numbers.map { ($0 < 10 ? "0" : "") + text([$0]) }.joined(separator: ":")
        default: return text(numbers)
        }
    }

    /// Returns numbers, separated by commas. Integers have no fraction.
    private static func text(_ numbers: [Double]) -> String {
        numbers.map { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" }.joined(separator: ", ")
    }
}
