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

    /// 2 to the power of `x`, from square roots of 2.
    static func exp2(_ x: Double) -> Double {
        let whole = x.rounded(.down)
        var fraction = x - whole
        var root = 2.0
        var result = 1.0
        for _ in 0..<40 {
            root = root.squareRoot()
            fraction *= 2
            if fraction >= 1 {
                result *= root
                fraction -= 1
            }
        }
        var scale = 1.0
        for _ in 0..<Int(min(abs(whole), 200)) { scale *= 2 }
        return whole < 0 ? result / scale : result * scale
    }

    /// The amplitude in proportion to full scale of a level in decibels.
    static func amplitude(decibels: Double) -> Double {
        // log2(10) / 20
        exp2(decibels * 0.16609640474436813)
    }
}
