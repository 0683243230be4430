import MediaTypes
import XCTest

@testable import SimDevices

/// Measures what the sensor does to the picture.
final class SensorPictureTests: XCTestCase {
    private let size = (640, 480)

    private func bench(_ reflectance: Double = 0.18, lux: Double = 1000) throws -> PictureBench {
        let bench = try PictureBench(size: size, light: SceneLight(lux: lux, kelvin: 5000)) { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(reflectance, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
            ])
        }
        return bench
    }

    func testDoublingTheExposureDoublesTheLinearSignalWithinAPercent() throws {
        let bench = try bench()
        for (seconds, iso) in [(0.0005, 50.0), (0.001, 50), (0.002, 50), (0.004, 50), (0.0005, 200), (0.001, 400)] {
            bench.expose(seconds: seconds, iso: iso)
            let once = bench.take().statistics(x: 0..<640, y: 100..<480).mean
            bench.expose(seconds: seconds * 2, iso: iso)
            let twice = bench.take(at: 1).statistics(x: 0..<640, y: 100..<480).mean
            XCTAssertEqual(twice / once, 2, accuracy: 0.02, "\(seconds) s, ISO \(iso)")
        }
    }

    func testNoiseOverMeanIsTheSensorsPhotonTransferCurve() throws {
        let bench = try bench()
        for iso in [200.0, 800, 3200] {
            // Variance in units of saturation: signal / electrons + (read noise / electrons)².
            let electrons = bench.profile.sensor.fullWell * bench.profile.isoRange.lowerBound / iso
            var points: [(mean: Double, variance: Double)] = []
            for step in 0..<6 {
                bench.expose(seconds: 0.3 * pow(1.4, Double(step)) / iso, iso: iso)
                let measured = bench.take().statistics(x: 0..<640, y: 100..<480)
                // Rounding to a code adds the variance of a uniform distribution: a twelfth of the step's square.
                let codes = 255 * slope(measured.mean)
                points.append((measured.mean, measured.variance - 1 / (12 * codes * codes)))
            }
            // The least-squares line through the points.
            let meanX = points.map(\.mean).reduce(0, +) / 6
            let meanY = points.map(\.variance).reduce(0, +) / 6
            let covariance = points.map { ($0.mean - meanX) * ($0.variance - meanY) }.reduce(0, +)
            let gain = covariance / points.map { ($0.mean - meanX) * ($0.mean - meanX) }.reduce(0, +)
            XCTAssertEqual(gain * electrons, 1, accuracy: 0.05, "ISO \(iso)")
            for point in points {
                let line = meanY + gain * (point.mean - meanX)
                XCTAssertEqual(point.variance / line, 1, accuracy: 0.05, "ISO \(iso) at \(point.mean)")
            }
        }
    }

    /// The slope of BT.709's transfer at an amount of light.
    private func slope(_ light: Double) -> Double {
        light < 0.018 ? 4.5 : 1.099 * 0.45 * pow(light, -0.55)
    }

    func testReadNoiseIsWhatIsLeftInTheDark() throws {
        let bench = try bench(0.05, lux: 1)
        bench.profile.sensor.readNoise = 8
        let (iso, seconds) = (1600.0, 0.03)
        bench.expose(seconds: seconds, iso: iso)
        let measured = bench.take().statistics(x: 0..<640, y: 100..<480)
        let electrons = bench.profile.sensor.fullWell * 50 / iso
        let signal = 0.05 * Optics.saturation(lux: 1, seconds: seconds, iso: iso, aperture: 1.78)
        let deviation = (64 + signal * electrons).squareRoot() / electrons
        // Half of it is cut off at black.
        XCTAssertGreaterThan(measured.variance.squareRoot() / deviation, 0.5)
        XCTAssertLessThan(measured.variance.squareRoot() / deviation, 1)
    }

    func testWhatSaturatesTheSensorIsWhiteAndWithoutNoise() throws {
        let bench = try bench(0.9)
        bench.expose(seconds: 0.1, iso: 400)
        let measured = bench.take().statistics(x: 0..<640, y: 100..<480)
        XCTAssertEqual(measured.mean, 1)
        XCTAssertEqual(measured.variance, 0)
        let white = bench.lab(x: 100..<200, y: 200..<300)
        XCTAssertEqual(white.a, 0, accuracy: 0.5)
        XCTAssertEqual(white.b, 0, accuracy: 0.5)
    }

    func testARollingReadoutSkewsWhatMoves() throws {
        let bar = FakeScene.card(0.8, width: 20, height: 480)
        let bench = try PictureBench(size: size) { view in
            FakeScene(
                backdrop: [
                    PlacedLayer(
                        bitmap: FakeScene.card(0.05, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
                ],
                moving: [PlacedLayer(bitmap: bar, x: 300, y: 0, depth: 1, speed: 6000)])
        }
        bench.expose(seconds: 0.0005, iso: 50)
        bench.take()
        func left(_ row: Int) throws -> Int { try XCTUnwrap((0..<640).first { bench.light($0, row) > 0.01 }) }
        // 6,000 pixels a second through the sensor's 10 ms.
        XCTAssertEqual(try left(479) - left(0), 60, accuracy: 1)
        XCTAssertEqual(try left(240) - left(0), 30, accuracy: 1)
    }
}
