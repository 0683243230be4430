package import Foundation

/// Bytes of maker notes as Apple's cameras write them.
package enum AppleMakerNoteData {
    /// Creates a note with texts by their tags.
    package static func make(_ texts: [(tag: Int, text: String)]) -> Data {
        func bytes(_ value: Int, _ count: Int) -> Data {
            Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        var note = Data("Apple iOS".utf8) + Data([0, 0, 1]) + Data("MM".utf8) + bytes(texts.count, 2)
        var values = Data()
        let valueOffset = note.count + 12 * texts.count + 4
        for (tag, text) in texts {
            let value = Data(text.utf8) + Data([0])
            note += bytes(tag, 2) + bytes(2, 2) + bytes(value.count, 4)
            if value.count > 4 {
                note += bytes(valueOffset + values.count, 4)
                values += value
            } else {
                note += value + Data(count: 4 - value.count)
            }
        }
        return note + bytes(0, 4) + values
    }

    /// Returns a JPEG file with a note in its EXIF block, which follows the start of the image.
    package static func jpeg(_ photo: Data, _ note: Data) -> Data {
        // Two image file directories of TIFF in big-endian order: the first contains the offset of the second, the one
        // of EXIF, which contains the note.
        func directory(_ entry: [UInt8]) -> Data { Data([0, 1] + entry + [0, 0, 0, 0]) }
        let count = [UInt8(0), 0, UInt8(note.count >> 8), UInt8(note.count & 0xFF)]
        let tiff =
            Data("MM".utf8) + Data([0, 42, 0, 0, 0, 8]) + directory([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26])
            + directory([0x92, 0x7C, 0, 7] + count + [0, 0, 0, 44]) + note
        let block = Data("Exif\0\0".utf8) + tiff
        let size = block.count + 2
        return photo.prefix(2) + Data([0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)]) + block + photo.dropFirst(2)
    }
}
