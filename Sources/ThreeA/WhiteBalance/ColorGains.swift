import MediaTypes

/// The factors on the sensor's red, green and blue.
package struct ColorGains: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// The gains that a camera takes.
package struct GainLimits: Sendable, Hashable {
    package var red: ClosedRange<Double>
    /// One value twice where green cannot be set.
    package var green: ClosedRange<Double>
    package var blue: ClosedRange<Double>
    /// Between two gains that can be set.
    package var step: Double

    package init(
        red: ClosedRange<Double>, green: ClosedRange<Double>, blue: ClosedRange<Double>, step: Double = 0.0001
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.step = max(step, 0.000001)
    }

    /// The gains, all as small as may be, whose red and blue stand to green as the logarithms to base 2 tell.
    func gains(red: Double, blue: Double) -> ColorGains {
        let (r, b) = (RepeatableMath.exp2(red), RepeatableMath.exp2(blue))
        // No gain below its least, so that what saturates the sensor stays white.
        let scale = max(green.lowerBound, self.red.lowerBound / r, self.blue.lowerBound / b)
        let g = min(scale, green.upperBound)
        func place(_ gain: Double, _ range: ClosedRange<Double>) -> Double {
            let steps = ((min(max(gain, range.lowerBound), range.upperBound) - range.lowerBound) / step).rounded()
            return min(((range.lowerBound + steps * step) * 1e6).rounded() / 1e6, range.upperBound)
        }
        return ColorGains(red: place(r * g, self.red), green: place(g, green), blue: place(b * g, self.blue))
    }
}
