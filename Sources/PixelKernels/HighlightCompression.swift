import MediaTypes

/// A tone curve that preserves highlights: the transfer function of BT.709 up to a knee, and above it a hyperbola in the
/// square root of light with the same slope, which reaches the highest signal at the headroom.
///
/// Light is relative to white; results are the same on all machines.
package struct HighlightCompression: Sendable {
    /// The start of the hyperbola, as linear light and as its square root.
    private static let knee = 0.4
    private static let kneeRoot = 0.632455532033676

    /// The signal at the knee, 0 to 1.
    private static let kneeSignal = 1.099 * root45(knee) - 0.099

    private let rest: Double
    private let width: Double
    private let steepness: Double

    /// Creates a curve.
    ///
    /// - Parameter headroom: The maximum light that is preserved; at least 1.
    package init(headroom: Double) {
        (rest, width) = (1 - Self.kneeSignal, headroom.squareRoot() - Self.kneeRoot)
        steepness = 1.099 * 0.45 * Self.root45(Self.knee) / Self.knee * 2 * Self.kneeRoot * width / rest
    }

    /// Returns the signal, 0 to 1, of a light.
    package func signal(ofLight light: Double) -> Double {
        guard light > Self.knee else {
            return light < 0.018 ? 4.5 * light : 1.099 * Self.root45(light) - 0.099
        }
        let share = min((light.squareRoot() - Self.kneeRoot) / width, 1)
        return Self.kneeSignal + rest * (share * steepness / (1 + share * (steepness - 1)))
    }

    /// Returns the light of a signal, 0 to 1.
    package func light(ofSignal signal: Double) -> Double {
        if signal < 0.081 { return signal / 4.5 }
        if signal < Self.kneeSignal {
            return RepeatableMath.exp2(RepeatableMath.log2((signal + 0.099) / 1.099) / 0.45)
        }
        let fraction = (signal - Self.kneeSignal) / rest
        let root = Self.kneeRoot + width * fraction / (steepness - (steepness - 1) * fraction)
        return root * root
    }

    /// x^0.45.
    private static func root45(_ x: Double) -> Double { RepeatableMath.exp2(0.45 * RepeatableMath.log2(x)) }
}
