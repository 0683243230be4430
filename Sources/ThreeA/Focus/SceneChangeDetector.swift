/// A detector of scene changes for continuous focus.
struct SceneChangeDetector: Sendable, Hashable {
    /// The contrast when the lens stopped.
    private let contrast: Double
    /// The mean squared gradient when the lens stopped.
    private let gradient: Double
    /// The luma of the zones when the lens stopped.
    private let zones: [UInt16]
    /// The contrast of the previous frame.
    private var lastContrast: Double
    /// The number of consecutive frames that differ from the scene when the lens stopped.
    private var changedCount = 0
    /// The number of consecutive steady frames among them, counted back from the last one.
    private var steadyCount = 0

    init(_ frame: AutoFocus.Frame) {
        contrast = frame.contrast
        gradient = frame.gradient
        lastContrast = frame.contrast
        zones = frame.zones
    }

    /// Adds a frame. Returns whether the scene has changed and been steady for enough frames, or has been different for
    /// a longer time.
    mutating func hasChanged(_ frame: AutoFocus.Frame, _ dynamics: AutoFocus.Dynamics) -> Bool {
        defer { lastContrast = frame.contrast }
        guard differs(frame, dynamics) else {
            (changedCount, steadyCount) = (0, 0)
            return false
        }
        changedCount += 1
        let isSteady =
            frame.isExposureSteady
            && Self.contrastRatio(frame.contrast, lastContrast) < 1 + (dynamics.contrastChange - 1) / 3
        steadyCount = isSteady ? steadyCount + 1 : 0
        // A scene that is never steady counts as changed after a longer time.
        return steadyCount >= dynamics.confirmationFrameCount || changedCount >= 8 * dynamics.confirmationFrameCount
    }

    /// Returns whether a frame differs from the scene when the lens stopped.
    private func differs(_ frame: AutoFocus.Frame, _ dynamics: AutoFocus.Dynamics) -> Bool {
        // A change of only the exposure changes the gradient, but not the contrast. When a bright object without detail
        // enters the window, such as a car's headlights at night, the contrast changes, but the gradient hardly does.
        if Self.contrastRatio(frame.contrast, contrast) > dynamics.contrastChange,
            Self.gradientRatio(frame.gradient, gradient) > dynamics.contrastChange
        {
            return true
        }
        guard frame.isExposureSteady, frame.zones.count == zones.count else { return false }
        var difference = 0
        var light = 1
        for index in zones.indices {
            difference += abs(Int(frame.zones[index]) - Int(zones[index]))
            light += max(Int(frame.zones[index]), Int(zones[index]))
        }
        return Double(difference) / Double(light) > dynamics.lightChange
    }

    /// Returns the ratio of the greater to the smaller contrast.
    private static func contrastRatio(_ a: Double, _ b: Double) -> Double { ratio(a, b, offset: 0.0005) }

    /// Returns the ratio of the greater to the smaller mean squared gradient.
    private static func gradientRatio(_ a: Double, _ b: Double) -> Double { ratio(a, b, offset: 4) }

    /// Returns the ratio of the greater to the smaller value.
    ///
    /// - Parameter offset: A value that is added to both, so that the noise of frames without contrast has no effect.
    private static func ratio(_ a: Double, _ b: Double, offset: Double) -> Double {
        (max(a, b) + offset) / (min(a, b) + offset)
    }
}
