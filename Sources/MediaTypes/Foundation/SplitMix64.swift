/// A random number generator with a sequence determined by its seed.
///
/// The algorithm is SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014. It is not suitable for cryptography.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; equal seeds result in equal sequences.
    package init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits of the sequence.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Returns a number in `range`; numbers are spaced by 2^-53 times the length of the range.
    ///
    /// Unlike `Double.random(in:using:)`, the result does not depend on the version of the standard library.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        let bits: UInt64 = next() >> 11
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double(bits) / Double(1 << 53)
    }

    /// Returns one of `elements`, which must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[index(below: elements.count)]
    }

    /// Returns an index that is less than `count`, which must be positive.
    package mutating func index(below count: Int) -> Int {
        let bits: UInt64 = next()
        return Int(bits % UInt64(count))
    }
}
