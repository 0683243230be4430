import MediaTypes

/// The illuminance of a scene, computed from an exposure.
enum SceneIlluminance {
    /// The threshold below which the automatic flash fires: a dim room.
    static let flashLux = 30.0
    /// The threshold below which the automatic torch is lit: a street at night.
    static let torchLux = 10.0

    /// Returns the illuminance in lux that an exposure suits: C N² / (t S), with C = 250 for a flat receptor
    /// (ISO 2720:1974).
    ///
    /// - Parameter offset: The EV by which the frame is brighter than the target.
    static func lux(seconds: Double, iso: Double, aperture: Double, offset: Double) -> Double? {
        guard seconds > 0, iso > 0, aperture > 0 else { return nil }
        return 250 * aperture * aperture / (seconds * iso) * RepeatableMath.exp2(offset)
    }
}
