/// The transfer function PQ, perceptual quantizer (SMPTE ST 2084; Rec. ITU-R BT.2100, table 4).
///
/// Results are the same on all machines.
package enum PerceptualQuantizer {
    /// The luminance of reference white in cd/m² (Report ITU-R BT.2408-5, 2.1).
    package static let white = 203.0

    /// Returns the luminance of a display in cd/m² for a signal; the signal is clamped to 0 to 1.
    package static func luminance(ofSignal signal: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let root = power(min(max(signal, 0), 1), 1 / m2)
        return 10_000 * power(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        base > 0 ? RepeatableMath.exp2(exponent * RepeatableMath.log2(base)) : 0
    }
}
