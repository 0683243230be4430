import XCTest

@testable import CaptureHAL

final class ChromaticityTests: XCTestCase {
    func testStandardIlluminantsHaveTheirTabulatedTemperatures() {
        // Illuminants A, D50 and D65 of CIE 15. The daylight illuminants are on the green side of the Planckian locus.
        let table: [(x: Double, y: Double, kelvin: Double, tint: ClosedRange<Double>)] = [
            (0.44757, 0.40745, 2856, -2...2), (0.34567, 0.35850, 5003, -12 ... -6),
            (0.31271, 0.32902, 6504, -12 ... -6),
        ]
        for row in table {
            let (temperature, tint) = Chromaticity(x: row.x, y: row.y).temperatureAndTint
            XCTAssertEqual(temperature, row.kelvin, accuracy: row.kelvin / 200)
            XCTAssertTrue(row.tint.contains(tint), "\(tint) at \(row.kelvin)")
        }
    }

    func testTemperatureAndTintRoundTrip() {
        for temperature in stride(from: 2000.0, through: 12000, by: 500) {
            for tint in [-100.0, -20, 0, 20, 100] {
                let roundTripped = Chromaticity(temperature: temperature, tint: tint).temperatureAndTint
                // The locus is approximated by cubics with slightly different slopes where they join, at 4,000 K.
                XCTAssertEqual(roundTripped.temperature, temperature, accuracy: temperature / 200, "tint \(tint)")
                XCTAssertEqual(roundTripped.tint, tint, accuracy: 0.5, "at \(temperature)")
            }
        }
    }

    func testPositiveTintIsMagenta() {
        let neutral = Chromaticity(temperature: 5000, tint: 0).linearRGB
        let magenta = Chromaticity(temperature: 5000, tint: 60).linearRGB
        // Less green means relatively more red and blue.
        XCTAssertGreaterThan(magenta.red, neutral.red * 1.05)
        XCTAssertGreaterThan(magenta.blue, neutral.blue * 1.05)
    }

    func testLinearRGBRoundTrips() {
        for (red, blue) in [(1.0, 1.0), (1.6, 0.4), (0.8, 1.3)] {
            let color = Chromaticity(red: red, green: 1, blue: blue).linearRGB
            XCTAssertEqual(color.red, red, accuracy: 0.002)
            XCTAssertEqual(color.blue, blue, accuracy: 0.002)
        }
    }

    func testTemperaturesOutsideTheSupportedRangeAreClamped() {
        XCTAssertEqual(Chromaticity(blackBody: 100), Chromaticity(blackBody: 1667))
        XCTAssertEqual(Chromaticity(blackBody: 1e9), Chromaticity(blackBody: 25000))
    }
}
