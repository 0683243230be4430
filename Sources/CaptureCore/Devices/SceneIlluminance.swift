import MediaTypes

/// The illuminance of a scene, computed from an exposure.
enum SceneIlluminance {
    /// The illuminance in lux below which the automatic flash fires: a dim room.
    static let flashLux = 30.0
    /// The illuminance in lux below which the automatic torch is lit: a street at night.
    static let torchLux = 10.0

    /// Returns the illuminance in lux for which an exposure is correct: C N² / (t S), with C = 250 for a flat receptor
    /// (ISO 2720:1974); nil if a value is not positive.
    ///
    /// - Parameters:
    ///   - aperture: The f-number.
    ///   - offset: The difference in EV between the frame and the correct exposure; positive if the frame is brighter.
    static func lux(seconds: Double, iso: Double, aperture: Double, offset: Double) -> Double? {
        guard seconds > 0, iso > 0, aperture > 0 else { return nil }
        return 250 * aperture * aperture / (seconds * iso) * RepeatableMath.exp2(offset)
    }
}
