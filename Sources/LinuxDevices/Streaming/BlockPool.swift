import MediaTypes

/// A pool of memory for audio and compressed frames.
///
/// The number of blocks is not limited: if none is idle, another one is allocated. Each buffer retains the pool.
/// - Important: Thread-safe.
final class BlockPool: Sendable {
    /// The maximum number of idle blocks; further ones are freed.
    static let idleLimit = 32

    /// The length of each block in bytes.
    let blockByteCount: Int
    /// The addresses of the blocks that are not in use.
    private let idle = Lock<[UInt]>([])

    init(blockByteCount: Int) { self.blockByteCount = max(1, blockByteCount) }

    deinit {
        for address in idle.withLock({ $0 }) { Self.free(address) }
    }

    /// Creates a buffer with the bytes that `fill` writes.
    ///
    /// - Parameter fill: Receives an uninitialized block and returns the number of bytes written.
    func makeBlock<Failure: Error>(
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> CMBlockBuffer {
        let block = acquire()
        let address = UInt(bitPattern: block.baseAddress)
        let count: Int
        do {
            count = min(max(0, try fill(block)), blockByteCount)
        } catch {
            recycle(address)
            throw error
        }
        return CMBlockBuffer(buffer: UnsafeMutableRawBufferPointer(rebasing: block[..<count])) { _, _ in
            self.recycle(address)
        }
    }

    private func acquire() -> UnsafeMutableRawBufferPointer {
        if let address = idle.withLock({ $0.popLast() }) {
            return UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: address), count: blockByteCount)
        }
        return .allocate(byteCount: blockByteCount, alignment: 16)
    }

    private func recycle(_ address: UInt) {
        let isRecycled = idle.withLock { idle in
            guard idle.count < Self.idleLimit else { return false }
            idle.append(address)
            return true
        }
        if !isRecycled { Self.free(address) }
    }

    private static func free(_ address: UInt) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
}
