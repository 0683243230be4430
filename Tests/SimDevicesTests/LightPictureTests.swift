import CaptureHAL
import Foundation
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

/// Measures what light does to the picture.
final class LightPictureTests: XCTestCase {
    private func card(_ reflectance: Double = 0.18, light: SceneLight) throws -> PictureBench {
        try PictureBench(light: light) { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(reflectance, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
            ])
        }
    }

    func testTheTorchFallsWithTheSquareOfDistance() throws {
        let depths = [0.5, 1, 2, 4]
        let bench = try PictureBench(light: SceneLight(lux: 0, kelvin: 5000)) { view in
            let wall = PlacedLayer(
                bitmap: FakeScene.card(0.18, width: view.width, height: view.height), x: 0, y: 0, depth: depths[3])
            let cards = depths.prefix(3).reversed().map { depth in
                PlacedLayer(
                    bitmap: FakeScene.card(0.18, width: 100, height: 480), x: Int(depth * 200), y: 0, depth: depth)
            }
            return FakeScene(backdrop: [wall] + cards)
        }
        bench.state.torch = 1
        // All in focus, to measure light alone.
        bench.profile.lens.minimumFocusDistanceMillimetres = nil
        bench.expose(seconds: 0.01, iso: 50)
        bench.take()
        let near = bench.statistics(x: 120..<180, y: 100..<400).mean
        XCTAssertGreaterThan(near, 0.05)
        for depth in depths.dropFirst() {
            let x = depth == 4 ? 20 : Int(depth * 200) + 20
            let measured = bench.statistics(x: x..<x + 60, y: 200..<400).mean
            XCTAssertEqual(measured / near, 0.25 / (depth * depth), accuracy: 0.02 * 0.25 / (depth * depth) + 0.0005)
        }
        bench.state.torch = 0.5
        XCTAssertEqual(bench.take(at: 1).statistics(x: 120..<180, y: 100..<400).mean / near, 0.5, accuracy: 0.01)
    }

    /// The strongest change from band to band of ten rows, in proportion to the mean.
    private func banding(_ bench: PictureBench, seconds: Double) -> Double {
        bench.expose(seconds: seconds, iso: 0.5 / seconds)
        var strongest = 0.0
        for time in [0, 3_333_333, 33_333_333] as [Int64] {
            bench.take(at: time)
            let rows = stride(from: 0, to: 480, by: 10).map {
                bench.statistics(x: 0..<640, y: $0..<$0 + 10).mean
            }
            let mean = rows.reduce(0, +) / Double(rows.count)
            strongest = max(strongest, ((rows.max() ?? 0) - (rows.min() ?? 0)) / mean)
        }
        return strongest
    }

    func testFlickerBandsVanishAtWholePeriodsOfTheLamp() throws {
        let lamp = SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.3))
        let bench = try card(light: lamp)
        let (bands, still) = (banding(bench, seconds: 1.0 / 240), banding(bench, seconds: 1.0 / 100))
        XCTAssertGreaterThan(bands, 0.3)
        XCTAssertLessThan(still, 0.03)
        XCTAssertLessThan(banding(bench, seconds: 1.0 / 50), 0.03)
        XCTAssertGreaterThan(banding(bench, seconds: 1.0 / 60), 0.06)
        let american = try card(
            light: SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 60, depth: 0.3)))
        XCTAssertLessThan(banding(american, seconds: 1.0 / 120), 0.03)
        XCTAssertGreaterThan(banding(american, seconds: 1.0 / 100), 0.06)
    }

    func testTheBandsFollowTheLampThroughTheReadout() throws {
        let lamp = SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.3))
        let bench = try card(light: lamp)
        bench.expose(seconds: 0.0005, iso: 1000)
        bench.take()
        // A period of 10 ms is as long as the readout: the light of row y is 1 + 0.3 cos(2π y / 480).
        let mean = bench.statistics(x: 0..<640, y: 0..<480).mean
        for row in stride(from: 20, to: 480, by: 40) {
            let measured = bench.statistics(x: 0..<640, y: row - 4..<row + 4).mean
            let middle = (Double(row) / 480 + 0.025) * 2 * Double.pi
            XCTAssertEqual(measured / mean, 1 + 0.3 * cos(middle), accuracy: 0.03, "row \(row)")
        }
    }

    func testAGreyCardComesOutNeutralUnderEachLight() throws {
        for kelvin in [2800.0, 4000, 6500] {
            let rig = try SimRig(light: SceneLight(lux: 500, kelvin: kelvin))
            // Begins as far away as can be.
            try rig.device.set(.whiteBalanceTemperature, to: .number(kelvin > 5000 ? 2800 : 7500))
            try rig.device.set(.whiteBalanceMode, to: .integer(ControlMode.continuousAuto.rawValue))
            try rig.start()
            for _ in 0..<120 {
                rig.clear()
                rig.clock.advance(by: .nanoseconds(33_333_334))
            }
            XCTAssertEqual(try rig.device.value(of: .whiteBalanceAdjusting), .flag(false))
            let mean = try XCTUnwrap(rig.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertLessThan(difference(mean), 3, "\(kelvin) K: \(mean)")
        }
    }

    /// The CIE 1976 ΔE of the chart's patches from what they are, taken in light of `kelvin` with the white balance for it.
    private func patchErrors(camera: String, kelvin: Double, balance: Double) throws -> [Double] {
        let bench = try PictureBench(camera: camera, size: (960, 540), light: SceneLight(lux: 1000, kelvin: kelvin)) {
            ChartScene(view: $0)
        }
        bench.profile.lens.minimumFocusDistanceMillimetres = nil
        bench.profile.lens.aperture = 1.78
        _ = bench.state.set(.whiteBalanceTemperature, to: .number(balance))
        // A surface that reflects everything comes to four fifths.
        bench.expose(seconds: 0.8 / Optics.saturation(lux: 1000, seconds: 1, iso: 50, aperture: 1.78), iso: 50)
        bench.take()
        return ChartScene.patches.enumerated().map { index, patch in
            let frame = ChartScene.patchFrame(index)
            func span(_ begin: Double, _ length: Double, _ pixels: Int) -> Range<Int> {
                let first = Int((begin + length / 4) * Double(pixels))
                return first..<first + Int(length / 2 * Double(pixels))
            }
            let seen = bench.lab(x: span(frame.x, frame.width, 960), y: span(frame.y, frame.height, 540))
            // Where red is the strongest of the sensor's colours, the least gain of 1 is its own.
            let white = 0.8 * bench.state.gains.green
            let aim = PictureBench.lab(red: patch.red * white, green: patch.green * white, blue: patch.blue * white)
            let (l, a, b) = (seen.l - aim.l, seen.a - aim.a, seen.b - aim.b)
            return (l * l + a * a + b * b).squareRoot()
        }
    }

    func testTheColourMatrixBringsBackThePatchesInEachLight() throws {
        for camera in ["back-wide", "back-ultra-wide"] {
            for kelvin in [3000.0, 4000, 5000, 6504] {
                let errors = try patchErrors(camera: camera, kelvin: kelvin, balance: kelvin)
                let mean = errors.reduce(0, +) / Double(errors.count)
                XCTAssertLessThan(mean, 1.5, "\(camera) at \(kelvin) K: \(errors)")
                XCTAssertLessThan(errors.max() ?? 0, 4, "\(camera) at \(kelvin) K: \(errors)")
            }
        }
        // A camera that takes the light for another sees all colours wrong.
        let errors = try patchErrors(camera: "back-wide", kelvin: 4000, balance: 6500)
        XCTAssertGreaterThan(errors.reduce(0, +) / Double(errors.count), 8)
    }

    func testTheMatrixCostsNoise() throws {
        /// The variance of colour differences on a grey card.
        func variance(_ crosstalk: ColorMatrix?) throws -> Double {
            let bench = try card(light: SceneLight(lux: 1000, kelvin: 5000))
            if let crosstalk {
                (bench.profile.sensor.crosstalkA, bench.profile.sensor.crosstalkD65) = (crosstalk, crosstalk)
                bench.state = CameraState(
                    profile: bench.profile, light: SceneLight(lux: 1000, kelvin: 5000), subjectDistance: 1)
                _ = bench.state.set(.whiteBalanceTemperature, to: .number(5000))
            }
            bench.expose(seconds: 0.3 / 1600, iso: 1600)
            return bench.take().redVariance(x: 0..<640, y: 100..<480)
        }
        let (pure, mixed) = (try variance(.identity), try variance(nil))
        XCTAssertGreaterThan(mixed / pure, 1.3)
        XCTAssertLessThan(mixed / pure, 4)
    }

    /// CIE 1976 ΔE between a colour of video range and the grey of the same luma, with D65 as white.
    private func difference(_ color: (y: Double, cb: Double, cr: Double)) -> Double {
        func lab(_ cb: Double, _ cr: Double) -> (Double, Double, Double) {
            func light(_ v: Double) -> Double { v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45) }
            let (y, b, r) = ((color.y - 16) / 219, cb / 224, cr / 224)
            let red = light(y + 1.5748 * r)
            let green = light(y - 0.1873 * b - 0.4681 * r)
            let blue = light(y + 1.8556 * b)
            func f(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
            let fx = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
            let fy = f(0.2126 * red + 0.7152 * green + 0.0722 * blue)
            let fz = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0890)
            return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
        }
        let (seen, grey) = (lab(color.cb, color.cr), lab(0, 0))
        let (l, a, b) = (seen.0 - grey.0, seen.1 - grey.1, seen.2 - grey.2)
        return (l * l + a * a + b * b).squareRoot()
    }

    func testAutomaticExposureEndsNearItsAimOrSaysThatItCannot() throws {
        for lux in [1.0, 5, 20, 100, 1000, 5000, 20000] {
            let rig = try SimRig(light: SceneLight(lux: lux, kelvin: 5000))
            try rig.device.set(.exposureDuration, to: .number(1.0 / 200))
            try rig.device.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
            try rig.start()
            for _ in 0..<60 {
                rig.clear()
                rig.clock.advance(by: .nanoseconds(33_333_334))
            }
            XCTAssertEqual(try rig.device.value(of: .exposureAdjusting), .flag(false), "\(lux) lx")
            let frame = try XCTUnwrap(rig.frames.last)
            let error = log2(linear(try frame.buffer.mean(0.3, 0.3, 0.4, 0.4).y) / AutoExposure.target)
            guard case .number(let offset) = try rig.device.value(of: .exposureOffset) else {
                return XCTFail("no offset")
            }
            if abs(error) > 1.0 / 6 {
                // As bright as the frame rate lets it be, and the offset tells what is missing.
                XCTAssertEqual(frame.settings.iso, 6400, "\(lux) lx")
                XCTAssertLessThan(lux, 10)
                // Noise, whose dark half is cut off, makes the meter read a little more than the mean code tells.
                XCTAssertEqual(offset, error, accuracy: 0.4)
            } else {
                XCTAssertEqual(offset, error, accuracy: 0.15)
            }
        }
    }

    func testLightThatChangesIsFollowed() throws {
        let dusk = SceneLight(
            lux: 1000, kelvin: 5500, changes: [SceneLight.Change(seconds: 10, lux: 100, kelvin: 3000)])
        XCTAssertEqual(dusk.at(nanoseconds: 5_000_000_000).lux, 550)
        XCTAssertEqual(dusk.at(nanoseconds: 5_000_000_000).kelvin, 4250)
        XCTAssertEqual(dusk.at(nanoseconds: 20_000_000_000).lux, 100)
        let bench = try card(
            light: SceneLight(
                lux: 1000, kelvin: 5500, changes: [SceneLight.Change(seconds: 10, lux: 100, kelvin: 5500)]))
        bench.expose(seconds: 0.005, iso: 50)
        let before = bench.take().statistics(x: 0..<640, y: 100..<400).mean
        let after = bench.take(at: 15_000_000_000).statistics(x: 0..<640, y: 100..<400).mean
        XCTAssertEqual(after / before, 0.1, accuracy: 0.003)
    }

    /// Blocks that lie half on white and half on black have no colour, however much of them is clipped.
    func testEdgesOfGreyHaveNoColour() throws {
        for seconds in [0.001, 0.004, 0.016, 0.06] {
            let bench = try PictureBench(light: SceneLight(lux: 1000, kelvin: 5000)) { view in
                let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
                let (white, black) = (
                    SceneCanvas.Color(linear: 0.9, 0.9, 0.9), SceneCanvas.Color(linear: 0.03, 0.03, 0.03)
                )
                canvas.rectangle(0, 0, 640, -480, black)
                // Bars that begin at odd columns and rows, and such that lie across.
                for bar in 0..<8 {
                    let x = 21.0 + 40 * Double(bar)
                    canvas.rectangle(x, -21, x + 19, -201, white)
                    canvas.fill([(x, -241), (x + 19, -241), (x + 57, -441), (x + 38, -441)], white)
                }
                return FakeScene(
                    light: SceneLight(lux: 1000, kelvin: 5000),
                    backdrop: [PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: 1)])
            }
            bench.profile.sensor.fullWell = 200_000
            bench.profile.sensor.readNoise = 0
            bench.state.lensPosition = Optics.lensPosition(of: bench.profile.lens, distance: 1)
            bench.expose(seconds: seconds, iso: 50)
            bench.take()
            let most = (0..<240).flatMap { bench.bytes(plane: 1, row: $0) }.map { abs(Int($0) - 128) }.max() ?? 0
            XCTAssertLessThanOrEqual(most, 6, "\(seconds) s")
        }
    }
}
