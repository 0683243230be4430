import Foundation
import MediaCodecs
import MediaTypes

/// Reads the metadata of movies and tracks.
struct MetadataReader {
    private let body: ByteReader

    init(_ body: ByteReader) { self.body = body }

    /// Reads a `meta` box: QuickTime's (QTFF, "Metadata") or ISO's, which is a full box (ISO/IEC 14496-12, 8.11.1).
    func metadataBox() -> [MovieMap.Entry] {
        let boxes = metadataBoxes
        guard var handler = boxes.first(where: { $0.type == "hdlr" })?.body, (try? handler.skip(8)) != nil,
            let kind = try? handler.code(), let list = boxes.first(where: { $0.type == "ilst" })
        else { return [] }
        var keys: [String] = []
        if kind == "mdta", var table = boxes.first(where: { $0.type == "keys" })?.body {
            _ = try? table.skip(8)
            keys = table.boxes().map { box in
                var body = box.body
                return String(decoding: body.rest(), as: UTF8.self)
            }
        }
        return list.body.boxes().flatMap { item -> [MovieMap.Entry] in
            let space: MovieMap.Entry.Space = kind == "mdta" ? .quickTimeMetadata : .itemList
            var key = item.type
            if kind == "mdta" {
                let number = Int(FourCharCode(fourCharacters: item.type))
                guard keys.indices.contains(number - 1) else { return [] }
                key = keys[number - 1]
            }
            return item.body.boxes().filter { $0.type == "data" }.compactMap { Self.item($0, space, key) }
        }
    }

    /// Whether a `meta` box locates items by their offsets in the file (`iloc`, ISO/IEC 14496-12, 8.11.3).
    var hasItemLocations: Bool { metadataBoxes.contains { $0.type == "iloc" } }

    /// The boxes in a `meta` box.
    private var metadataBoxes: [MemoryBox] {
        var body = body
        var ahead = body
        // In the ISO box, version and flags precede the first box, which is `hdlr` in both.
        if let second = try? (ahead.unsigned32(), ahead.code()).1, second != "hdlr" { _ = try? body.skip(4) }
        return body.boxes()
    }

    /// Reads a `data` atom: type, locale, value (QTFF, "Value Atom").
    private static func item(_ box: MemoryBox, _ space: MovieMap.Entry.Space, _ key: String) -> MovieMap.Entry? {
        var body = box.body
        guard let type = try? body.unsigned32(), let locale = try? body.unsigned32() else { return nil }
        let language = language(UInt16(truncatingIfNeeded: locale))
        return MovieMap.Entry(
            space: space, key: key, value: value(body.rest(), type: type), language: locale == 0 ? nil : language)
    }

    /// Converts a value according to its type (QTFF, "Well-Known Types").
    private static func value(_ data: Data, type: UInt32) -> MovieMap.Entry.Value {
        /// Returns the bytes as an integer.
        func integer(isSigned: Bool) -> MovieMap.Entry.Value {
            guard (1...8).contains(data.count) else { return .data(data, type: type) }
            let isNegative = isSigned && data[data.startIndex] & 0x80 != 0
            return .integer(data.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        }
        switch type {
        case 1, 4: return .text(String(decoding: data, as: UTF8.self))
        case 2, 5: return .text(String(data: data, encoding: .utf16BigEndian) ?? "")
        case 21, 65, 66, 67, 74: return integer(isSigned: true)
        case 22, 75, 76, 77, 78: return integer(isSigned: false)
        case 23 where data.count == 4:
            return .real(Double(Float(bitPattern: data.reduce(0) { $0 << 8 | UInt32($1) })))
        case 24 where data.count == 8: return .real(Double(bitPattern: data.reduce(0) { $0 << 8 | UInt64($1) }))
        default: return .data(data, type: type)
        }
    }

    /// Reads a `udta` box: QuickTime's texts (QTFF, "User Data Atoms"), ISO's and 3GPP's (3GPP TS 26.244, 8), or a
    /// nested `meta`.
    func userData() -> [MovieMap.Entry] {
        body.boxes().flatMap { box -> [MovieMap.Entry] in
            if box.type == "meta" { return MetadataReader(box.body).metadataBox() }
            if box.type.unicodeScalars.first == "©" { return Self.internationalText(box) }
            switch box.type {
            case "titl", "auth", "perf", "gnre", "dscp", "cprt", "albm", "coll": return Self.isoText(box)
            case "loci": return Self.location(box)
            case "name", "tnam", "date":
                var body = box.body
                let text = Self.text(body.rest())
                let space: MovieMap.Entry.Space = box.type == "date" ? .isoUserData : .quickTimeUserData
                return text.isEmpty
                    ? [] : [MovieMap.Entry(space: space, key: box.type, value: .text(text), language: nil)]
            default:
                return []
            }
        }
    }

    /// Reads the texts of a QuickTime user data item, each with its length and language.
    private static func internationalText(_ box: MemoryBox) -> [MovieMap.Entry] {
        var body = box.body
        var entries: [MovieMap.Entry] = []
        while body.remaining >= 4, let count = try? body.unsigned16(), let code = try? body.unsigned16() {
            guard let data = try? body.data(min(Int(count), body.remaining)) else { break }
            entries.append(
                MovieMap.Entry(
                    space: .quickTimeUserData, key: box.type, value: .text(text(data)), language: language(code)))
        }
        return entries
    }

    /// Reads a 3GPP user data item: version and flags, language, text.
    private static func isoText(_ box: MemoryBox) -> [MovieMap.Entry] {
        var body = box.body
        guard (try? body.skip(4)) != nil, let code = try? body.unsigned16() else { return [] }
        return [
            MovieMap.Entry(
                space: .isoUserData, key: box.type, value: .text(text(body.rest())), language: language(code))
        ]
    }

    /// Reads `loci` (3GPP TS 26.244, 8): language, name, role, longitude, latitude, altitude. The result has the format
    /// of ISO 6709, Annex H.
    private static func location(_ box: MemoryBox) -> [MovieMap.Entry] {
        var body = box.body
        guard (try? body.skip(6)) != nil else { return [] }
        while let byte = try? body.unsigned8(), byte != 0 {}
        guard (try? body.skip(1)) != nil, let longitude = try? body.fixed(fractionBits: 16),
            let latitude = try? body.fixed(fractionBits: 16), let altitude = try? body.fixed(fractionBits: 16)
        else { return [] }
        let text = String(format: "%+08.4f%+09.4f%+.3f/", latitude, longitude, altitude)
        return [MovieMap.Entry(space: .isoUserData, key: "loci", value: .text(text), language: nil)]
    }

    /// Returns the text up to the first zero: UTF-8, UTF-16 with a byte order mark, or ISO 8859-1.
    static func text(_ data: Data) -> String {
        if data.starts(with: [0xfe, 0xff]) || data.starts(with: [0xff, 0xfe]) {
            return (String(data: data, encoding: .utf16) ?? "").trimmingCharacters(in: ["\0"])
        }
        let bytes = data.prefix { $0 != 0 }
        return String(data: bytes, encoding: .utf8) ?? String(data: bytes, encoding: .isoLatin1) ?? ""
    }

    /// Returns the ISO 639-2/T code for a language code: three letters of five bits each (ISO/IEC 14496-12, 8.4.2.3),
    /// or a QuickTime language code. Only 0 (English) of the latter is supported. Returns nil for undetermined and
    /// unsupported codes.
    static func language(_ code: UInt16) -> String? {
        guard code >= 0x400 else { return code == 0 ? "eng" : nil }
        let letters = [code >> 10 & 31, code >> 5 & 31, code & 31]
        guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
        let text = String(String.UnicodeScalarView(letters.map { Unicode.Scalar(UInt8($0 + 0x60)) }))
        return text == "und" ? nil : text
    }
}
