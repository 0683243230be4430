import MediaTypes

/// Memory for sound and compressed pictures that is used again once its buffer was let go.
///
/// Holders are not limited: where all pieces are in use, more are allocated. The pool may go before its buffers.
/// - Important: Thread-safe.
final class BlockPool: Sendable {
    /// More idle pieces than that are freed.
    static let idleLimit = 32

    /// The length of each piece in bytes.
    let pieceByteCount: Int
    /// The addresses of the pieces that nobody uses.
    private let idle = Lock<[UInt]>([])

    init(pieceByteCount: Int) { self.pieceByteCount = max(1, pieceByteCount) }

    deinit {
        for address in idle.withLock({ $0 }) { Self.free(address) }
    }

    /// Makes a buffer of what `fill` writes.
    ///
    /// - Parameter fill: Gets a piece with whatever it held before and returns how many bytes of it count.
    func makeBlock<Failure: Error>(
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> CMBlockBuffer {
        let piece = take()
        let address = UInt(bitPattern: piece.baseAddress)
        let count: Int
        do {
            count = min(max(0, try fill(piece)), pieceByteCount)
        } catch {
            takeBack(address)
            throw error
        }
        return CMBlockBuffer(buffer: UnsafeMutableRawBufferPointer(rebasing: piece[..<count])) { _, _ in
            self.takeBack(address)
        }
    }

    private func take() -> UnsafeMutableRawBufferPointer {
        if let address = idle.withLock({ $0.popLast() }) {
            return UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: address), count: pieceByteCount)
        }
        return .allocate(byteCount: pieceByteCount, alignment: 16)
    }

    private func takeBack(_ address: UInt) {
        let isKept = idle.withLock { idle in
            guard idle.count < Self.idleLimit else { return false }
            idle.append(address)
            return true
        }
        if !isKept { Self.free(address) }
    }

    private static func free(_ address: UInt) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
}
