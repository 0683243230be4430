import MediaTypes

/// Decides by the light of the scene whether a lamp is to burn; a value that frames move.
struct AutomaticTorch: Sendable {
    /// Lux for the first time below which the lamp is lit, or above which it goes off again.
    private var since: CMTime?
    /// While it burns: what the scene had without it, when it was lit, and what it adds itself, once that is known.
    private var lit: (ambient: Double, time: CMTime)?
    private var own: Double?

    /// How long the light must be so.
    private static let patience = CMTime(value: 1, timescale: 2)
    /// By how much it must be brighter than it was dark.
    private static let margin = 4.0

    var isLit: Bool { lit != nil }

    /// Looks at a frame; the level that the lamp is to have from now on, or nil where it stays as it is.
    ///
    /// - Parameters:
    ///   - lux: The scene's light, lamp and all.
    ///   - isSteady: Whether the exposure has come to rest.
    mutating func frame(lux: Double, isSteady: Bool, at time: CMTime) -> Double? {
        guard let lit else {
            guard isDue(lux < LightMeter.torchLux, time) else { return nil }
            (self.lit, own, since) = ((lux, time), nil, nil)
            // The darker, the brighter.
            return max(0.25, 1 - 0.75 * lux / LightMeter.torchLux)
        }
        // The exposure answers the lamp first.
        guard let own else {
            if isSteady, time >= lit.time + Self.patience { own = max(0, lux - lit.ambient) }
            return nil
        }
        guard isDue(lux - own > Self.margin * LightMeter.torchLux, time) else { return nil }
        self = AutomaticTorch()
        return 0
    }

    /// Whether it has been so for long enough.
    private mutating func isDue(_ isSo: Bool, _ time: CMTime) -> Bool {
        guard isSo else {
            since = nil
            return false
        }
        let begin = since ?? time
        since = begin
        return time - begin >= Self.patience
    }
}
