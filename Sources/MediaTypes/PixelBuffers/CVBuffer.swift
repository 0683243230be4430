/// Whether an attachment propagates to a buffer that is created from this one.
public enum CVAttachmentMode: UInt32, Hashable, Sendable {
    /// The attachment stays with this buffer.
    case shouldNotPropagate = 0
    /// The attachment propagates.
    case shouldPropagate = 1
}

/// A value attached to a buffer.
struct Attachment: @unchecked Sendable {
    // SAFETY: the value is never modified. Attachments are values, or objects whose client protects them.
    var value: Any
    var propagates: Bool
}

/// An image in memory: its pixels in one or more planes, and attachments that describe it.
///
/// Thread-safe, except for the pixels: a writer needs exclusive access. Pixels are read and written between
/// `CVPixelBufferLockBaseAddress` and `CVPixelBufferUnlockBaseAddress`.
///
/// - Note: Unlike Apple, every buffer has pixels; there are no other kinds of buffers.
public final class CVBuffer: Sendable {
    let memory: PixelMemory
    /// The object that reuses the memory; nil if the memory is freed with the buffer.
    private let recycler: (any PixelMemoryRecycler)?

    /// The identities of the memory and of its pool; nil if the memory does not belong to a pool.
    var pooledMemory: PooledMemory? {
        guard let pool = recycler as? PixelMemoryPool else { return nil }
        return PooledMemory(memory: ObjectIdentifier(memory), pool: ObjectIdentifier(pool))
    }

    /// The identities of pixel memory and of its pool.
    struct PooledMemory: Hashable {
        let memory: ObjectIdentifier
        let pool: ObjectIdentifier
    }

    init(_ memory: PixelMemory, recycler: (any PixelMemoryRecycler)? = nil) {
        self.memory = memory
        self.recycler = recycler
    }

    deinit {
        recycler?.recycle(memory)
    }

    /// Creates a buffer with zeroed pixels; nil if the format is unknown, the size is invalid, or the allocation fails.
    package convenience init?(width: Int, height: Int, pixelFormat: OSType) {
        guard let memory = try? PixelMemory.allocate(width, height, pixelFormat, [:]).get() else { return nil }
        self.init(memory)
    }

    /// The width in pixels.
    package var width: Int { memory.width }
    /// The height in pixels.
    package var height: Int { memory.height }
    /// The format's code.
    package var pixelFormat: OSType { memory.format.code }
    /// The layout of the pixels in memory.
    package var format: PixelFormat { memory.format }
    /// The planes, one for a packed format. They are valid without locking while the buffer is retained.
    package var planes: [PixelPlane] { memory.planes }

    /// Passes one plane to `body` and retains the buffer during the call; locking is not required.
    ///
    /// - Precondition: The format has such a plane; a packed format has plane 0.
    package func withPlane<Result, Failure: Error>(
        _ index: Int, _ body: (PixelPlane) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(self) { () throws(Failure) -> Result in try body(memory.planes[index]) }
    }

    /// The attachments with their propagation modes.
    ///
    /// Reading returns a copy; writing replaces all of them.
    public var attachments: CMAttachmentBearerAttachments {
        get { CMAttachmentBearerAttachments(memory.state.withLock { $0.attachments }) }
        set {
            // The old values are released here, outside the lock.
            let old = memory.replaceAttachments(newValue.entries)
            _ = old
        }
    }
}

/// Reuses the memory of a pixel buffer after the last reference to the buffer is released.
protocol PixelMemoryRecycler: AnyObject, Sendable {
    /// Makes the memory available again.
    func recycle(_ memory: PixelMemory)
}

extension CVBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CVBuffer, rhs: CVBuffer) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CVBuffer: CustomStringConvertible {
    /// The size and the format as text.
    public var description: String {
        "<CVPixelBuffer \(width)x\(height) \(fourCharacterText(pixelFormat))>"
    }
}

extension PixelFormat {
    /// Whether planes of external memory are large enough for an image.
    func accepts(_ planes: [PixelPlane], width: Int, height: Int) -> Bool {
        guard width > 0, height > 0, width <= PixelMemoryLayout.maximumSide, height <= PixelMemoryLayout.maximumSide,
            planes.count == self.planes.count
        else { return false }
        return zip(planes, self.planes).allSatisfy { plane, needed in
            let columns = needed.width(ofImage: width)
            return plane.width >= columns && plane.height >= needed.height(ofImage: height)
                && plane.bytesPerRow >= needed.byteCount(ofColumns: columns)
        }
    }
}

/// Returns a four-character code as text: the characters in quotes, or the number if they are not printable.
package func fourCharacterText(_ code: FourCharCode) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    guard bytes.allSatisfy({ (32..<127).contains($0) }) else { return "\(code)" }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
}
