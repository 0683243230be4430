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

    /// Linear red, green and blue (BT.709 primaries) of a black body, green 1.
    ///
    /// Chromaticity by B. Kim et al.: "Design of advanced color temperature control system for HDTV applications",
    /// J. Korean Phys. Soc. 41 (2002), 865–871; the matrix is that of IEC 61966-2-1.
    /// - Parameter kelvin: 1,667 … 25,000.
    static func blackBody(kelvin: Double) -> (red: Double, green: Double, blue: Double) {
        let t = min(max(kelvin, 1667), 25000)
        let u = 1000 / t
        let x =
            t <= 4000
            ? ((-0.2661239 * u - 0.2343589) * u + 0.8776956) * u + 0.179910
            : ((-3.0258469 * u + 2.1070379) * u + 0.2226347) * u + 0.240390
        let y: Double
        if t <= 2222 {
            y = ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
        } else if t <= 4000 {
            y = ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
        } else {
            y = ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
        }
        let big = x / y
        let z = (1 - x - y) / y
        let red = 3.2406 * big - 1.5372 - 0.4986 * z
        let green = -0.9689 * big + 1.8758 + 0.0415 * z
        let blue = 0.0557 * big - 0.2040 + 1.0570 * z
        return (max(red, 0.01) / green, 1, max(blue, 0.01) / green)
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
