import CaptureHAL
import Foundation

/// The photometry of a picture: how much light reaches the sensor, and in which colours.
///
/// Only the four operations and square roots are used, which IEEE 754 fixes to the last bit, so that all machines agree.
enum Optics {
    /// The tangent of half the horizontal field of view: half of 36 mm over the equivalent focal length.
    static func tangentOfHalfView(of lens: LensDescriptor) -> Double {
        18 / lens.equivalentFocalLengthMillimetres
    }

    /// Degrees, rounded to hundredths.
    static func horizontalFieldOfView(of lens: LensDescriptor) -> Double {
        (2 * atan(tangentOfHalfView(of: lens)) * 180 / .pi * 100).rounded() / 100
    }

    /// The radius, in pixels, of the disc in which a point out of focus is seen.
    ///
    /// A thin lens of focal length f and aperture diameter A = f / N that is focused at s shows a point at d as a disc of
    /// the diameter A f |d - s| / (d (s - f)): R. Kingslake: "Optics in Photography", SPIE 1992, ch. 5.
    /// - Parameters:
    ///   - focus: Metres to what is sharp; may be infinite.
    ///   - depth: Metres to the point.
    ///   - width: Pixels across the sensor, whose width is 36 mm · f / equivalent focal length.
    static func blurRadius(of lens: LensDescriptor, focus: Double, depth: Double, width: Int) -> Double {
        let focal = lens.focalLengthMillimetres / 1000
        let diameter = focal / lens.aperture
        // Divided by d s, so that it holds for s at infinity, too.
        let sharp = 1 / focus
        let disc = diameter * focal * abs(sharp - 1 / depth) / (1 - focal * sharp)
        let sensorWidth = 0.036 * focal * 1000 / lens.equivalentFocalLengthMillimetres
        return disc / 2 / sensorWidth * Double(width)
    }

    /// Metres to what is sharp at a position of the lens, 0 nearest … 1 infinity.
    ///
    /// The way of a lens from infinity is in proportion to the reciprocal distance. A fixed lens stands at the
    /// hyperfocal distance f² / (N c) for a circle of confusion c of the sensor's width over 1,500.
    static func focusDistance(of lens: LensDescriptor, position: Double) -> Double {
        if let nearest = lens.minimumFocusDistanceMillimetres {
            return position >= 1 ? .infinity : nearest / 1000 / (1 - position)
        }
        let focal = lens.focalLengthMillimetres / 1000
        let circle = 0.036 * focal * 1000 / lens.equivalentFocalLengthMillimetres / 1500
        return focal * focal / (lens.aperture * circle)
    }

    /// The position of the lens at which what is `distance` metres away is sharp, or as nearly so as it can be.
    static func lensPosition(of lens: LensDescriptor, distance: Double) -> Double {
        guard let nearest = lens.minimumFocusDistanceMillimetres else { return 1 }
        return min(max(1 - nearest / 1000 / distance, 0), 1)
    }

    /// The part of saturation that a white surface reaches.
    ///
    /// Exposure at the focal plane is H = 0.65 L t / N², and saturation-based speed is S = 78 / H (ISO 12232:2019, 6);
    /// a matt white surface has the luminance L = E / π.
    /// - Parameters:
    ///   - lux: Illuminance E of the surface.
    ///   - seconds: Exposure time t.
    ///   - iso: S.
    ///   - aperture: The f-number N.
    static func saturation(lux: Double, seconds: Double, iso: Double, aperture: Double) -> Double {
        0.65 * (lux / 3.141592653589793) * seconds / (aperture * aperture) * iso / 78
    }
}
