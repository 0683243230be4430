/// Tells when the picture has become another one.
struct SceneWatch: Sendable, Hashable {
    /// The picture when the lens came to rest.
    private let contrast: Double
    private let zones: [UInt16]
    /// The last picture, to see whether the scene has become steady.
    private var lastContrast: Double
    private var changedCount = 0
    private var steadyCount = 0

    init(_ frame: AutoFocus.Frame) {
        contrast = frame.contrast
        lastContrast = frame.contrast
        zones = frame.zones
    }

    /// Whether the scene has changed for some frames, and has then been steady for as many.
    mutating func hasChanged(_ frame: AutoFocus.Frame, _ dynamics: AutoFocus.Dynamics) -> Bool {
        defer { lastContrast = frame.contrast }
        guard isOther(frame, dynamics) else {
            (changedCount, steadyCount) = (0, 0)
            return false
        }
        changedCount += 1
        let isSteady =
            frame.isExposureSteady
            && Self.ratio(frame.contrast, lastContrast) < 1 + (dynamics.contrastChange - 1) / 3
        steadyCount = isSteady ? steadyCount + 1 : 0
        // A scene that never rests is looked at all the same.
        return steadyCount >= dynamics.patience || changedCount >= 8 * dynamics.patience
    }

    private func isOther(_ frame: AutoFocus.Frame, _ dynamics: AutoFocus.Dynamics) -> Bool {
        if Self.ratio(frame.contrast, contrast) > dynamics.contrastChange { return true }
        guard frame.isExposureSteady, frame.zones.count == zones.count else { return false }
        var difference = 0
        var light = 1
        for index in zones.indices {
            difference += abs(Int(frame.zones[index]) - Int(zones[index]))
            light += max(Int(frame.zones[index]), Int(zones[index]))
        }
        return Double(difference) / Double(light) > dynamics.lightChange
    }

    /// The greater over the smaller.
    private static func ratio(_ a: Double, _ b: Double) -> Double {
        // Two flat pictures are alike, however far apart their noise is.
        let floor = 0.0005
        return (max(a, b) + floor) / (min(a, b) + floor)
    }
}
