/// Three by three numbers that make colours of colours; applied to a column of red, green and blue.
public struct ColorMatrix: Sendable, Hashable {
    /// Row by row.
    public var entries: [Double]

    public static let identity = ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// - Parameter entries: Nine, row by row.
    init(_ entries: [Double]) { self.entries = entries }

    func row(_ index: Int) -> ArraySlice<Double> { entries[3 * index..<3 * index + 3] }

    func applied(to color: (red: Double, green: Double, blue: Double)) -> (red: Double, green: Double, blue: Double) {
        func sum(_ index: Int) -> Double {
            entries[3 * index] * color.red + entries[3 * index + 1] * color.green + entries[3 * index + 2] * color.blue
        }
        return (sum(0), sum(1), sum(2))
    }

    var determinant: Double {
        let m = entries
        return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
    }

    /// By Cramer's rule; the determinant is not 0.
    var inverse: ColorMatrix {
        let m = entries
        let d = determinant
        return ColorMatrix([
            (m[4] * m[8] - m[5] * m[7]) / d, (m[2] * m[7] - m[1] * m[8]) / d, (m[1] * m[5] - m[2] * m[4]) / d,
            (m[5] * m[6] - m[3] * m[8]) / d, (m[0] * m[8] - m[2] * m[6]) / d, (m[2] * m[3] - m[0] * m[5]) / d,
            (m[3] * m[7] - m[4] * m[6]) / d, (m[1] * m[6] - m[0] * m[7]) / d, (m[0] * m[4] - m[1] * m[3]) / d,
        ])
    }

    /// The matrix between this one and another, by its part of the way.
    func blended(with other: ColorMatrix, part: Double) -> ColorMatrix {
        ColorMatrix(zip(entries, other.entries).map { $0 + ($1 - $0) * part })
    }

    /// Whole numbers in so many parts to 1; the rows, which come to 1, come to `one` exactly.
    func fixed(one: Int) -> [Int] {
        var fixed = entries.map { Int(($0 * Double(one)).rounded()) }
        for row in 0..<3 {
            // The diagonal entry is the greatest, and a unit more or less is least there.
            fixed[4 * row] += one - fixed[3 * row..<3 * row + 3].reduce(0, +)
        }
        return fixed
    }
}

extension SensorProfile {
    /// What the sensor's colours see of the scene's red, green and blue in the light of a black body.
    ///
    /// Between two calibrations, by illuminants A and D65, linear in the reciprocal of temperature, as Adobe's DNG
    /// specification 1.4, ch. 6, has it; below and above them the nearer one.
    func crosstalk(kelvin: Double) -> ColorMatrix {
        let (low, high) = (1 / Self.kelvinA, 1 / Self.kelvinD65)
        let part = (1 / min(max(kelvin, Self.kelvinA), Self.kelvinD65) - low) / (high - low)
        return crosstalkA.blended(with: crosstalkD65, part: part)
    }

    /// What brings the balanced colours of the sensor back to those of BT.709, for a light that is taken to have so many
    /// kelvin; white stays white.
    func colorMatrix(kelvin: Double) -> ColorMatrix { crosstalk(kelvin: kelvin).inverse }

    /// CIE 15:2018.
    private static let kelvinA = 2856.0
    private static let kelvinD65 = 6504.0
}
