import MediaTypes

/// The state machine of the automatic torch: switches the torch on in dark scenes and off in bright ones.
struct AutomaticTorch: Sendable {
    /// The time at which the illuminance passed the threshold for switching; nil while it has not.
    private var conditionStart: CMTime?
    /// While lit: the illuminance in lux before switching on, and the time of switching on.
    private var lit: (ambient: Double, time: CMTime)?
    /// While lit: the torch's contribution to the illuminance in lux; nil until it is measured.
    private var contribution: Double?

    /// The time for which the illuminance must be beyond a threshold.
    private static let holdTime = CMTime(value: 1, timescale: 2)
    /// The ratio of the threshold for switching off to the threshold for switching on.
    private static let thresholdRatio = 4.0

    /// Whether the torch is lit.
    var isLit: Bool { lit != nil }

    /// Processes the illuminance of a frame and returns the new level of the torch; nil if the level does not change.
    ///
    /// - Parameters:
    ///   - lux: The illuminance of the scene, including the light of the torch.
    ///   - isSteady: Whether automatic exposure has settled.
    mutating func process(lux: Double, isSteady: Bool, at time: CMTime) -> Double? {
        guard let lit else {
            guard hasHeld(lux < SceneIlluminance.torchLux, at: time) else { return nil }
            (self.lit, contribution, conditionStart) = ((lux, time), nil, nil)
            // Darker scenes get more light.
            return max(0.25, 1 - 0.75 * lux / SceneIlluminance.torchLux)
        }
        // First wait until the exposure has adapted to the torch.
        guard let contribution else {
            if isSteady, time >= lit.time + Self.holdTime { self.contribution = max(0, lux - lit.ambient) }
            return nil
        }
        let isBright = lux - contribution > Self.thresholdRatio * SceneIlluminance.torchLux
        guard hasHeld(isBright, at: time) else { return nil }
        self = AutomaticTorch()
        return 0
    }

    /// Whether a condition has been true for the hold time.
    private mutating func hasHeld(_ condition: Bool, at time: CMTime) -> Bool {
        guard condition else {
            conditionStart = nil
            return false
        }
        let start = conditionStart ?? time
        conditionStart = start
        return time - start >= Self.holdTime
    }
}
