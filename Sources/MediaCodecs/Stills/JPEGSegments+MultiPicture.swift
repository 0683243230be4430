import Foundation
import PixelKernels

/// The index of the images in a file of the Multi-Picture Format (CIPA DC-007, 5.2).
extension JPEGSegments {
    private static let signature = Data("MPF\0".utf8)
    /// The tags of the number of images, and of their entries.
    private static let (countTag, entriesTag) = (0xB001, 0xB002)
    private static let entryByteCount = 16

    private static func isIndex(_ segment: Segment) -> Bool {
        segment.marker == 0xE2 && segment.payload.starts(with: signature)
    }

    /// Writes the index of a file in which other images follow this one.
    ///
    /// - Parameter imageSizes: The bytes of the other images.
    mutating func setMultiPictureIndex(imageSizes: [Int]) {
        func bigEndian(_ value: Int, _ count: Int) -> Data {
            Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        let count = imageSizes.count + 1
        // The header of TIFF, then three entries.
        let entriesOffset = 8 + 2 + 3 * 12 + 4
        var header = Data("MM".utf8) + bigEndian(42, 2) + bigEndian(8, 4) + bigEndian(3, 2)
        header += bigEndian(0xB000, 2) + bigEndian(7, 2) + bigEndian(4, 4) + Data("0100".utf8)
        header += bigEndian(Self.countTag, 2) + bigEndian(4, 2) + bigEndian(1, 4) + bigEndian(count, 4)
        header += bigEndian(Self.entriesTag, 2) + bigEndian(7, 2) + bigEndian(Self.entryByteCount * count, 4)
        header += bigEndian(entriesOffset, 4) + bigEndian(0, 4)
        removeSegments(where: Self.isIndex)
        // The segment has its final size, so that the sizes and offsets of the images are known.
        let payloadSize = Self.signature.count + header.count + Self.entryByteCount * count
        insertAfterMetadata(Segment(marker: 0xE2, payload: Self.signature + Data(count: payloadSize - 4)))
        guard let index = segments.firstIndex(where: Self.isIndex) else { return }
        let primarySize = data.count
        // Offsets begin at the header in the segment.
        let headerOffset = offset(ofSegment: index) + 4 + Self.signature.count
        var entries = bigEndian(0x03_0000, 4) + bigEndian(primarySize, 4) + bigEndian(0, 8)
        var offset = primarySize - headerOffset
        for size in imageSizes {
            entries += bigEndian(0, 4) + bigEndian(size, 4) + bigEndian(offset, 4) + bigEndian(0, 4)
            offset += size
        }
        removeSegments(where: Self.isIndex)
        insertAfterMetadata(Segment(marker: 0xE2, payload: Self.signature + header + entries))
    }

    /// Returns the images that follow the first one of a file; empty if it has no index, or a damaged one.
    static func otherImages(of file: Data) -> [Data] {
        guard let segments = JPEGSegments(readable: file), let index = segments.segments.firstIndex(where: isIndex)
        else { return [] }
        let start = file.startIndex + segments.offset(ofSegment: index) + 4 + signature.count
        // The index describes parts of the file beyond its segment, so that it is read from the file.
        guard start < file.endIndex, let directory = TIFFDirectory(file: file[start...]),
            let entries = directory.entries[UInt16(entriesTag)], entries.type == .undefined
        else { return [] }
        let isBigEndian = file[start] == UInt8(ascii: "M")
        let bytes = [UInt8](entries.data)
        func number(at offset: Int) -> Int {
            let part = bytes[offset..<offset + 4]
            return (isBigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        return stride(from: entryByteCount, to: bytes.count / entryByteCount * entryByteCount, by: entryByteCount)
            .compactMap { entry in
                let (size, offset) = (number(at: entry + 4), number(at: entry + 8))
                guard offset > 0, offset <= file.endIndex - start, size <= file.endIndex - start - offset else {
                    return nil
                }
                return Data(file[(start + offset)..<(start + offset + size)])
            }
    }
}
