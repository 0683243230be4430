import MediaTypes

/// The white balance gains of red, green and blue.
package struct ColorGains: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double

    /// Creates gains.
    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// The gains that a camera supports.
package struct GainLimits: Sendable, Hashable {
    package var red: ClosedRange<Double>
    /// A range of one value if green cannot be set.
    package var green: ClosedRange<Double>
    package var blue: ClosedRange<Double>
    /// The distance between adjacent gains.
    package var step: Double

    /// Creates limits.
    package init(
        red: ClosedRange<Double>, green: ClosedRange<Double>, blue: ClosedRange<Double>, step: Double = 0.0001
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.step = max(step, 0.000001)
    }

    /// Returns the smallest supported gains for ratios given as logarithms to base 2 of red and blue over green.
    func gains(red: Double, blue: Double) -> ColorGains {
        let (r, b) = (RepeatableMath.exp2(red), RepeatableMath.exp2(blue))
        // With gains below their minimum, saturated areas would be colored.
        let scale = max(green.lowerBound, self.red.lowerBound / r, self.blue.lowerBound / b)
        let g = min(scale, green.upperBound)
        func supported(_ gain: Double, _ range: ClosedRange<Double>) -> Double {
            let steps = ((min(max(gain, range.lowerBound), range.upperBound) - range.lowerBound) / step).rounded()
            return min(((range.lowerBound + steps * step) * 1e6).rounded() / 1e6, range.upperBound)
        }
        return ColorGains(
            red: supported(r * g, self.red), green: supported(g, green), blue: supported(b * g, self.blue))
    }
}
