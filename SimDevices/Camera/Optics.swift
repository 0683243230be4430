import CaptureHAL
import Foundation

/// Lens optics and photometry: depth of field, focus and the light that reaches the sensor.
///
/// Calculations that affect pixels use only the four basic operations and square roots. IEEE 754 defines their results
/// exactly, so that all processors compute the same values.
enum Optics {
    /// Returns the tangent of half the horizontal field of view: half of 36 mm divided by the equivalent focal length.
    static func tangentOfHalfView(of lens: LensDescriptor) -> Double {
        18 / lens.equivalentFocalLengthMillimeters
    }

    /// Returns the field of view in degrees, rounded to hundredths.
    static func horizontalFieldOfView(of lens: LensDescriptor) -> Double {
        (2 * atan(tangentOfHalfView(of: lens)) * 180 / .pi * 100).rounded() / 100
    }

    /// Returns the radius of the circle of confusion of a point, in pixels.
    ///
    /// For a thin lens of focal length f and aperture diameter A = f / N, focused at s, the image of a point at d is a
    /// disc of diameter A f |d - s| / (d (s - f)): R. Kingslake, "Optics in Photography", SPIE 1992, chapter 5.
    /// - Parameters:
    ///   - focus: Focus distance in meters; may be infinite.
    ///   - depth: Distance of the point in meters.
    ///   - width: Width of the sensor in pixels; it is 36 mm · f / equivalent focal length.
    static func blurRadius(of lens: LensDescriptor, focus: Double, depth: Double, width: Int) -> Double {
        let focal = lens.focalLengthMillimeters / 1000
        let diameter = focal / lens.aperture
        // Numerator and denominator are divided by d s, so that s may be infinite.
        let inverseFocus = 1 / focus
        let disc = diameter * focal * abs(inverseFocus - 1 / depth) / (1 - focal * inverseFocus)
        let sensorWidth = 0.036 * focal * 1000 / lens.equivalentFocalLengthMillimeters
        return disc / 2 / sensorWidth * Double(width)
    }

    /// Returns the radius in pixels of the disc that has the same half-energy radius as the diffraction pattern of a point.
    ///
    /// Half of the light of an Airy pattern is within 0.535 λ N (M. Born, E. Wolf, "Principles of Optics", 8.5.2), and half
    /// of that of a disc within its radius divided by the square root of 2. The wavelength is 550 nm.
    static func diffractionRadius(of lens: LensDescriptor, width: Int) -> Double {
        let radiusMillimeters = 0.535 * 1.4142135623730951 * 0.00055 * lens.aperture
        let sensorWidthMillimeters = 36 * lens.focalLengthMillimeters / lens.equivalentFocalLengthMillimeters
        return radiusMillimeters / sensorWidthMillimeters * Double(width)
    }

    /// Returns the focus distance in meters at a lens position, 0 nearest … 1 infinity.
    ///
    /// The displacement of a lens from infinity focus is proportional to the reciprocal distance. A fixed-focus lens is
    /// focused at the hyperfocal distance f² / (N c), for a circle of confusion c of 1/1,500 of the sensor's width.
    static func focusDistance(of lens: LensDescriptor, position: Double) -> Double {
        if let nearest = lens.minimumFocusDistanceMillimeters {
            return position >= 1 ? .infinity : nearest / 1000 / (1 - position)
        }
        let focal = lens.focalLengthMillimeters / 1000
        let circle = 0.036 * focal * 1000 / lens.equivalentFocalLengthMillimeters / 1500
        return focal * focal / (lens.aperture * circle)
    }

    /// Returns the lens position at which a distance in meters is in focus, or the nearest possible position.
    static func lensPosition(of lens: LensDescriptor, distance: Double) -> Double {
        guard let nearest = lens.minimumFocusDistanceMillimeters else { return 1 }
        return min(max(1 - nearest / 1000 / distance, 0), 1)
    }

    /// Returns the signal for a white surface, as a fraction of saturation.
    ///
    /// The exposure at the focal plane is H = 0.65 L t / N², and saturation-based speed is S = 78 / H (ISO 12232:2019,
    /// clause 6). A matte white surface has the luminance L = E / π.
    /// - Parameters:
    ///   - lux: Illuminance E of the surface.
    ///   - seconds: Exposure time t.
    ///   - iso: Speed S.
    ///   - aperture: The f-number N.
    static func saturationFraction(lux: Double, seconds: Double, iso: Double, aperture: Double) -> Double {
        0.65 * (lux / 3.141592653589793) * seconds / (aperture * aperture) * iso / 78
    }
}
