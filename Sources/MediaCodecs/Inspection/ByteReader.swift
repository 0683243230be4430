package import Foundation

/// Reads big-endian values from a part of a file in memory, with bounds checks.
package struct ByteReader {
    /// The data ends before the value to read.
    package struct UnexpectedEnd: Error {
        /// The file offset of the failed read.
        package let offset: Int64
    }

    private let bytes: [UInt8]
    /// The file offset of the first of `bytes`.
    private let origin: Int64
    /// The index in `bytes` of the next byte, and of the end of the data to read.
    private(set) var position: Int
    let end: Int

    /// Creates a reader.
    ///
    /// - Parameter origin: The file offset of `bytes`.
    package init(_ bytes: [UInt8], at origin: Int64 = 0) {
        self.bytes = bytes
        self.origin = origin
        position = 0
        end = bytes.count
    }

    private init(_ reader: ByteReader, count: Int) {
        bytes = reader.bytes
        origin = reader.origin
        position = reader.position
        end = reader.position + count
    }

    /// The number of bytes that remain to be read.
    package var remaining: Int { end - position }
    /// The file offset of the next byte.
    package var fileOffset: Int64 { origin + Int64(position) }

    /// Reads a byte.
    package mutating func unsigned8() throws(UnexpectedEnd) -> UInt8 { try number() }
    /// Reads a big-endian integer of 16 bits.
    package mutating func unsigned16() throws(UnexpectedEnd) -> UInt16 { try number() }
    /// Reads a big-endian integer of 32 bits.
    package mutating func unsigned32() throws(UnexpectedEnd) -> UInt32 { try number() }
    /// Reads a big-endian integer of 64 bits.
    package mutating func unsigned64() throws(UnexpectedEnd) -> UInt64 { try number() }
    /// Reads a big-endian integer of 16 bits with a sign.
    package mutating func signed16() throws(UnexpectedEnd) -> Int16 { try number() }
    /// Reads a big-endian integer of 32 bits with a sign.
    package mutating func signed32() throws(UnexpectedEnd) -> Int32 { try number() }
    /// Reads a big-endian integer of 64 bits with a sign.
    package mutating func signed64() throws(UnexpectedEnd) -> Int64 { try number() }

    /// Reads a 32-bit fixed-point number with `fractionBits` fraction bits.
    package mutating func fixed(fractionBits: Int) throws(UnexpectedEnd) -> Double {
        Double(try signed32()) / Double(1 << fractionBits)
    }

    /// Reads a big-endian floating-point number of 64 bits.
    package mutating func float64() throws(UnexpectedEnd) -> Double { Double(bitPattern: try unsigned64()) }

    /// Reads a four-character code in ISO 8859-1.
    package mutating func code() throws(UnexpectedEnd) -> String { try unsigned32().fourCharacters }

    /// Moves forward by a number of bytes.
    package mutating func skip(_ count: Int) throws(UnexpectedEnd) {
        guard count >= 0, count <= remaining else { throw UnexpectedEnd(offset: fileOffset) }
        position += count
    }

    /// Reads the next bytes.
    package mutating func data(_ count: Int) throws(UnexpectedEnd) -> Data {
        guard count >= 0, count <= remaining else { throw UnexpectedEnd(offset: fileOffset) }
        defer { position += count }
        return Data(bytes[position..<position + count])
    }

    /// Reads all remaining bytes.
    package mutating func rest() -> Data {
        defer { position = end }
        return Data(bytes[position..<end])
    }

    /// Returns a reader of the next `count` bytes, and skips them.
    package mutating func part(_ count: Int) throws(UnexpectedEnd) -> ByteReader {
        guard count >= 0, count <= remaining else { throw UnexpectedEnd(offset: fileOffset) }
        defer { position += count }
        return ByteReader(self, count: count)
    }

    private mutating func number<Number: FixedWidthInteger>() throws(UnexpectedEnd) -> Number {
        let count = MemoryLayout<Number>.size
        guard count <= remaining else { throw UnexpectedEnd(offset: fileOffset) }
        defer { position += count }
        return bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self)) }
    }
}

/// A box in memory: its type and the contents after its header (ISO/IEC 14496-12, 4.2).
package struct MemoryBox {
    package let type: String
    /// The offset of the box in the file.
    package let offset: Int64
    package var body: ByteReader

    package init(type: String, offset: Int64, body: ByteReader) {
        self.type = type
        self.offset = offset
        self.body = body
    }

    /// The bytes of the whole box with a header of eight bytes.
    package var bytes: Data {
        var body = body
        var builder = BoxBuilder()
        builder.box(type) { $0.data(body.rest()) }
        return Data(builder.bytes)
    }

    /// Reads the version and the flags of a full box.
    package mutating func versionAndFlags() throws(ByteReader.UnexpectedEnd) -> (version: UInt8, flags: UInt32) {
        let word = try body.unsigned32()
        return (UInt8(word >> 24), word & 0xff_ffff)
    }
}

/// The header of a box (ISO/IEC 14496-12, 4.2.2).
package struct BoxHeader {
    package let type: String
    /// The size of the header in bytes: 8, or 16 with a size of 64 bits.
    package let byteCount: Int64
    /// The size of the contents in bytes; nil if they extend to the end of the enclosing box or file.
    package let bodyByteCount: Int64?

    /// Reads a header; nil at eight zero bytes, with which QuickTime permits a list to end.
    ///
    /// - Throws: `UnexpectedEnd` if the header is incomplete, or if it specifies a box that is smaller than the header.
    package init?(_ reader: inout ByteReader) throws(ByteReader.UnexpectedEnd) {
        let offset = reader.fileOffset
        let size = Int64(try reader.unsigned32())
        type = try reader.code()
        switch size {
        case 0:
            if type == "\0\0\0\0" { return nil }
            (byteCount, bodyByteCount) = (8, nil)
        case 1:
            (byteCount, bodyByteCount) = (16, Int64(clamping: try reader.unsigned64()) - 16)
        default:
            (byteCount, bodyByteCount) = (8, size - 8)
        }
        if let bodyByteCount, bodyByteCount < 0 { throw ByteReader.UnexpectedEnd(offset: offset) }
    }
}

extension ByteReader {
    /// Reads the next box; nil at the end, if less than eight bytes remain, or at eight zero bytes.
    package mutating func box() throws(UnexpectedEnd) -> MemoryBox? {
        guard remaining >= 8 else { return nil }
        let offset = fileOffset
        guard let header = try BoxHeader(&self) else { return nil }
        let count = header.bodyByteCount ?? Int64(remaining)
        guard count <= Int64(remaining) else { throw UnexpectedEnd(offset: offset) }
        return MemoryBox(type: header.type, offset: offset, body: try part(Int(count)))
    }

    /// Returns all remaining complete boxes.
    package func boxes() -> [MemoryBox] {
        var reader = self
        return reader.completeBoxes()
    }

    /// Reads complete boxes up to bytes that are none.
    package mutating func completeBoxes() -> [MemoryBox] {
        var boxes: [MemoryBox] = []
        while true {
            let start = self
            // The next box cannot be found after an incomplete one.
            guard let box = try? box() else {
                self = start
                return boxes
            }
            boxes.append(box)
        }
    }
}
