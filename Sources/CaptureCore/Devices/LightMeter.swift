import MediaTypes

/// The light of a scene, as far as an exposure tells it.
enum LightMeter {
    /// Below this stills are better lit: the light of a dim room.
    static let flashLux = 30.0
    /// Below this movies are: the light of a street by night.
    static let torchLux = 10.0

    /// The illuminance in lux for which an exposure is right: C N² / (t S), with C = 250 for a flat receptor (ISO 2720:1974).
    ///
    /// - Parameter offset: EV by which the picture came out brighter than it should.
    static func lux(seconds: Double, iso: Double, aperture: Double, offset: Double) -> Double? {
        guard seconds > 0, iso > 0, aperture > 0 else { return nil }
        return 250 * aperture * aperture / (seconds * iso) * RepeatableMath.exp2(offset)
    }
}
