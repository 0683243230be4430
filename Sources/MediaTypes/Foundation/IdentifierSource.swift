package import Foundation

/// A generator of identifiers for new objects.
package final class IdentifierSource: Sendable {
    private let generator: Lock<SplitMix64>?

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - seed: The seed that determines all identifiers; nil for identifiers from the operating system's random number
    ///     generator.
    ///   - purpose: A number that makes the sequence differ from others with the same seed.
    package init(seed: UInt64?, purpose: UInt64) {
        generator = seed.map { Lock(SplitMix64(seed: $0 ^ purpose)) }
    }

    /// Returns a UUID of version 4 (RFC 9562, section 5.4).
    package func next() -> UUID {
        guard let generator else { return UUID() }
        let (high, low) = generator.withLock { ($0.next(), $0.next()) }
        var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
