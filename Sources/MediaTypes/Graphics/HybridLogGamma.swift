/// The opto-electronic transfer function of HLG (hybrid log-gamma) and its inverse (Recommendation ITU-R BT.2100-2,
/// table 5).
///
/// Light is linear and relative to the peak. Results are the same on all machines.
package enum HybridLogGamma {
    private static let a = 0.17883277
    private static let b = 0.28466892
    private static let c = 0.55991073
    private static let ln2 = 0.6931471805599453

    /// The light of reference white, which has a signal of 0.75 (Report ITU-R BT.2408-5, 2.1).
    package static let white = light(ofSignal: 0.75)

    /// Returns the signal, 0 to 1, of linear light; light is clamped to 0 to 1.
    package static func signal(ofLight light: Double) -> Double {
        let light = min(max(light, 0), 1)
        return light <= 1.0 / 12
            ? (3 * light).squareRoot() : a * ln2 * RepeatableMath.log2(12 * light - b) + c
    }

    /// Returns the linear light, 0 to 1, of a signal; the signal is clamped to 0 to 1.
    package static func light(ofSignal signal: Double) -> Double {
        let signal = min(max(signal, 0), 1)
        return signal <= 0.5 ? signal * signal / 3 : (RepeatableMath.exp2((signal - c) / a / ln2) + b) / 12
    }
}
