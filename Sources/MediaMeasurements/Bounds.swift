/// The accepted values of a number.
package struct Bounds: Sendable, Hashable {
    package let low: Double
    package let high: Double

    package init(low: Double, high: Double) { (self.low, self.high) = (low, high) }

    /// Creates bounds from a range. Its upper bound may be infinite.
    package init(_ range: ClosedRange<Double>) { self.init(low: range.lowerBound, high: range.upperBound) }

    /// Returns whether the number is between the bounds, which `tolerance` extends.
    package func contains(_ value: Double, tolerance: Double = 0) -> Bool {
        value >= low - tolerance && value <= high + tolerance
    }

    /// Describes the bounds, for example `3 s`, `1.2 to 1.4 s` or `at least 2 s`.
    package func summary(_ unit: String = "") -> String {
        let text: String
        if high == .infinity {
            text = "at least \(number(low))"
        } else {
            text = low == high ? number(low) : "\(number(low)) to \(number(high))"
        }
        return text + (unit.isEmpty ? "" : " \(unit)")
    }
}

/// Formats a number with at most six decimal places.
package func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let rounded = (value * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}

/// Formats a number with at most three decimal places.
package func shortNumber(_ value: Double) -> String { number((value * 1000).rounded() / 1000) }
