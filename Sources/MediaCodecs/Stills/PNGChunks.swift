package import Foundation
package import PixelKernels

/// The chunks of a PNG file (ISO/IEC 15948), to read its header and its EXIF block.
package struct PNGChunks {
    /// The first bytes of each file.
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private struct Chunk {
        var type: String
        var payload: Data
    }

    // Invariant: the first chunk is a complete header, IHDR.
    private var chunks: [Chunk] = []
    /// Whether image data begins, even if its chunk is incomplete.
    package private(set) var hasImageData = false

    /// Parses a file; nil if it does not begin with a complete header. An incomplete chunk and all data after it are
    /// ignored.
    package init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard bytes.starts(with: Self.signature) else { return nil }
        var position = 8
        while position + 12 <= bytes.count {
            let count = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            if type == "IDAT" { hasImageData = true }
            guard position + 12 + count <= bytes.count else { break }
            chunks.append(Chunk(type: type, payload: Data(bytes[position + 8..<position + 8 + count])))
            position += 12 + count
        }
        guard let header = chunks.first, header.type == "IHDR", header.payload.count == 13 else { return nil }
    }

    /// Width and height in pixels.
    package var size: (width: Int, height: Int) {
        let header = chunks[0].payload
        return (header[0..<4].reduce(0) { $0 << 8 | Int($1) }, header[4..<8].reduce(0) { $0 << 8 | Int($1) })
    }

    /// Whether the color type has an alpha channel, or colors are transparent.
    package var hasAlpha: Bool { chunks[0].payload[9] & 4 != 0 || chunks.contains { $0.type == "tRNS" } }

    /// Whether the last chunk is the end of the image.
    package var isComplete: Bool { chunks.last?.type == "IEND" }

    /// The EXIF block as stored in JPEG files, with the signature that PNG files omit; nil if there is none.
    var exifData: Data? { chunks.first { $0.type == "eXIf" }.map { EXIFBlock.signature + $0.payload } }

    /// The text of the XMP packet (ISO 16684-3, 6.2.2); nil if there is none, or if it is compressed.
    var xmp: Data? { internationalTexts.first { $0.keyword == Self.xmpKeyword }?.text }

    private static let xmpKeyword = "XML:com.adobe.xmp"

    /// The keywords and the UTF-8 texts of the chunks of type iTXt that are not compressed.
    private var internationalTexts: [(keyword: String, text: Data)] {
        // A keyword, a zero, whether the text is compressed, how, a language and a translated keyword, each followed by a
        // zero, and the text.
        chunks.filter { $0.type == "iTXt" }.compactMap { chunk in
            let parts = chunk.payload.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].prefix(2).elementsEqual([0, 0]) else { return nil }
            let fields = parts[1].dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            return (String(decoding: parts[0], as: UTF8.self), Data(fields[2]))
        }
    }

    /// The keywords and the texts of all chunks that are not compressed, without the XMP packet.
    var texts: [(keyword: String, text: String)] {
        let simple = chunks.filter { $0.type == "tEXt" }.compactMap { chunk -> (String, String)? in
            let parts = chunk.payload.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
                .compactMap { String(data: Data($0), encoding: .isoLatin1) }
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return simple
            + internationalTexts.filter { $0.keyword != Self.xmpKeyword }
            .map { ($0.keyword, String(decoding: $0.text, as: UTF8.self)) }
    }

    /// The time of the last change, in UTC (tIME); nil if there is none.
    var modificationTime: EXIF.Moment? {
        guard let bytes = chunks.first(where: { $0.type == "tIME" }).map({ [UInt8]($0.payload) }), bytes.count == 7
        else { return nil }
        return EXIF.Moment(
            validYear: Int(bytes[0]) << 8 | Int(bytes[1]), month: Int(bytes[2]), day: Int(bytes[3]),
            hour: Int(bytes[4]), minute: Int(bytes[5]), second: Int(bytes[6]), offsetMinutes: 0)
    }

    /// Replaces the EXIF block, or removes it if nil.
    package mutating func setEXIF(_ exif: EXIF?) throws(ImageError) {
        let payload = try exif?.encoded().dropFirst(EXIFBlock.signature.count)
        chunks.removeAll { $0.type == "eXIf" }
        if let payload { chunks.insert(Chunk(type: "eXIf", payload: Data(payload)), at: 1) }
    }

    /// The contents of the file.
    package var data: Data {
        var data = Data(Self.signature)
        for chunk in chunks {
            let body = Data(chunk.type.utf8) + chunk.payload
            withUnsafeBytes(of: UInt32(chunk.payload.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(body)
            withUnsafeBytes(of: Self.checksum(body).bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// Returns the CRC-32 of a chunk's type and payload (annex D).
    private static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(~0) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
}
