import CaptureHAL
import Foundation
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

/// Tests the samples of the sensor before white balance and tone.
final class RAWRenderingTests: XCTestCase {
    /// Mean and variance of the samples of one color in an area, from 0 for black to 1 for saturation.
    private struct Statistics {
        var mean: Double
        var variance: Double
    }

    /// Returns the statistics of red, green and blue.
    private func statistics(_ raw: RawSensorFrame, _ columns: Range<Int>, _ rows: Range<Int>) -> [Statistics] {
        var values: [[Double]] = [[], [], []]
        let range = Double(raw.whiteLevel - raw.blackLevel)
        raw.samples.withPlane(0) { plane in
            for row in rows {
                for column in columns {
                    let code = plane.baseAddress.load(
                        fromByteOffset: row * plane.bytesPerRow + column * 2, as: UInt16.self)
                    values[row % 2 + column % 2].append((Double(code) - Double(raw.blackLevel)) / range)
                }
            }
        }
        return values.map { samples in
            let mean = samples.reduce(0, +) / Double(samples.count)
            let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(samples.count)
            return Statistics(mean: mean, variance: variance)
        }
    }

    private func patch(
        _ raw: RawSensorFrame, _ index: Int, _ width: Int = 1280, _ height: Int = 720
    ) -> [Statistics] {
        let frame = ChartScene.patchFrame(index)
        func range(_ start: Double, _ length: Double, _ size: Int) -> Range<Int> {
            Int((start + length / 4) * Double(size))..<Int((start + length * 3 / 4) * Double(size))
        }
        return statistics(raw, range(frame.x, frame.width, width), range(frame.y, frame.height, height))
    }

    private func chart(kelvin: Double) throws -> RenderingFixture {
        var light = SimScene.chart.light
        light.kelvin = kelvin
        let fixture = try RenderingFixture(size: (1280, 720), light: light) { ChartScene(view: $0) }
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: ChartScene.depth)
        let unit = Optics.saturationFraction(
            lux: light.lux, seconds: 1, iso: 50, aperture: fixture.profile.lens.aperture)
        fixture.expose(seconds: 0.9 / unit, iso: 50)
        return fixture
    }

    func testTheSamplesAreTheResponseOfTheSensorToThePatches() throws {
        for kelvin in [2856.0, 6504] {
            let fixture = try chart(kelvin: kelvin)
            let raw = try fixture.renderRAW()
            let sensor = fixture.profile.sensor
            let ambient = Chromaticity(blackBody: kelvin).linearRGB
            let crosstalk = sensor.crosstalk(kelvin: kelvin)
            for (index, reflectance) in ChartScene.patches.enumerated() {
                let color = crosstalk.applied(to: reflectance)
                let expected = [
                    color.red * ambient.red * sensor.redResponse, color.green,
                    color.blue * ambient.blue * sensor.blueResponse,
                ].map { min(1, $0 * 0.9) }
                for (measured, expected) in zip(patch(raw, index), expected) {
                    XCTAssertEqual(measured.mean, expected, accuracy: 0.003 + 0.02 * expected, "patch \(index)")
                }
            }
        }
    }

    func testTheNoiseIsThatOfTheProfile() throws {
        let fixture = try chart(kelvin: 5000)
        for iso in [50.0, 800] {
            fixture.expose(seconds: fixture.state.exposure.product / iso, iso: iso)
            let raw = try fixture.renderRAW()
            let fullWell = fixture.profile.sensor.fullWell * 50 / iso
            XCTAssertEqual(raw.noise.scale, 1 / fullWell, accuracy: 1e-12)
            for index in 18..<24 {
                let green = patch(raw, index)[1]
                let expected = raw.noise.scale * green.mean + raw.noise.offset
                XCTAssertEqual(green.variance / expected, 1, accuracy: 0.12, "patch \(index), ISO \(iso)")
            }
        }
    }

    func testTheMatricesConvertTheSamplesToTheColorsOfThePatches() throws {
        for (kelvin, usesA) in [(2856.0, true), (6504.0, false)] {
            let fixture = try chart(kelvin: kelvin)
            let raw = try fixture.renderRAW()
            let forward = ColorMatrix(usesA ? raw.forwardMatrixA : raw.forwardMatrixD65)
            let white = patch(raw, 18).map { $0.mean / 0.9 }
            let toXYZ = SensorProfile(
                fullWell: 1, readNoise: 0, redResponse: 1, blueResponse: 1, crosstalkA: .identity, readoutSeconds: 0
            ).forwardMatrix(crosstalk: .identity)
            for (index, reflectance) in ChartScene.patches.enumerated() {
                let sample = patch(raw, index).map(\.mean)
                let found = forward.applied(
                    to: (sample[0] / white[0], sample[1] / white[1], sample[2] / white[2]))
                let difference = Self.difference(found, ColorMatrix(toXYZ).applied(to: reflectance))
                XCTAssertLessThan(difference, 3, "patch \(index) at \(kelvin) K")
            }
            // The color matrix describes the white of its illuminant.
            let color = ColorMatrix(usesA ? raw.colorMatrixA : raw.colorMatrixD65)
            let standard = usesA ? SensorProfile.whiteA : SensorProfile.whiteD65
            let response = color.applied(to: (standard[0], standard[1], standard[2]))
            // The light of 2856 K is illuminant A. D65, the white of BT.709, is greener than a black body of 6504 K.
            let sensor = fixture.profile.sensor
            let (red, blue) =
                usesA ? (white[0] / white[1], white[2] / white[1]) : (sensor.redResponse, sensor.blueResponse)
            XCTAssertEqual(response.red / response.green, red, accuracy: 0.02)
            XCTAssertEqual(response.blue / response.green, blue, accuracy: 0.02)
            let neutral = raw.asShotNeutral
            XCTAssertEqual(neutral.x / neutral.y, white[0] / white[1], accuracy: 0.02)
            XCTAssertEqual(neutral.z / neutral.y, white[2] / white[1], accuracy: 0.02)
            XCTAssertEqual(neutral.max(), 1)
        }
    }

    func testZoomDoesNotChangeTheSamplesAndLightSaturatesThem() throws {
        let fixture = try chart(kelvin: 5000)
        let raw = try fixture.renderRAW()
        fixture.state.zoom = 2
        let zoomed = try fixture.renderRAW()
        XCTAssertEqual(patch(zoomed, 19).map(\.mean), patch(raw, 19).map(\.mean))
        fixture.expose(seconds: fixture.state.exposure.seconds * 20, iso: 50)
        let saturated = patch(try fixture.renderRAW(), 18)
        for color in saturated { XCTAssertEqual(color.mean, 1, accuracy: 0.01) }
    }

    func testTheSameFrameHasTheSameSamples() throws {
        let first = try chart(kelvin: 5000).renderRAW(at: 5)
        let second = try chart(kelvin: 5000).renderRAW(at: 5)
        let areas = [first, second].map { statistics($0, 0..<1280, 0..<720) }
        XCTAssertEqual(areas[0].map(\.mean), areas[1].map(\.mean))
        XCTAssertEqual(areas[0].map(\.variance), areas[1].map(\.variance))
    }

    /// Returns the difference of two colors in CIE XYZ with the white point D50 as CIE 1976 ΔE.
    private static func difference(
        _ left: (red: Double, green: Double, blue: Double), _ right: (red: Double, green: Double, blue: Double)
    ) -> Double {
        func lab(_ color: (red: Double, green: Double, blue: Double)) -> [Double] {
            func root(_ x: Double) -> Double { x > 216.0 / 24389 ? cbrt(x) : (24389.0 / 27 * x + 16) / 116 }
            let (x, y, z) = (root(color.red / 0.96422), root(color.green), root(color.blue / 0.82521))
            return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
        }
        return zip(lab(left), lab(right)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
}
