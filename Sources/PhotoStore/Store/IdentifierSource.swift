import Foundation
import MediaTypes

/// Makes identifiers for new objects: from the system's seed the same ones in every run, else from the machine.
final class IdentifierSource: Sendable {
    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    private struct SplitMix64 {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private let generator: Lock<SplitMix64>?

    /// - Parameter seed: Nil takes the machine's randomness.
    init(seed: UInt64?) {
        // The photo library's own stream of numbers: another one than that of others who use the same seed.
        generator = seed.map { Lock(SplitMix64(state: $0 ^ 0x5048_4F54_4F53_544F)) }
    }

    /// A UUID of version 4 (RFC 9562, section 5.4).
    func next() -> UUID {
        guard let generator else { return UUID() }
        let (high, low) = generator.withLock { ($0.next(), $0.next()) }
        var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
