import CaptureHAL
import MediaTypes

/// The settings of a virtual camera that its constituents do not have.
struct VirtualCameraState: Sendable {
    var zoomFactor = 1.0
    /// Selects the constituent that delivers.
    var selector: ConstituentSelector

    /// - Parameter profile: The virtual camera; nil for other devices.
    init(_ profile: VirtualCameraProfile?) {
        selector = ConstituentSelector(lenses: profile?.constituents.map { ConstituentSelector.Lens($0) } ?? [])
    }
}

extension ConstituentSelector.Lens {
    /// The limits of a camera at 30 frames per second.
    ///
    /// With more than a quarter of its highest ISO value, a camera is considered too noisy. This is our choice: an iPhone
    /// that was seen to take its wide camera in evening light had light for its telephoto camera (see
    /// `docs/profiles.md`).
    init(_ camera: CameraProfile) {
        nearestFocus = camera.lens.minimumFocusDistanceMillimeters.map { $0 / 1000 }
        darkestLight = Self.light(
            aperture: camera.lens.aperture, seconds: 1.0 / 30, iso: camera.isoRange.upperBound / 4, offset: 0)
    }

    /// Returns the luminance at which an exposure differs from the target by an offset in EV: N² / (t S), in a unit that
    /// all cameras share (ISO 2720).
    static func light(aperture: Double, seconds: Double, iso: Double, offset: Double) -> Double {
        aperture * aperture / (seconds * iso) * RepeatableMath.exp2(offset)
    }
}
