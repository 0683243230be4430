import Foundation

/// The texts of the application record of IPTC (Information Interchange Model 4.2), which older programs write to JPEG
/// files.
struct IPTCTexts {
    /// A text, by the number of its data set in record 2.
    struct Entry {
        var dataSet: UInt8
        var text: String

        /// The key in the dictionary of Image I/O; `2:` and the number for other data sets.
        var name: String { IPTCTexts.names[dataSet] ?? "2:\(dataSet)" }
    }

    /// The data sets for a caption and for a keyword.
    static let caption: UInt8 = 120
    static let keyword: UInt8 = 25

    private static let names: [UInt8: String] = [
        5: "ObjectName", 7: "EditStatus", 10: "Urgency", 15: "Category", 20: "SupplementalCategory",
        22: "FixtureIdentifier", 25: "Keywords", 26: "ContentLocationCode", 27: "ContentLocationName",
        30: "ReleaseDate", 35: "ReleaseTime", 37: "ExpirationDate", 38: "ExpirationTime", 40: "SpecialInstructions",
        42: "ActionAdvised", 55: "DateCreated", 60: "TimeCreated", 62: "DigitalCreationDate",
        63: "DigitalCreationTime", 65: "OriginatingProgram", 70: "ProgramVersion", 75: "ObjectCycle", 80: "Byline",
        85: "BylineTitle", 90: "City", 92: "SubLocation", 95: "Province/State", 100: "Country/PrimaryLocationCode",
        101: "Country/PrimaryLocationName", 103: "OriginalTransmissionReference", 105: "Headline", 110: "Credit",
        115: "Source", 116: "CopyrightNotice", 118: "Contact", 120: "Caption/Abstract", 122: "Writer/Editor",
        130: "ImageType", 131: "ImageOrientation", 135: "LanguageIdentifier",
    ]

    /// The entries in the order of the file.
    private(set) var entries: [Entry] = []

    /// Reads the image resources of Photoshop; a damaged part and what follows it are ignored.
    init(imageResources data: Data) {
        let bytes = [UInt8](data)
        var position = 0
        // A signature, an identifier, a name with its length, which together have an even length, and the length of the
        // contents, which are padded to an even length.
        while position + 12 <= bytes.count, bytes[position..<position + 4].elementsEqual("8BIM".utf8) {
            let identifier = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
            let start = position + 6 + (Int(bytes[position + 6]) + 2) / 2 * 2
            guard start + 4 <= bytes.count else { return }
            let count = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard start + 4 + count <= bytes.count else { return }
            if identifier == 0x0404 { read(bytes[(start + 4)..<(start + 4 + count)]) }
            position = start + 4 + (count + 1) / 2 * 2
        }
    }

    /// Reads data sets: a marker, record, number and length, and the contents.
    private mutating func read(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.count >= 5, rest.first == 0x1C {
            let header = Array(rest.prefix(5))
            let count = Int(header[3]) << 8 | Int(header[4])
            // The highest bit marks an extended length, which no text has.
            guard count < 0x8000, rest.count >= 5 + count else { return }
            let contents = rest.dropFirst(5).prefix(count)
            // Data set 0 is the version of the record, a number.
            if header[1] == 2, header[2] != 0 {
                entries.append(Entry(dataSet: header[2], text: String(textOfUnknownEncoding: contents)))
            }
            rest = rest.dropFirst(5 + count)
        }
    }

    /// Returns the texts of a data set.
    func texts(_ dataSet: UInt8) -> [String] { entries.filter { $0.dataSet == dataSet }.map(\.text) }
}

extension String {
    /// Decodes a text in UTF-8, or in Latin-1 if it is not valid UTF-8. Programs often omit or misstate the encoding.
    init(textOfUnknownEncoding bytes: some Collection<UInt8>) {
        self =
            String(validating: bytes, as: UTF8.self) ?? String(data: Data(bytes), encoding: .isoLatin1) ?? ""
    }
}
