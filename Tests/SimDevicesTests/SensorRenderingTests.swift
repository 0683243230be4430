import MediaTypes
import XCTest

@testable import SimDevices

/// Measures the effect of the sensor on frames.
final class SensorRenderingTests: XCTestCase {
    private let size = (640, 480)

    private func fixture(_ reflectance: Double = 0.18, lux: Double = 1000) throws -> RenderingFixture {
        let fixture = try RenderingFixture(size: size, light: SceneLight(lux: lux, kelvin: 5000)) { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(reflectance, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
            ])
        }
        return fixture
    }

    func testDoublingTheExposureDoublesTheLinearSignalWithinAPercent() throws {
        let fixture = try fixture()
        for (seconds, iso) in [(0.0005, 50.0), (0.001, 50), (0.002, 50), (0.004, 50), (0.0005, 200), (0.001, 400)] {
            fixture.expose(seconds: seconds, iso: iso)
            let once = fixture.render().statistics(x: 0..<640, y: 100..<480).mean
            fixture.expose(seconds: seconds * 2, iso: iso)
            let twice = fixture.render(at: 1).statistics(x: 0..<640, y: 100..<480).mean
            XCTAssertEqual(twice / once, 2, accuracy: 0.02, "\(seconds) s, ISO \(iso)")
        }
    }

    func testTheVarianceFollowsThePhotonTransferCurveOfTheSensor() throws {
        let fixture = try fixture()
        for iso in [200.0, 800, 3200] {
            // Variance in units of saturation: signal / electrons + (read noise / electrons)².
            let electrons = fixture.profile.sensor.fullWell * fixture.profile.isoRange.lowerBound / iso
            var points: [(mean: Double, variance: Double)] = []
            for step in 0..<6 {
                fixture.expose(seconds: 0.3 * pow(1.4, Double(step)) / iso, iso: iso)
                let measured = fixture.render().statistics(x: 0..<640, y: 100..<480)
                // Quantization adds the variance of a uniform distribution: a twelfth of the squared step.
                let codesPerLight = 255 * slope(measured.mean)
                points.append((measured.mean, measured.variance - 1 / (12 * codesPerLight * codesPerLight)))
            }
            // Linear least-squares fit.
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

    /// Returns the slope of BT.709's transfer function at a linear light value.
    private func slope(_ light: Double) -> Double {
        light < 0.018 ? 4.5 : 1.099 * 0.45 * pow(light, -0.55)
    }

    func testReadNoiseDominatesInTheDark() throws {
        let fixture = try fixture(0.05, lux: 1)
        fixture.profile.sensor.readNoise = 8
        let (iso, seconds) = (1600.0, 0.03)
        fixture.expose(seconds: seconds, iso: iso)
        let measured = fixture.render().statistics(x: 0..<640, y: 100..<480)
        let electrons = fixture.profile.sensor.fullWell * 50 / iso
        let signal = 0.05 * Optics.saturationFraction(lux: 1, seconds: seconds, iso: iso, aperture: 1.78)
        let deviation = (64 + signal * electrons).squareRoot() / electrons
        // Half of the noise is clipped at black.
        XCTAssertGreaterThan(measured.variance.squareRoot() / deviation, 0.5)
        XCTAssertLessThan(measured.variance.squareRoot() / deviation, 1)
    }

    func testSaturatedPixelsAreWhiteWithoutNoise() throws {
        let fixture = try fixture(0.9)
        fixture.expose(seconds: 0.1, iso: 400)
        let measured = fixture.render().statistics(x: 0..<640, y: 100..<480)
        XCTAssertEqual(measured.mean, 1)
        XCTAssertEqual(measured.variance, 0)
        let white = fixture.lab(x: 100..<200, y: 200..<300)
        XCTAssertEqual(white.a, 0, accuracy: 0.5)
        XCTAssertEqual(white.b, 0, accuracy: 0.5)
    }

    func testTheShortExposureOfHDRPreservesHighlights() throws {
        let fixture = try RenderingFixture(size: size, light: SceneLight(lux: 1000, kelvin: 5000)) { view in
            func strip(_ index: Int, _ brightness: Double) -> PlacedLayer {
                PlacedLayer(
                    bitmap: FakeScene.card(0.25, width: 160, height: view.height), x: 160 * index, y: 0, depth: 1,
                    brightness: brightness)
            }
            return FakeScene(backdrop: [strip(0, 1), strip(1, 5), strip(2, 10), strip(3, 40)])
        }
        fixture.profile.lens.minimumFocusDistanceMillimeters = nil
        // The strips are at 0.25, 1.25, 2.5 and 10 times white.
        fixture.expose(seconds: 1 / Optics.saturationFraction(lux: 1000, seconds: 1, iso: 50, aperture: 1.78), iso: 50)
        func codes() -> [Double] {
            fixture.render()
            return (0..<4).map { strip in
                let x = 160 * strip + 40
                return (0..<40).map { fixture.luma(x + $0, 300) }.reduce(0, +) / 40
            }
        }
        let withoutHDR = codes()
        XCTAssertEqual(Array(withoutHDR.dropFirst()), [255, 255, 255])
        fixture.state.hdr.isEnabled = true
        let hdr = codes()
        XCTAssertEqual(hdr[0], withoutHDR[0], accuracy: 1)
        XCTAssertLessThan(hdr[1], 230)
        XCTAssertGreaterThan(hdr[2] - hdr[1], 12)
        XCTAssertLessThan(hdr[2], 250)
        XCTAssertEqual(hdr[3], 255)
        // The highlights of the short exposure are noisy.
        XCTAssertGreaterThan(fixture.statistics(x: 350..<460, y: 100..<400).variance, 0)
    }

    func testLowLightBoostBinsPixels() throws {
        let fixture = try fixture(0.18, lux: 2)
        // The full well is so large that no noise is clipped.
        fixture.profile.sensor.fullWell = 90_000
        fixture.expose(seconds: 1.0 / 30, iso: 6400)
        let unboosted = fixture.render().statistics(x: 0..<640, y: 100..<480)
        fixture.expose(seconds: 1.0 / 30, iso: 25600)
        let boosted = fixture.render().statistics(x: 0..<640, y: 100..<480)
        XCTAssertEqual(boosted.mean / unboosted.mean, 4, accuracy: 0.25)
        for (x, y) in [(100, 200), (302, 300), (500, 410)] {
            XCTAssertEqual(Set([fixture.luma(x, y), fixture.luma(x + 1, y), fixture.luma(x, y + 1)]).count, 1)
        }
        // Four times the signal has four times the noise, and averaging four pixels halves it.
        XCTAssertEqual((boosted.variance / unboosted.variance).squareRoot(), 2, accuracy: 0.4)
    }

    func testTheRollingShutterSkewsMovingLayers() throws {
        let bar = FakeScene.card(0.8, width: 20, height: 480)
        let fixture = try RenderingFixture(size: size) { view in
            FakeScene(
                backdrop: [
                    PlacedLayer(
                        bitmap: FakeScene.card(0.05, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
                ],
                moving: [PlacedLayer(bitmap: bar, x: 300, y: 0, depth: 1, speed: 6000)])
        }
        fixture.expose(seconds: 0.0005, iso: 50)
        fixture.render()
        func leftEdge(_ row: Int) throws -> Int { try XCTUnwrap((0..<640).first { fixture.light($0, row) > 0.01 }) }
        // 6,000 pixels per second during the readout of 10 ms.
        XCTAssertEqual(try leftEdge(479) - leftEdge(0), 60, accuracy: 1)
        XCTAssertEqual(try leftEdge(240) - leftEdge(0), 30, accuracy: 1)
    }
}
