import Foundation

/// Reads a stretch of a file that is in memory, big endian, and never beyond its end.
struct ByteReader {
    /// The bytes end before what was to be read.
    struct Shortage: Error {
        /// Where in the file more was wanted.
        let offset: Int64
    }

    private let bytes: [UInt8]
    /// The file offset of the first of `bytes`.
    private let origin: Int64
    private(set) var position: Int
    let end: Int

    /// - Parameter origin: Where in the file the bytes lie.
    init(_ bytes: [UInt8], at origin: Int64 = 0) {
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

    var remaining: Int { end - position }
    /// Where in the file the next byte lies.
    var fileOffset: Int64 { origin + Int64(position) }

    mutating func unsigned8() throws(Shortage) -> UInt8 { try number() }
    mutating func unsigned16() throws(Shortage) -> UInt16 { try number() }
    mutating func unsigned32() throws(Shortage) -> UInt32 { try number() }
    mutating func unsigned64() throws(Shortage) -> UInt64 { try number() }
    mutating func signed16() throws(Shortage) -> Int16 { try number() }
    mutating func signed32() throws(Shortage) -> Int32 { try number() }
    mutating func signed64() throws(Shortage) -> Int64 { try number() }

    /// A number of 32 bits with `fractionBits` behind the point.
    mutating func fixed(fractionBits: Int) throws(Shortage) -> Double {
        Double(try signed32()) / Double(1 << fractionBits)
    }

    mutating func float64() throws(Shortage) -> Double { Double(bitPattern: try unsigned64()) }

    /// Four characters of ISO 8859-1.
    mutating func code() throws(Shortage) -> String { Self.code(try unsigned32()) }

    /// A number as the four characters that it stands for.
    static func code(_ number: UInt32) -> String {
        String(
            String.UnicodeScalarView((0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: number >> (24 - 8 * $0))) })
        )
    }

    mutating func skip(_ count: Int) throws(Shortage) {
        guard count >= 0, count <= remaining else { throw Shortage(offset: fileOffset) }
        position += count
    }

    mutating func data(_ count: Int) throws(Shortage) -> Data {
        guard count >= 0, count <= remaining else { throw Shortage(offset: fileOffset) }
        defer { position += count }
        return Data(bytes[position..<position + count])
    }

    /// All that is left.
    mutating func rest() -> Data {
        defer { position = end }
        return Data(bytes[position..<end])
    }

    /// A reader of the next bytes alone, which this one skips.
    mutating func part(_ count: Int) throws(Shortage) -> ByteReader {
        guard count >= 0, count <= remaining else { throw Shortage(offset: fileOffset) }
        defer { position += count }
        return ByteReader(self, count: count)
    }

    private mutating func number<Number: FixedWidthInteger>() throws(Shortage) -> Number {
        let count = MemoryLayout<Number>.size
        guard count <= remaining else { throw Shortage(offset: fileOffset) }
        defer { position += count }
        return bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self)) }
    }
}

/// A box in memory: its type and what is behind its header (ISO/IEC 14496-12, 4.2).
struct MemoryBox {
    let type: String
    /// Where the box begins in the file.
    let offset: Int64
    var body: ByteReader

    /// Reads version and flags, with which a full box begins.
    mutating func versionAndFlags() throws(ByteReader.Shortage) -> (version: UInt8, flags: UInt32) {
        let word = try body.unsigned32()
        return (UInt8(word >> 24), word & 0xff_ffff)
    }
}

extension ByteReader {
    /// The next box; nil at the end, or where fewer than eight bytes or only zeros are left, as QuickTime may leave.
    mutating func box() throws(Shortage) -> MemoryBox? {
        guard remaining >= 8 else { return nil }
        let offset = fileOffset
        var size = Int64(try unsigned32())
        let type = try code()
        if size == 0, type == "\0\0\0\0" { return nil }
        var headerByteCount: Int64 = 8
        if size == 1 {
            size = Int64(clamping: try unsigned64())
            headerByteCount = 16
        } else if size == 0 {
            size = headerByteCount + Int64(remaining)
        }
        guard size >= headerByteCount, size - headerByteCount <= Int64(remaining) else {
            throw Shortage(offset: offset)
        }
        return MemoryBox(type: type, offset: offset, body: try part(Int(size - headerByteCount)))
    }

    /// All boxes up to the end, as far as they are whole.
    func boxes() -> [MemoryBox] {
        var reader = self
        var boxes: [MemoryBox] = []
        // What follows a box that is cut off cannot be told apart.
        while let box = try? reader.box() { boxes.append(box) }
        return boxes
    }
}
