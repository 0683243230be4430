import CPixelKernels
public import MediaTypes

/// A checksum of pixels that does not depend on their layout in memory.
///
/// XXH64 with seed 0 over the visible bytes: planes in order, rows from the top, without padding.
/// Source: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
public struct PixelChecksum: Sendable, Hashable, CustomStringConvertible {
    /// The 64-bit hash.
    public let value: UInt64

    /// Creates a checksum from a stored value.
    public init(value: UInt64) {
        self.value = value
    }

    /// Computes the checksum of a buffer. The buffer is locked during the computation.
    ///
    /// - Throws: `.inaccessible` or `.unsupportedFormat`.
    public init(_ buffer: CVPixelBuffer) throws(ImageError) {
        guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        self.init(try PixelImage(buffer))
    }

    /// Computes the checksum of an image in memory.
    package init(_ image: PixelImage) {
        var hash = cpixel_hash()
        cpixel_hash_begin(&hash)
        for index in 0..<image.layout.planeCount {
            let plane = index == 0 ? image.planes.0 : index == 1 ? image.planes.1 : image.planes.2
            let (byteCount, rows) = image.layout.planeSize(index, width: image.width, height: image.height)
            for row in 0..<rows {
                cpixel_hash_add(&hash, plane.base + row * plane.stride, byteCount)
            }
        }
        value = cpixel_hash_end(&hash)
    }

    /// Computes the checksum of plain bytes, for audio and files.
    public init(_ bytes: UnsafeRawBufferPointer) {
        var hash = cpixel_hash()
        cpixel_hash_begin(&hash)
        if let base = bytes.baseAddress {
            cpixel_hash_add(&hash, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        value = cpixel_hash_end(&hash)
    }

    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
