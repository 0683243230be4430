public import Foundation

/// Bytes in one or more contiguous pieces, which can be shared with other buffers.
///
/// Thread-safe, except for the bytes: a writer needs exclusive access.
public final class CMBlockBuffer: @unchecked Sendable {
    // SAFETY: `state` is a lock. The bytes of a block are written only by methods that document it.

    /// A block of memory, which is released with its last reference.
    final class Block: @unchecked Sendable {
        // SAFETY: the properties are constants; the bytes follow the rules of `CMBlockBuffer`.
        let bytes: UnsafeMutableRawBufferPointer
        private let release: @Sendable () -> Void

        init(_ bytes: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void) {
            self.bytes = bytes
            self.release = release
        }

        /// Allocates zeroed memory.
        convenience init(zeroed count: Int) {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 16)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            let address = UInt(bitPattern: bytes.baseAddress)
            self.init(UnsafeMutableRawBufferPointer(rebasing: bytes[0..<count])) {
                UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
            }
        }

        deinit { release() }
    }

    /// A contiguous piece of the buffer: a range of a block.
    struct Piece {
        var block: Block
        /// The range of bytes in the block.
        var range: Range<Int>
    }

    struct State {
        /// Invariant: no piece is empty, and `count` is the sum of their lengths.
        var pieces: [Piece] = []
        var count = 0
        var attachments: [String: Attachment] = [:]

        mutating func append(_ piece: Piece) {
            guard !piece.range.isEmpty else { return }
            pieces.append(piece)
            count += piece.range.count
        }
    }

    let state: Lock<State>

    init(_ pieces: [Piece]) {
        var state = State()
        for piece in pieces { state.append(piece) }
        self.state = Lock(state, order: .primitive)
    }

    /// Creates an empty buffer.
    public convenience init() { self.init([]) }

    /// Creates a buffer of `length` zero bytes.
    public convenience init(length: Int) {
        let block = Block(zeroed: length)
        self.init([Piece(block: block, range: 0..<length)])
    }

    /// Creates a buffer with a copy of bytes.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        let block = Block(zeroed: bytes.count)
        block.bytes.copyMemory(from: bytes)
        self.init([Piece(block: block, range: 0..<bytes.count)])
    }

    /// Creates a buffer with a copy of bytes.
    package convenience init(copying data: some ContiguousBytes) {
        let block = data.withUnsafeBytes { bytes in
            let block = Block(zeroed: bytes.count)
            block.bytes.copyMemory(from: bytes)
            return block
        }
        self.init([Piece(block: block, range: 0..<block.bytes.count)])
    }

    /// Creates a buffer on memory that the caller owns.
    ///
    /// - Parameter deallocator: Called once, on any thread, when the memory is no longer used.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer,
        deallocator: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void
    ) {
        let address = UInt(bitPattern: buffer.baseAddress)
        let count = buffer.count
        let block = Block(buffer) {
            if let pointer = UnsafeMutableRawPointer(bitPattern: address) { deallocator(pointer, count) }
        }
        self.init([Piece(block: block, range: 0..<count)])
    }

    /// The number of bytes.
    public var dataLength: Int { state.withLock { $0.count } }
    /// Whether the buffer has no bytes.
    public var isEmpty: Bool { dataLength == 0 }
    /// Whether all bytes are in one piece.
    public var isContiguous: Bool { state.withLock { $0.pieces.count <= 1 } }

    /// The attachments; reading returns a copy, writing replaces all of them.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(state.withLock { $0.attachments }) }
        set {
            // The old values are released here, outside the lock.
            let old = state.withLock { state in
                let old = state.attachments
                state.attachments = newValue.entries
                return old
            }
            _ = old
        }
    }

    /// Returns a copy of all bytes.
    public func dataBytes() throws -> Data {
        var data = Data(capacity: dataLength)
        for piece in pieces {
            data.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece.block.bytes[piece.range]))
        }
        return data
    }

    /// Copies bytes from the start of the buffer.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` if the buffer has fewer bytes.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        try check(copy(offset: 0, to: destination), "cannot copy \(destination.count) bytes from \(dataLength)")
    }

    /// Overwrites bytes at an offset.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` or `kCMBlockBufferBadOffsetParameterErr` if the range exceeds
    ///   the buffer.
    public func replaceDataBytes(with source: UnsafeRawBufferPointer, atOffset offset: Int = 0) throws {
        try check(
            replace(offset: offset, with: source),
            "cannot write \(source.count) bytes at offset \(offset) of \(dataLength)")
    }

    /// Passes all bytes to `body`; bytes in several pieces are copied to contiguous memory first.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let pieces = pieces
        if pieces.count <= 1 {
            return try withExtendedLifetime(self) {
                guard let piece = pieces.first else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
                return try body(UnsafeRawBufferPointer(rebasing: piece.block.bytes[piece.range]))
            }
        }
        let whole = contiguousCopy(of: 0..<dataLength)
        return try withExtendedLifetime(whole) { try body(UnsafeRawBufferPointer(whole.bytes)) }
    }

    /// Passes the bytes from an offset to the end of its piece to `body`, which may write them.
    ///
    /// - Throws: `kCMBlockBufferBadOffsetParameterErr` if the offset is outside the buffer, and errors of `body`.
    public func withUnsafeMutableBytes<Result>(
        atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard let bytes = contiguousBytes(atOffset: offset) else {
            throw mediaError(kCMBlockBufferBadOffsetParameterErr, "offset \(offset) is not in 0..<\(dataLength)")
        }
        return try withExtendedLifetime(self) { try body(bytes) }
    }

    /// Appends all bytes of another buffer, without copying them.
    public func append(bufferReference other: CMBlockBuffer) throws {
        try check(appendReference(other, offset: 0, length: 0), "cannot append a buffer to itself, or an empty buffer")
    }

    var pieces: [Piece] { state.withLock { $0.pieces } }

    private func check(_ status: OSStatus, _ message: String) throws {
        guard status == kCMBlockBufferNoErr else { throw mediaError(status, "block buffer: \(message)") }
    }
}

extension CMBlockBuffer {
    /// Returns the bytes from an offset to the end of the piece that contains it; nil if the offset is outside the
    /// buffer.
    func contiguousBytes(atOffset offset: Int) -> UnsafeMutableRawBufferPointer? {
        guard offset >= 0 else { return nil }
        var start = 0
        for piece in pieces {
            if offset < start + piece.range.count {
                let lower = piece.range.lowerBound + offset - start
                return UnsafeMutableRawBufferPointer(rebasing: piece.block.bytes[lower..<piece.range.upperBound])
            }
            start += piece.range.count
        }
        return nil
    }

    /// Returns the pieces that make up a range of bytes; nil if the range exceeds the buffer.
    func parts(of range: Range<Int>) -> [Piece]? {
        guard range.lowerBound >= 0, range.upperBound <= dataLength else { return nil }
        var parts: [Piece] = []
        var start = 0
        for piece in pieces {
            let extent = start..<start + piece.range.count
            let common = extent.clamped(to: range)
            if !common.isEmpty {
                let lower = piece.range.lowerBound + common.lowerBound - start
                parts.append(Piece(block: piece.block, range: lower..<lower + common.count))
            }
            start = extent.upperBound
        }
        return parts
    }

    /// Copies a range of bytes to a new block. The range must be within the buffer.
    func contiguousCopy(of range: Range<Int>) -> Block {
        let block = Block(zeroed: range.count)
        _ = copy(offset: range.lowerBound, to: block.bytes)
        return block
    }

    /// Copies bytes at an offset to `destination`; returns an error code if the range exceeds the buffer.
    func copy(offset: Int, to destination: UnsafeMutableRawBufferPointer) -> OSStatus {
        forEachPart(offset: offset, count: destination.count) { bytes, position in
            UnsafeMutableRawBufferPointer(rebasing: destination[position...]).copyMemory(
                from: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Overwrites bytes at an offset; returns an error code if the range exceeds the buffer.
    func replace(offset: Int, with source: UnsafeRawBufferPointer) -> OSStatus {
        forEachPart(offset: offset, count: source.count) { bytes, position in
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[position..<position + bytes.count]))
        }
    }

    /// Fills bytes with a value; returns an error code if the range exceeds the buffer.
    func fill(_ byte: UInt8, offset: Int, count: Int) -> OSStatus {
        forEachPart(offset: offset, count: count) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: byte)
        }
    }

    /// Appends a reference to a part of another buffer; length 0 means up to the end. Returns an error code if the
    /// range exceeds the other buffer.
    func appendReference(_ other: CMBlockBuffer, offset: Int, length: Int) -> OSStatus {
        guard other !== self else { return kCMBlockBufferBadPointerParameterErr }
        let total = other.dataLength
        guard total > 0 else { return kCMBlockBufferEmptyBBufErr }
        guard (0..<total).contains(offset) else { return kCMBlockBufferBadOffsetParameterErr }
        let count = length == 0 ? total - offset : length
        guard count > 0, count <= total - offset, let parts = other.parts(of: offset..<offset + count)
        else { return kCMBlockBufferBadLengthParameterErr }
        state.withLock { state in
            for part in parts { state.append(part) }
        }
        return kCMBlockBufferNoErr
    }

    /// Calls a closure for each contiguous part of a range, in order; returns an error code if the range exceeds the
    /// buffer.
    ///
    /// - Parameter body: Receives the bytes of a part and its offset in the range.
    private func forEachPart(
        offset: Int, count: Int, _ body: (UnsafeMutableRawBufferPointer, Int) -> Void
    ) -> OSStatus {
        let total = dataLength
        guard total > 0 || count == 0 else { return kCMBlockBufferEmptyBBufErr }
        guard (0...total).contains(offset) else { return kCMBlockBufferBadOffsetParameterErr }
        guard count >= 0, count <= total - offset, let parts = parts(of: offset..<offset + count)
        else { return kCMBlockBufferBadLengthParameterErr }
        var position = 0
        for part in parts {
            body(UnsafeMutableRawBufferPointer(rebasing: part.block.bytes[part.range]), position)
            position += part.range.count
        }
        return kCMBlockBufferNoErr
    }
}

extension CMBlockBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMBlockBuffer, rhs: CMBlockBuffer) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
