import CSimKernels

/// A block of memory, initially zero and aligned to 64 bytes.
///
/// - Important: Users that share it are responsible for synchronizing access to its contents.
final class AlignedMemory: @unchecked Sendable {
    // SAFETY: the pointer never changes; access to the contents is the user's responsibility.
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
    func clear(_ count: Int) { start.initializeMemory(as: UInt8.self, repeating: 0, count: count) }

    /// Returns a pointer to the bytes from an offset on.
    func bytes(at offset: Int = 0) -> UnsafeMutablePointer<UInt8> {
        (start + offset).assumingMemoryBound(to: UInt8.self)
    }
}
