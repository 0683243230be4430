/// A 3x3 matrix that is multiplied by a column vector of red, green and blue.
public struct ColorMatrix: Sendable, Hashable {
    /// Nine coefficients in row-major order.
    public var entries: [Double]

    /// The identity matrix.
    public static let identity = ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// The matrix from linear BT.709 to linear BT.2020: Report ITU-R BT.2087-0, 2.2.
    static let bt2020 = ColorMatrix([
        0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.0880, 0.8956,
    ])

    /// The matrix from linear BT.709 to linear P3 with the white point D65, from the primaries of SMPTE RP 431-2 and
    /// SMPTE EG 432-1.
    static let p3D65 = ColorMatrix([
        0.822462, 0.177538, 0, 0.033194, 0.966806, 0, 0.017083, 0.072397, 0.910520,
    ])

    /// Creates a matrix of nine coefficients in row-major order.
    init(_ entries: [Double]) { self.entries = entries }

    func row(_ index: Int) -> ArraySlice<Double> { entries[3 * index..<3 * index + 3] }

    func applied(to color: (red: Double, green: Double, blue: Double)) -> (red: Double, green: Double, blue: Double) {
        func sum(_ index: Int) -> Double {
            entries[3 * index] * color.red + entries[3 * index + 1] * color.green + entries[3 * index + 2] * color.blue
        }
        return (sum(0), sum(1), sum(2))
    }

    /// Returns the matrix that applies `other`, then this matrix.
    func multiplied(by other: ColorMatrix) -> ColorMatrix {
        var product: [Double] = []
        for row in 0..<3 {
            for column in 0..<3 {
                let terms = (0..<3).map { entries[3 * row + $0] * other.entries[3 * $0 + column] }
                product.append(terms[0] + terms[1] + terms[2])
            }
        }
        return ColorMatrix(product)
    }

    var determinant: Double {
        let m = entries
        return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
    }

    /// The inverse, by Cramer's rule. The determinant must not be 0.
    var inverse: ColorMatrix {
        let m = entries
        let d = determinant
        return ColorMatrix([
            (m[4] * m[8] - m[5] * m[7]) / d, (m[2] * m[7] - m[1] * m[8]) / d, (m[1] * m[5] - m[2] * m[4]) / d,
            (m[5] * m[6] - m[3] * m[8]) / d, (m[0] * m[8] - m[2] * m[6]) / d, (m[2] * m[3] - m[0] * m[5]) / d,
            (m[3] * m[7] - m[4] * m[6]) / d, (m[1] * m[6] - m[0] * m[7]) / d, (m[0] * m[4] - m[1] * m[3]) / d,
        ])
    }

    /// Returns the linear interpolation between this matrix (0) and another (1).
    func blended(with other: ColorMatrix, fraction: Double) -> ColorMatrix {
        ColorMatrix(zip(entries, other.entries).map { $0 + ($1 - $0) * fraction })
    }

    /// Returns the coefficients in fixed point; 1 is `one`. The rows of the matrix must sum to 1; those of the result
    /// sum to exactly `one`.
    func fixed(one: Int) -> [Int] {
        var fixed = entries.map { Int(($0 * Double(one)).rounded()) }
        for row in 0..<3 {
            // Correct the diagonal. It is the greatest coefficient, so that its relative error is smallest.
            fixed[4 * row] += one - fixed[3 * row..<3 * row + 3].reduce(0, +)
        }
        return fixed
    }
}

extension SensorProfile {
    /// Returns the matrix from scene colors (linear BT.709) to the sensor's colors, under a black body's light.
    ///
    /// Interpolates between the calibrations for illuminants A and D65, linearly in the reciprocal of the temperature
    /// and clamped, as in the Adobe DNG specification 1.4, chapter 6.
    func crosstalk(kelvin: Double) -> ColorMatrix {
        let (low, high) = (1 / Self.kelvinA, 1 / Self.kelvinD65)
        let fraction = (1 / min(max(kelvin, Self.kelvinA), Self.kelvinD65) - low) / (high - low)
        return crosstalkA.blended(with: crosstalkD65, fraction: fraction)
    }

    /// Returns the matrix from the sensor's white-balanced colors to linear BT.709, under a black body's light. It
    /// preserves white.
    func colorMatrix(kelvin: Double) -> ColorMatrix { crosstalk(kelvin: kelvin).inverse }

    /// Color temperatures of the illuminants A and D65, CIE 15:2018.
    private static let kelvinA = 2856.0
    private static let kelvinD65 = 6504.0
}
