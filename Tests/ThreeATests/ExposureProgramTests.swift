import XCTest

@testable import ThreeA

final class ExposureProgramTests: XCTestCase {
    private let fine = ExposureProgram(durations: 0.0001...0.5, isos: 1...64)

    func testTheTimeIsIncreasedBeforeTheSensitivity() {
        for (product, seconds, iso) in [
            (0.00001, 0.0001, 1.0), (0.004, 0.004, 1), (0.03, 0.03, 1), (0.05, 1.0 / 30, 1.5), (100, 1.0 / 30, 64),
        ] {
            let exposure = fine.exposure(product: product, longest: 1.0 / 30)
            XCTAssertEqual(exposure.seconds, seconds, accuracy: 2e-9, "\(product)")
            XCTAssertEqual(exposure.iso, iso, accuracy: 0.01, "\(product)")
        }
    }

    func testTheApertureOpensInDimLightAndClosesInBrightLight() {
        var program = ExposureProgram(durations: 0.00001...0.5, isos: 50...5000)
        program.apertureAreas = 0.2...1.5
        let longest = 1.0 / 30
        for (light, area) in [
            // Relative to the longest time and the lowest sensitivity.
            (0.5, 1.0), (1, 1), (1.2, 1.2), (1.5, 1.5), (20, 1.5), (0.06, 1), (0.03, 0.5), (0.012, 0.2), (0.001, 0.2),
        ] {
            let exposure = program.exposure(product: light * longest * 50, longest: longest)
            XCTAssertEqual(exposure.apertureArea, area, accuracy: 0.001, "\(light)")
            XCTAssertEqual(exposure.product / (light * longest * 50), 1, accuracy: 0.01, "\(light)")
            // The sensitivity is increased only with the widest aperture.
            if exposure.iso > 50.1 { XCTAssertEqual(exposure.apertureArea, 1.5, "\(light)") }
        }
    }

    func testTimesAreMultiplesOfHalfPeriodsOfThePowerLine() {
        for (hertz, halfPeriod) in [(Int64(50), 0.01), (60, 1.0 / 120)] {
            var program = fine
            program.powerLineHertz = hertz
            var product = halfPeriod
            while product < 3 {
                let exposure = program.exposure(product: product, longest: 1.0 / 15)
                let count = exposure.seconds / halfPeriod
                XCTAssertEqual(count, count.rounded(), accuracy: 1e-6, "\(product) at \(hertz) Hz")
                XCTAssertGreaterThanOrEqual(count, 0.999)
                XCTAssertLessThanOrEqual(exposure.seconds, 1.0 / 15 + 1e-9)
                // Sensitivity compensates for the difference.
                XCTAssertEqual(exposure.product / min(product, 64.0 * exposure.seconds), 1, accuracy: 0.01)
                product *= 1.03
            }
            // Times below half a period cannot avoid flicker.
            XCTAssertEqual(
                program.exposure(product: halfPeriod / 2, longest: 1).seconds, halfPeriod / 2, accuracy: 1e-6)
        }
    }

    func testWithAFixedSensitivityTheNearestTimeIsUsed() {
        let coarse = ExposureProgram(durations: 0.001...0.1, durationStep: 1_000_000, isos: 1...1, powerLineHertz: 0)
        for (product, seconds) in [(0.0011, 0.001), (0.0018, 0.002), (0.0096, 0.01), (0.2, 0.033)] {
            XCTAssertEqual(coarse.exposure(product: product, longest: 1.0 / 30).seconds, seconds, accuracy: 1e-9)
        }
        var lamps = coarse
        lamps.powerLineHertz = 50
        XCTAssertEqual(lamps.exposure(product: 0.019, longest: 1).seconds, 0.02, accuracy: 1e-9)
        XCTAssertEqual(lamps.exposure(product: 0.013, longest: 1).seconds, 0.01, accuracy: 1e-9)
    }

    func testTimesAndSensitivitiesAreMultiplesOfTheDriversSteps() {
        let webcam = ExposureProgram(
            durations: 0.0003...0.5, durationStep: 100_000, isos: 1...16, isoStep: 15.0 / 64, powerLineHertz: 60)
        var product = 0.00001
        while product < 20 {
            let exposure = webcam.exposure(product: product, longest: 1.0 / 30)
            XCTAssertEqual(exposure.nanoseconds % 100_000, 0, "\(product)")
            XCTAssertGreaterThanOrEqual(exposure.nanoseconds, 300_000)
            let steps = (exposure.iso - 1) * 64 / 15
            XCTAssertEqual(steps, steps.rounded(), accuracy: 0.001, "\(product)")
            product *= 1.1
        }
    }
}
