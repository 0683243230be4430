import Foundation
import XCTest

/// Reads the boxes of a movie, independently of the code that writes them. Any inconsistency is an error.
struct BoxReader {
    struct Box {
        let type: String
        /// The range of the whole box in the file.
        let range: Range<Int>
        /// The range of the contents after the header.
        let body: Range<Int>
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let data: Data

    init(_ url: URL) throws { data = try Data(contentsOf: url) }

    /// Returns the boxes that fill a range.
    ///
    /// - Parameters:
    ///   - range: The range in the file; nil for the whole file.
    ///   - allowsTruncation: Whether the last box may exceed the range. It is not returned.
    func boxes(_ range: Range<Int>? = nil, allowsTruncation: Bool = false) throws -> [Box] {
        let range = range ?? 0..<data.count
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard offset + 8 <= range.upperBound else {
                if allowsTruncation { break }
                throw Failure(description: "\(range.upperBound - offset) bytes are left at \(offset)")
            }
            var size = Int(u32(offset))
            var header = 8
            if size == 1 {
                size = Int(u64(offset + 8))
                header = 16
            } else if size == 0 {
                size = range.upperBound - offset
            }
            guard size >= header else { throw Failure(description: "a box of \(size) bytes at \(offset)") }
            if offset + size > range.upperBound {
                if allowsTruncation { break }
                throw Failure(description: "\(code(offset + 4)) at \(offset) ends at \(offset + size)")
            }
            boxes.append(
                Box(
                    type: code(offset + 4), range: offset..<offset + size,
                    body: offset + header..<offset + size))
            offset += size
        }
        return boxes
    }

    /// Returns the boxes of a type inside another box.
    func children(_ box: Box, _ type: String) throws -> [Box] {
        try boxes(box.body).filter { $0.type == type }
    }

    /// Returns the only box at a path.
    func box(_ root: Box, _ path: String...) throws -> Box {
        var box = root
        for type in path {
            let found = try children(box, type)
            guard found.count == 1 else { throw Failure(description: "\(box.type) has \(found.count) \(type)") }
            box = found[0]
        }
        return box
    }

    func u8(_ offset: Int) -> UInt8 { data[data.startIndex + offset] }

    func u16(_ offset: Int) -> UInt16 { UInt16(u8(offset)) << 8 | UInt16(u8(offset + 1)) }

    func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) << 16 | UInt32(u16(offset + 2)) }

    func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) << 32 | UInt64(u32(offset + 4)) }

    func i32(_ offset: Int) -> Int32 { Int32(bitPattern: u32(offset)) }

    func code(_ offset: Int) -> String {
        String(String.UnicodeScalarView((0..<4).map { Unicode.Scalar(u8(offset + $0)) }))
    }

    func bytes(_ range: Range<Int>) -> Data { data.subdata(in: range) }
}
