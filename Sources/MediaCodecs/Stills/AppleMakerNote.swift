package import Foundation
import MediaTypes
package import PixelKernels

/// The maker note of Apple's cameras in the EXIF metadata of a photo: an image file directory of TIFF in big-endian
/// order after a signature of 14 bytes. Apple does not document it; the tags are those that ExifTool lists.
///
/// Values of other types than texts, integers and fractions are not read.
package struct AppleMakerNote: Sendable, Hashable {
    /// A tag with a text.
    package enum Tag: Int {
        /// The identifier of a burst, which all of its photos have.
        case burstIdentifier = 0x0B
        /// The identifier that the photo and the movie of a Live Photo have.
        case contentIdentifier = 0x11
    }

    /// The types of TIFF that notes contain.
    private enum ValueType: Int {
        case ascii = 2
        case short = 3
        case long = 4
        case rational = 5
        case signedLong = 9
        case signedRational = 10

        /// The bytes of one number, or of one character.
        var byteCount: Int {
            switch self {
            case .ascii: 1
            case .short: 2
            case .long, .signedLong: 4
            case .rational, .signedRational: 8
            }
        }
    }

    private static let signature = Data("Apple iOS".utf8) + Data([0, 0, 1]) + Data("MM".utf8)
    private static let entryByteCount = 12

    /// The values by tag number.
    package var values: [Int: EXIF.TagValue]

    /// Creates a note; it is written with the values in the order of their tags.
    package init(values: [Int: EXIF.TagValue]) { self.values = values }

    /// Reads the maker note of a photo; nil if there is none, or if another manufacturer wrote it.
    package init?(_ photo: PhotoFile) {
        guard let note = photo.makerNote else { return nil }
        self.init(note)
    }

    /// Reads a note as stored in a file; entries that are damaged or cut off are ignored.
    package init?(_ note: Data) {
        guard note.starts(with: Self.signature) else { return nil }
        values = [:]
        let bytes = [UInt8](note)
        func integer(at offset: Int, byteCount: Int) -> Int? {
            guard offset + byteCount <= bytes.count else { return nil }
            return bytes[offset..<offset + byteCount].reduce(0) { $0 << 8 | Int($1) }
        }
        guard let count = integer(at: Self.signature.count, byteCount: 2) else { return }
        for index in 0..<count {
            let entry = Self.signature.count + 2 + Self.entryByteCount * index
            guard let tag = integer(at: entry, byteCount: 2) else { return }
            guard let type = integer(at: entry + 2, byteCount: 2).flatMap(ValueType.init),
                let components = integer(at: entry + 4, byteCount: 4)
            else { continue }
            let byteCount = components * type.byteCount
            // A value of more than four bytes is elsewhere; its offset is relative to the signature.
            guard let offset = byteCount > 4 ? integer(at: entry + 8, byteCount: 4) : entry + 8,
                components > 0, offset + byteCount <= bytes.count
            else { continue }
            if let value = Self.value(bytes[offset..<offset + byteCount], type) { values[tag] = value }
        }
    }

    /// Returns the text of a tag; nil if there is none.
    package func text(_ tag: Tag) -> String? {
        guard case .text(let text)? = values[tag.rawValue] else { return nil }
        return text
    }

    private static func value(_ bytes: ArraySlice<UInt8>, _ type: ValueType) -> EXIF.TagValue? {
        if type == .ascii {
            let text = bytes.prefix { $0 != 0 }
            return text.isEmpty ? nil : .text(String(decoding: text, as: UTF8.self))
        }
        func numbers(of byteCount: Int) -> [Int] {
            stride(from: bytes.startIndex, to: bytes.endIndex, by: byteCount)
                .map { bytes[$0..<$0 + byteCount].reduce(0) { $0 << 8 | Int($1) } }
        }
        switch type {
        case .ascii, .short, .long: return .integers(numbers(of: type.byteCount))
        case .signedLong: return .integers(numbers(of: 4).map { Int(Int32(truncatingIfNeeded: $0)) })
        case .rational, .signedRational:
            let parts = numbers(of: 4).map { type == .rational ? $0 : Int(Int32(truncatingIfNeeded: $0)) }
            let values = stride(from: 0, to: parts.count, by: 2).map {
                EXIFRational(numerator: Int64(parts[$0]), denominator: Int64(parts[$0 + 1])).value
            }
            return values.contains(nil) ? nil : .numbers(values.compactMap { $0 })
        }
    }

    /// Returns the note as stored in a file. Integers are written as signed 32-bit numbers, as Apple's cameras do.
    ///
    /// - Throws: `.invalidInput` for a number that the format cannot represent.
    package func encoded() throws(ImageError) -> Data {
        func bigEndian(_ value: Int, _ count: Int) -> Data {
            Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        let tags = values.sorted { $0.key < $1.key }
        var note = Self.signature + bigEndian(tags.count, 2)
        let valueOffset = note.count + Self.entryByteCount * tags.count + 4
        var others = Data()
        for (tag, value) in tags {
            let (type, components, data) = try Self.stored(value, tag, bigEndian)
            note += bigEndian(tag, 2) + bigEndian(type.rawValue, 2) + bigEndian(components, 4)
            if data.count > 4 {
                note += bigEndian(valueOffset + others.count, 4)
                others += data
            } else {
                note += data + Data(count: 4 - data.count)
            }
        }
        return note + bigEndian(0, 4) + others
    }

    private static func stored(
        _ value: EXIF.TagValue, _ tag: Int, _ bigEndian: (Int, Int) -> Data
    ) throws(ImageError) -> (type: ValueType, components: Int, data: Data) {
        let failure = ImageError(.invalidInput, "the tag \(tag) of Apple's maker note cannot contain \(value)")
        guard UInt16(exactly: tag) != nil else { throw failure }
        switch value {
        case .text(let text):
            let data = Data(text.utf8.filter { $0 != 0 }) + Data([0])
            return (.ascii, data.count, data)
        case .integers(let integers):
            guard integers.allSatisfy({ Int32(exactly: $0) != nil }) else { throw failure }
            return (.signedLong, integers.count, integers.reduce(into: Data()) { $0 += bigEndian($1, 4) })
        case .numbers(let numbers):
            let fractions = numbers.compactMap { EXIFRational($0) }
            guard fractions.count == numbers.count else { throw failure }
            let data = fractions.reduce(into: Data()) {
                $0 += bigEndian(Int($1.numerator), 4) + bigEndian(Int($1.denominator), 4)
            }
            return (.signedRational, numbers.count, data)
        }
    }
}

extension EXIF {
    /// The identifier that the photo and the movie of a Live Photo have (Apple's maker note, tag 17); nil for none.
    package var contentIdentifier: String? {
        get { AppleMakerNote(values: makerApple).text(.contentIdentifier) }
        set { makerApple[AppleMakerNote.Tag.contentIdentifier.rawValue] = newValue.map { .text($0) } }
    }

    /// The entries of Image I/O's dictionary `{MakerApple}`; the keys are the tag numbers.
    var makerAppleEntries: [String: Any] {
        makerApple.reduce(into: [:]) { $0["\($1.key)"] = $1.value.imageProperty }
    }

    /// Reads the dictionary `{MakerApple}`; other keys than numbers, and values of a wrong type, are ignored.
    static func makerApple(in imageProperties: [String: Any]) -> [Int: TagValue] {
        let entries = imageProperties[kCGImagePropertyMakerAppleDictionary] as? [String: Any] ?? [:]
        return entries.reduce(into: [:]) { result, entry in
            if let tag = Int(entry.key) { result[tag] = TagValue(imageProperty: entry.value) }
        }
    }
}
