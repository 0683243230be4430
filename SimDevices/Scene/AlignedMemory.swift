import CSimKernels

/// A block of memory, initially zero and aligned to 64 bytes.
///
/// - Important: Clients that share it are responsible for synchronizing access to its contents.
final class AlignedMemory: @unchecked Sendable {
    // SAFETY: the pointer never changes; clients synchronize access to the contents.
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Allocates zeroed memory.
    init(byteCount: Int) {
        self.byteCount = byteCount
        guard let start = csim_memory_allocate(Int64(byteCount)) else {
            fatalError("cannot allocate \(byteCount) bytes for a scene")
        }
        self.start = start
    }

    deinit { csim_memory_free(start, Int64(byteCount)) }

    /// Zeroes the first bytes.
    func clear(byteCount: Int) { start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }

    /// Returns a pointer to the bytes from an offset on.
    func bytes(at offset: Int = 0) -> UnsafeMutablePointer<UInt8> {
        (start + offset).assumingMemoryBound(to: UInt8.self)
    }
}
