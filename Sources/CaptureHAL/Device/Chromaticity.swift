/// A CIE 1931 xy chromaticity: a color of light without its luminance.
///
/// Uses only the four basic operations and square roots, which IEEE 754 defines exactly, so that results are identical
/// on all machines.
package struct Chromaticity: Sendable, Hashable {
    /// The CIE 1931 x coordinate.
    package var x: Double
    /// The CIE 1931 y coordinate.
    package var y: Double

    /// The range of color temperatures that the approximation of the Planckian locus covers, in kelvin.
    private static let temperatures = 1667.0...25000.0
    /// Tint units per unit of distance in CIE 1960 uv, as in Adobe's DNG specification 1.4.
    private static let tintScale = 3000.0

    /// Creates a chromaticity from CIE 1931 x and y.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates the chromaticity of a black body.
    ///
    /// Formula: B. Kim et al., "Design of advanced color temperature control system for HDTV applications", J. Korean
    /// Phys. Soc. 41 (2002), 865–871.
    ///
    /// - Parameter kelvin: The temperature, clamped to 1,667 … 25,000.
    package init(blackBody kelvin: Double) {
        let kelvin = min(max(kelvin, Self.temperatures.lowerBound), Self.temperatures.upperBound)
        let t = 1000 / kelvin
        let x =
            kelvin <= 4000
            ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
            : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
        if kelvin <= 2222 {
            self.init(x: x, y: ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683)
        } else if kelvin <= 4000 {
            self.init(x: x, y: ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867)
        } else {
            self.init(x: x, y: ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483)
        }
    }

    /// Creates a chromaticity from a correlated color temperature and a tint.
    ///
    /// - Parameters:
    ///   - temperature: Kelvin, clamped to 1,667 … 25,000.
    ///   - tint: The distance from the Planckian locus, perpendicular to it in CIE 1960 uv, times 3,000; positive is
    ///     magenta.
    package init(temperature: Double, tint: Double) {
        let kelvin = min(max(temperature, Self.temperatures.lowerBound), Self.temperatures.upperBound)
        let (u, v) = Chromaticity(blackBody: kelvin).uv
        let (normalU, normalV) = Self.normal(at: kelvin)
        // Green lies above the locus, magenta below.
        let distance = -tint / Self.tintScale
        self.init(u: u + normalU * distance, v: v + normalV * distance)
    }

    /// Creates a chromaticity from CIE 1960 u and v.
    private init(u: Double, v: Double) {
        let divisor = 2 * u - 8 * v + 4
        self.init(x: 3 * u / divisor, y: 2 * v / divisor)
    }

    /// Creates the chromaticity of linear red, green and blue values with BT.709 primaries.
    package init(red: Double, green: Double, blue: Double) {
        let bigX = 0.4124 * red + 0.3576 * green + 0.1805 * blue
        let bigY = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        let bigZ = 0.0193 * red + 0.1192 * green + 0.9505 * blue
        let sum = bigX + bigY + bigZ
        self.init(x: bigX / sum, y: bigY / sum)
    }

    /// Linear red, green and blue with BT.709 primaries, scaled to green = 1. Before scaling, components below 0.01,
    /// which are at or outside the edge of the gamut, are raised to 0.01. Without a positive `y`, all are 1.
    ///
    /// The matrix is from IEC 61966-2-1.
    package var linearRGB: (red: Double, green: Double, blue: Double) {
        guard y > 0 else { return (1, 1, 1) }
        let (bigX, bigZ) = (x / y, (1 - x - y) / y)
        let red = 3.2406 * bigX - 1.5372 - 0.4986 * bigZ
        let green = max(-0.9689 * bigX + 1.8758 + 0.0415 * bigZ, 0.01)
        let blue = 0.0557 * bigX - 0.2040 + 1.0570 * bigZ
        return (max(red, 0.01) / green, 1, max(blue, 0.01) / green)
    }

    /// The correlated color temperature in kelvin and the tint.
    ///
    /// The correlated color temperature is the temperature of the nearest black body in CIE 1960 uv (CIE 15:2018, 9.5).
    /// It is found by golden-section search over the reciprocal temperature, along which the distance has a single
    /// minimum.
    package var temperatureAndTint: (temperature: Double, tint: Double) {
        let (u, v) = uv
        func squaredDistance(_ mired: Double) -> Double {
            let body = Chromaticity(blackBody: 1e6 / mired).uv
            return (body.u - u) * (body.u - u) + (body.v - v) * (body.v - v)
        }
        var (low, high) = (1e6 / Self.temperatures.upperBound, 1e6 / Self.temperatures.lowerBound)
        let ratio = (5.0.squareRoot() - 1) / 2
        // Each iteration shrinks the interval by the factor 0.618; 60 iterations shrink it by 3e-13.
        for _ in 0..<60 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
            if squaredDistance(left) < squaredDistance(right) { high = right } else { low = left }
        }
        let kelvin = 2e6 / (low + high)
        let body = Chromaticity(blackBody: kelvin).uv
        let (normalU, normalV) = Self.normal(at: kelvin)
        let distance = (u - body.u) * normalU + (v - body.v) * normalV
        return (kelvin, -distance * Self.tintScale)
    }

    /// The CIE 1960 u and v coordinates.
    private var uv: (u: Double, v: Double) {
        let divisor = -2 * x + 12 * y + 3
        return (4 * x / divisor, 6 * y / divisor)
    }

    /// The unit normal of the Planckian locus that points toward green.
    private static func normal(at kelvin: Double) -> (u: Double, v: Double) {
        let (hotter, cooler) = (Chromaticity(blackBody: kelvin * 1.001).uv, Chromaticity(blackBody: kelvin * 0.999).uv)
        let (du, dv) = (hotter.u - cooler.u, hotter.v - cooler.v)
        let length = (du * du + dv * dv).squareRoot()
        // u decreases with temperature; the normal with positive v points toward green.
        return (dv / length, -du / length)
    }
}
