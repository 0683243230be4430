/// A fraction of 32-bit integers, the EXIF format of real numbers.
struct EXIFRational: Hashable {
    var numerator: Int64
    var denominator: Int64

    var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }

    init(numerator: Int64, denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Creates a fraction of 31-bit integers with a small denominator: the first convergent with a relative error of at
    /// most 1e-6, or the last one that fits. Returns nil for magnitudes of 2^31 - 1 or more, and for NaN.
    init?(_ value: Double) {
        guard value.isFinite, abs(value) < 2_147_483_647 else { return nil }
        // Continued fractions: each convergent is the best approximation for denominators up to its own.
        let magnitude = abs(value)
        var (previous, current) = ((0.0, 1.0), (1.0, 0.0))
        var rest = magnitude
        for _ in 0..<40 {
            let whole = rest.rounded(.down)
            let next = (whole * current.0 + previous.0, whole * current.1 + previous.1)
            guard next.0 <= 2_147_483_647, next.1 <= 2_147_483_647 else { break }
            (previous, current) = (current, next)
            if abs(current.0 / current.1 - magnitude) <= magnitude * 1e-6 || rest == whole { break }
            rest = 1 / (rest - whole)
        }
        guard current.1 > 0 else { return nil }
        numerator = Int64(value < 0 ? -current.0 : current.0)
        denominator = Int64(current.1)
    }
}
