import CaptureHAL

/// The calibration of a sensor, as RAW files describe it (Adobe DNG specification 1.4, chapter 6).
extension SensorProfile {
    /// Returns the matrix from CIE XYZ to the sensor's colors under an illuminant (`ColorMatrix`).
    ///
    /// - Parameters:
    ///   - crosstalk: The matrix of the illuminant.
    ///   - white: CIE XYZ of the illuminant.
    func colorMatrix(crosstalk: ColorMatrix, white: [Double]) -> [Double] {
        // The reflectances of a surface are linear BT.709 with white at (1, 1, 1); the light scales them.
        let light = ColorMatrix.bt709ToXYZ.inverse.applied(to: (white[0], white[1], white[2]))
        let response = ColorMatrix([
            redResponse * light.red / light.green, 0, 0, 0, 1, 0, 0, 0, blueResponse * light.blue / light.green,
        ])
        let toXYZ = ColorMatrix.adaptation(from: Self.whiteD65, to: white).multiplied(by: .bt709ToXYZ)
        return response.multiplied(by: crosstalk).multiplied(by: toXYZ.inverse).entries
    }

    /// Returns the matrix from the sensor's white-balanced colors to CIE XYZ with the white point D50 (`ForwardMatrix`).
    func forwardMatrix(crosstalk: ColorMatrix) -> [Double] {
        ColorMatrix.adaptation(from: Self.whiteD65, to: Self.whiteD50).multiplied(by: .bt709ToXYZ)
            .multiplied(by: crosstalk.inverse).entries
    }

    /// CIE XYZ of illuminants for the 2° observer, with Y = 1 (CIE 15:2018, table T.3; ICC.1:2010 for D50).
    static let whiteA = [1.09850, 1, 0.35585]
    static let whiteD65 = [0.95047, 1, 1.08883]
    private static let whiteD50 = [0.96422, 1, 0.82521]
}

extension ColorMatrix {
    /// The matrix from linear BT.709 to CIE XYZ (IEC 61966-2-1, with more digits).
    fileprivate static let bt709ToXYZ = ColorMatrix([
        0.4123908, 0.3575843, 0.1804808, 0.2126390, 0.7151687, 0.0721923, 0.0193308, 0.1191948, 0.9505322,
    ])

    /// The Bradford matrix (K. Lam, "Metamerism and colour constancy", 1985).
    private static let bradford = ColorMatrix([
        0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
    ])

    /// Returns the chromatic adaptation of CIE XYZ from one white point to another.
    fileprivate static func adaptation(from source: [Double], to target: [Double]) -> ColorMatrix {
        let from = bradford.applied(to: (source[0], source[1], source[2]))
        let to = bradford.applied(to: (target[0], target[1], target[2]))
        let scale = ColorMatrix([
            to.red / from.red, 0, 0, 0, to.green / from.green, 0, 0, 0, to.blue / from.blue,
        ])
        return bradford.inverse.multiplied(by: scale).multiplied(by: bradford)
    }
}
