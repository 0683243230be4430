public import Foundation

/// Bytes in one or more pieces, some of which may belong to other buffers.
///
/// Thread-safe, save for the bytes: who writes them must be alone with them.
public final class CMBlockBuffer: @unchecked Sendable {
    // SAFETY: `state` is a lock; the bytes of a `Block` are written only through the functions that say so.

    /// Memory with an owner.
    final class Block: @unchecked Sendable {
        // SAFETY: the stored properties never change.
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

    /// A part of a block, at its place in the buffer.
    struct Piece {
        var block: Block
        /// The part's place in the block.
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

    /// Makes an empty buffer, to append to.
    public convenience init() { self.init([]) }

    /// Makes a buffer of so many zero bytes.
    public convenience init(length: Int) {
        let block = Block(zeroed: length)
        self.init([Piece(block: block, range: 0..<length)])
    }

    /// Makes a buffer with a copy of bytes.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        let block = Block(zeroed: bytes.count)
        block.bytes.copyMemory(from: bytes)
        self.init([Piece(block: block, range: 0..<bytes.count)])
    }

    /// Makes a buffer with a copy of bytes.
    package convenience init(copying data: some ContiguousBytes) {
        let block = data.withUnsafeBytes { bytes in
            let block = Block(zeroed: bytes.count)
            block.bytes.copyMemory(from: bytes)
            return block
        }
        self.init([Piece(block: block, range: 0..<block.bytes.count)])
    }

    /// Makes a buffer over memory that belongs to the caller.
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

    /// How many bytes there are.
    public var dataLength: Int { state.withLock { $0.count } }
    /// Whether there are none.
    public var isEmpty: Bool { dataLength == 0 }
    /// Whether all bytes lie in one piece.
    public var isContiguous: Bool { state.withLock { $0.pieces.count <= 1 } }

    /// The attachments; reading gives a copy, writing replaces them all.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(state.withLock { $0.attachments }) }
        set {
            let old = state.withLock { state in
                let old = state.attachments
                state.attachments = newValue.entries
                return old
            }
            _ = old
        }
    }

    /// A copy of all bytes.
    public func dataBytes() throws -> Data {
        var data = Data(capacity: dataLength)
        for piece in pieces {
            data.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece.block.bytes[piece.range]))
        }
        return data
    }

    /// Copies the first bytes into memory of the caller.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` where there are fewer.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        try check(copy(offset: 0, to: destination), "to copy \(destination.count) bytes of \(dataLength)")
    }

    /// Writes bytes over those at an offset.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` or `kCMBlockBufferBadOffsetParameterErr` past the end.
    public func replaceDataBytes(with source: UnsafeRawBufferPointer, atOffset offset: Int = 0) throws {
        try check(replace(offset: offset, with: source), "to write \(source.count) bytes at \(offset) of \(dataLength)")
    }

    /// Gives all bytes in one piece to `body`; bytes in several pieces are copied together first.
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

    /// Gives the bytes from an offset to the end of the piece there to `body`, which may write them.
    ///
    /// - Throws: `kCMBlockBufferBadOffsetParameterErr` past the end, and what `body` throws.
    public func withUnsafeMutableBytes<Result>(
        atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard let bytes = piece(atOffset: offset) else {
            throw mediaError(kCMBlockBufferBadOffsetParameterErr, "offset \(offset) is not in 0..<\(dataLength)")
        }
        return try withExtendedLifetime(self) { try body(bytes) }
    }

    /// Appends a part of another buffer, without a copy.
    public func append(bufferReference other: CMBlockBuffer) throws {
        try check(appendReference(other, offset: 0, length: 0), "to append a buffer to itself, or an empty one")
    }

    var pieces: [Piece] { state.withLock { $0.pieces } }

    private func check(_ status: OSStatus, _ what: String) throws {
        guard status == kCMBlockBufferNoErr else { throw mediaError(status, "block buffer: cannot be used \(what)") }
    }
}

extension CMBlockBuffer {
    /// The bytes from an offset to the end of their piece; nil past the end.
    func piece(atOffset offset: Int) -> UnsafeMutableRawBufferPointer? {
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

    /// The parts of the pieces that hold a range of bytes; nil past the end.
    func parts(of range: Range<Int>) -> [Piece]? {
        guard range.lowerBound >= 0, range.upperBound <= dataLength else { return nil }
        var parts: [Piece] = []
        var start = 0
        for piece in pieces {
            let place = start..<start + piece.range.count
            let common = place.clamped(to: range)
            if !common.isEmpty {
                let lower = piece.range.lowerBound + common.lowerBound - start
                parts.append(Piece(block: piece.block, range: lower..<lower + common.count))
            }
            start = place.upperBound
        }
        return parts
    }

    /// A new block with a copy of a range of bytes that is there.
    func contiguousCopy(of range: Range<Int>) -> Block {
        let block = Block(zeroed: range.count)
        _ = copy(offset: range.lowerBound, to: block.bytes)
        return block
    }

    func copy(offset: Int, to destination: UnsafeMutableRawBufferPointer) -> OSStatus {
        walk(offset: offset, count: destination.count) { bytes, place in
            UnsafeMutableRawBufferPointer(rebasing: destination[place...]).copyMemory(
                from: UnsafeRawBufferPointer(bytes))
        }
    }

    func replace(offset: Int, with source: UnsafeRawBufferPointer) -> OSStatus {
        walk(offset: offset, count: source.count) { bytes, place in
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[place..<place + bytes.count]))
        }
    }

    func fill(_ byte: UInt8, offset: Int, count: Int) -> OSStatus {
        walk(offset: offset, count: count) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: byte)
        }
    }

    /// Appends a part of another buffer; length 0 means all from the offset on.
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

    /// Visits the bytes of a range in order, each visit with the place of its first byte in the range.
    private func walk(offset: Int, count: Int, _ visit: (UnsafeMutableRawBufferPointer, Int) -> Void) -> OSStatus {
        let total = dataLength
        guard total > 0 || count == 0 else { return kCMBlockBufferEmptyBBufErr }
        guard (0...total).contains(offset) else { return kCMBlockBufferBadOffsetParameterErr }
        guard count >= 0, count <= total - offset, let parts = parts(of: offset..<offset + count)
        else { return kCMBlockBufferBadLengthParameterErr }
        var place = 0
        for part in parts {
            visit(UnsafeMutableRawBufferPointer(rebasing: part.block.bytes[part.range]), place)
            place += part.range.count
        }
        return kCMBlockBufferNoErr
    }
}

extension CMBlockBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMBlockBuffer, rhs: CMBlockBuffer) -> Bool { lhs === rhs }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
