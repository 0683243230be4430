import CSimKernels

/// Memory for pictures, full of zeros at first and aligned to 64 bytes.
///
/// - Important: Whoever shares it takes care of its contents.
final class SceneMemory: @unchecked Sendable {
    // SAFETY: the pointer never changes; what it points to is its owner's affair.
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) {
        self.byteCount = byteCount
        guard let start = csim_memory_take(Int64(byteCount)) else {
            fatalError("there is no memory for \(byteCount) bytes of a scene")
        }
        self.start = start
    }

    deinit { csim_memory_give(start, Int64(byteCount)) }

    /// Makes the first bytes zero again.
    func clear(_ count: Int) { start.initializeMemory(as: UInt8.self, repeating: 0, count: count) }

    /// The bytes from an offset on.
    func bytes(at offset: Int = 0) -> UnsafeMutablePointer<UInt8> {
        (start + offset).assumingMemoryBound(to: UInt8.self)
    }
}
