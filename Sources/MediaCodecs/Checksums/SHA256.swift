import CLibAV

/// A SHA-256 checksum (FIPS 180-4) of bytes that are added in parts.
///
/// - Important: Confined to one thread at a time.
package final class SHA256 {
    private static let byteCount = 32

    private let context: OpaquePointer

    /// Creates the checksum of no bytes; nil if FFmpeg, which computes it, is not installed.
    package init?() {
        guard LibAV.unavailabilityReason == nil, let context = av_sha_alloc() else { return nil }
        // Fails only for other numbers of bits.
        _ = av_sha_init(context, Int32(Self.byteCount * 8))
        self.context = context
    }

    deinit {
        var pointer: OpaquePointer? = context
        av_freep(&pointer)
    }

    /// Adds bytes at the end.
    package func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        av_sha_update(context, base, bytes.count)
    }

    /// Returns the checksum as 64 lowercase hexadecimal digits, as `sha256sum` prints it. No bytes can be added
    /// afterwards.
    package func hexadecimal() -> String {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        av_sha_final(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
