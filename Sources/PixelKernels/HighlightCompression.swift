import MediaTypes

/// A tone curve that compresses highlights instead of clipping them.
///
/// Up to the knee, it is the transfer function of BT.709. Above the knee, it is a hyperbola over the square root of
/// light. The hyperbola begins with the slope of the transfer function and reaches a signal of 1 at the maximum light.
/// Light is linear and relative to white; results are the same on all machines.
package struct HighlightCompression: Sendable {
    /// The light at the knee, and its square root.
    private static let knee = 0.4
    private static let kneeRoot = 0.632455532033676

    /// The signal at the knee, 0 to 1.
    private static let kneeSignal = 1.099 * power45(knee) - 0.099

    /// The signal range above the knee.
    private let signalRange: Double
    /// The difference of the square roots of the maximum light and the light at the knee.
    private let rootRange: Double
    /// The slope of the hyperbola at the knee if both ranges are scaled to 1.
    private let slope: Double

    /// Creates a curve.
    ///
    /// - Parameter headroom: The maximum light, relative to white; more is clipped. At least 1.
    package init(headroom: Double) {
        (signalRange, rootRange) = (1 - Self.kneeSignal, headroom.squareRoot() - Self.kneeRoot)
        slope = 1.099 * 0.45 * Self.power45(Self.knee) / Self.knee * 2 * Self.kneeRoot * rootRange / signalRange
    }

    /// Returns the signal, 0 to 1, of linear light.
    package func signal(ofLight light: Double) -> Double {
        guard light > Self.knee else {
            return light < 0.018 ? 4.5 * light : 1.099 * Self.power45(light) - 0.099
        }
        let fraction = min((light.squareRoot() - Self.kneeRoot) / rootRange, 1)
        return Self.kneeSignal + signalRange * (fraction * slope / (1 + fraction * (slope - 1)))
    }

    /// Returns the linear light of a signal, 0 to 1.
    package func light(ofSignal signal: Double) -> Double {
        if signal < 0.081 { return signal / 4.5 }
        if signal < Self.kneeSignal {
            return RepeatableMath.exp2(RepeatableMath.log2((signal + 0.099) / 1.099) / 0.45)
        }
        let fraction = (signal - Self.kneeSignal) / signalRange
        let root = Self.kneeRoot + rootRange * fraction / (slope - (slope - 1) * fraction)
        return root * root
    }

    /// Returns x^0.45.
    private static func power45(_ x: Double) -> Double { RepeatableMath.exp2(0.45 * RepeatableMath.log2(x)) }
}
