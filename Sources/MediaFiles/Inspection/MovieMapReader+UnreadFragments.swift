import Foundation
import MediaCodecs
import MediaStorage

// Fragments in parts of the file that are not read, because the size of a box before them is wrong.
extension MovieMapReader {
    /// The number of bytes that are searched at a time.
    private static let searchByteCount: Int64 = 1 << 20

    /// Returns the file offset of a fragment that is not read because the size of a box before it is wrong; nil if there is
    /// none, as in an interrupted recording.
    func unreadFragmentOffset() throws(StorageError) -> Int64? {
        guard map.isFragmented else { return nil }
        if let last = map.boxes.last, last.isCutOff, last.type == "moof", try contains(last, "mdat") {
            // The media follows a complete fragment.
            return last.offset
        }
        var start: Int64 = 0
        for range in readRanges() {
            if let offset = try fragmentOffset(in: start..<max(start, range.lowerBound)) { return offset }
            start = max(start, range.upperBound)
        }
        return try fragmentOffset(in: start..<max(start, map.byteCount))
    }

    /// The ranges of the file that are read or unused, in ascending order: indexes, samples and free space.
    private func readRanges() -> [Range<Int64>] {
        let types = ["moov", "moof", "free", "skip"]
        // Only the headers of an incomplete box are read: `moof` and `mfhd`.
        var ranges = map.boxes.filter { types.contains($0.type) }.map {
            $0.offset..<($0.isCutOff ? $0.body.lowerBound + 8 : $0.end)
        }
        for track in map.tracks {
            var media: Range<Int64>?
            for run in track.samples.runs {
                if let last = media, last.upperBound == run.offset {
                    media = last.lowerBound..<run.end
                } else {
                    if let media { ranges.append(media) }
                    media = run.offset..<run.end
                }
            }
            if let media { ranges.append(media) }
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether complete boxes in a box are followed by one of a type.
    private func contains(_ box: MovieMap.Box, _ type: String) throws(StorageError) -> Bool {
        var reader = ByteReader(
            try file.bytes(at: box.body.lowerBound, count: Int(min(Self.searchByteCount, Int64(box.body.count)))))
        // The last box is incomplete.
        while let header = try? BoxHeader(&reader) {
            if header.type == type { return true }
            guard let count = header.bodyByteCount, (try? reader.skip(Int(clamping: count))) != nil else { break }
        }
        return false
    }

    /// Returns the file offset of the first `moof` box in a range; its first box is its header, `mfhd`.
    private func fragmentOffset(in range: Range<Int64>) throws(StorageError) -> Int64? {
        let headerByteCount: Int64 = 16
        var start = range.lowerBound
        while range.upperBound - start >= headerByteCount {
            let count = min(range.upperBound - start, Self.searchByteCount)
            let data = Data(try file.bytes(at: start, count: Int(count)))
            var position = data.startIndex
            while let type = data.range(of: Data("moof".utf8), in: position..<data.endIndex) {
                if type.lowerBound >= 4, data[type.upperBound...].dropFirst(4).starts(with: Data("mfhd".utf8)) {
                    return start + Int64(type.lowerBound) - 4
                }
                position = type.upperBound
            }
            if count < Self.searchByteCount { return nil }
            // A header can be in two parts.
            start += count - headerByteCount + 1
        }
        return nil
    }
}
