package import Foundation

/// The bytes of a movie whose boxes a test damages.
package struct MovieBytes {
    /// A box in the movie.
    package struct Box: Hashable, Sendable {
        package let type: String
        /// The range of the whole box in the file.
        package let range: Range<Int>
        /// The offsets of the boxes that contain it, from the outermost on.
        package let parents: [Int]
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The types of boxes that contain boxes only.
    private static let containers: Set<String> = [
        "moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "mvex", "moof", "traf", "udta",
    ]

    /// The bytes of the file.
    package private(set) var data: Data

    package init(_ data: Data) { self.data = Data(data) }

    /// All boxes of the movie, in file order.
    package var boxes: [Box] { boxes(in: 0..<data.count, parents: []) }

    private func boxes(in range: Range<Int>, parents: [Int]) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            // A size of 1 stands for one of 64 bits.
            let size = self[offset] == 1 ? Int(self[offset + 12]) : Int(self[offset])
            let end = size < 8 ? range.upperBound : min(range.upperBound, offset + size)
            let type = String(decoding: data[offset + 4..<offset + 8], as: UTF8.self)
            boxes.append(Box(type: type, range: offset..<end, parents: parents))
            if Self.containers.contains(type) {
                boxes += self.boxes(in: offset + 8..<end, parents: parents + [offset])
            }
            offset = end
        }
        return boxes
    }

    /// Returns a box of a type.
    ///
    /// - Parameter index: Its index among the boxes of the type.
    package func box(_ type: String, _ index: Int = 0) throws -> Box {
        let boxes = boxes.filter { $0.type == type }
        guard boxes.indices.contains(index) else { throw Failure(description: "there is no '\(type)' box \(index)") }
        return boxes[index]
    }

    /// Returns the contents of a box after its header.
    package func body(_ box: Box) -> Data { Data(data[box.range.dropFirst(8)]) }

    /// The big-endian word at an offset in the file.
    package subscript(offset: Int) -> UInt32 {
        get { data[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        set { withUnsafeBytes(of: newValue.bigEndian) { data.replaceSubrange(offset..<offset + 4, with: $0) } }
    }

    /// The word at an offset in a box.
    package subscript(box: Box, offset: Int) -> UInt32 {
        get { self[box.range.lowerBound + offset] }
        set { self[box.range.lowerBound + offset] = newValue }
    }

    /// Changes the type of a box.
    package mutating func rename(_ box: Box, _ type: String) {
        data.replaceSubrange(box.range.lowerBound + 4..<box.range.lowerBound + 8, with: Data(type.utf8))
    }

    /// Replaces a range of bytes, and changes the sizes of the boxes that contain it.
    ///
    /// - Parameter parents: The offsets of the boxes.
    package mutating func replace(_ range: Range<Int>, with bytes: Data, in parents: [Int]) {
        for parent in parents { self[parent] = UInt32(Int(self[parent]) + bytes.count - range.count) }
        data.replaceSubrange(range, with: bytes)
    }

    /// Returns the bytes of a box.
    package static func box(_ type: String, _ body: Data) -> Data {
        var size = UInt32(body.count + 8).bigEndian
        return Data(bytes: &size, count: 4) + Data(type.utf8) + body
    }

    /// Returns the packets of a file as ffprobe reads them, by the type of their stream: size and checksum.
    package static func packets(_ url: URL) throws -> [String: [String]] {
        let lines = try FFprobe.lines(
            ["-show_data_hash", "MD5", "-show_entries", "packet=codec_type,size,data_hash"], url)
        return Dictionary(grouping: lines.filter { $0.count >= 3 }) { $0[0] }.mapValues { $0.map { $0[1] + $0[2] } }
    }
}
