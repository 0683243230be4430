import CaptureHAL

/// The focus and the aperture of a lens, which determine the sharpness of a frame.
struct LensSetting: Equatable, Sendable {
    /// The lens with its current f-number.
    private let lens: LensDescriptor
    /// Focus distance in meters; may be infinite.
    private let focus: Double
    /// The number of sides of the image of a point that is out of focus; 0 if it is a disc.
    let bladeCount: Int
    /// Whether diffraction is simulated. The resolution of a lens with a fixed aperture is that of its format.
    private let hasDiffraction: Bool

    /// Creates the setting of a camera.
    init(_ profile: CameraProfile, _ state: CameraState) {
        let aperture = state.exposure.aperture(of: profile.lens)
        focus = Optics.focusDistance(of: profile.lens, position: state.lensPosition)
        var lens = profile.lens
        lens.aperture = aperture
        self.lens = lens
        hasDiffraction = !lens.apertureStops.isEmpty
        // At the widest aperture the blades are outside of the light. Closed by half a stop, they are its border.
        let widest = lens.apertureStops.first ?? aperture
        bladeCount = aperture * aperture > widest * widest * 1.4142135623730951 ? profile.apertureBladeCount : 0
    }

    /// Returns the radius of the image of a point, in pixels: the root of the sum of the squares of the circle of confusion
    /// and of the disc of diffraction.
    ///
    /// - Parameters:
    ///   - depth: Distance of the point in meters.
    ///   - width: Width of the sensor in pixels.
    func blurRadius(depth: Double, width: Int) -> Double {
        let geometric = Optics.blurRadius(of: lens, focus: focus, depth: depth, width: width)
        guard hasDiffraction else { return geometric }
        let diffraction = Optics.diffractionRadius(of: lens, width: width)
        return (geometric * geometric + diffraction * diffraction).squareRoot()
    }
}
