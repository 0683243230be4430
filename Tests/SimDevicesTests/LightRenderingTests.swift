import CaptureHAL
import Foundation
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

/// Measures the effect of light on frames.
final class LightRenderingTests: XCTestCase {
    private func card(_ reflectance: Double = 0.18, light: SceneLight) throws -> RenderingFixture {
        try RenderingFixture(light: light) { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(reflectance, width: view.width, height: view.height), x: 0, y: 0, depth: 1)
            ])
        }
    }

    func testTorchLightDecreasesWithTheSquareOfTheDistance() throws {
        let depths = [0.5, 1, 2, 4]
        let fixture = try RenderingFixture(light: SceneLight(lux: 0, kelvin: 5000)) { view in
            let wall = PlacedLayer(
                bitmap: FakeScene.card(0.18, width: view.width, height: view.height), x: 0, y: 0, depth: depths[3])
            let cards = depths.prefix(3).reversed().map { depth in
                PlacedLayer(
                    bitmap: FakeScene.card(0.18, width: 100, height: 480), x: Int(depth * 200), y: 0, depth: depth)
            }
            return FakeScene(backdrop: [wall] + cards)
        }
        fixture.state.lamps.torch = 1
        // With everything in focus, only the light differs.
        fixture.profile.lens.minimumFocusDistanceMillimeters = nil
        fixture.expose(seconds: 0.01, iso: 50)
        fixture.render()
        let near = fixture.statistics(x: 120..<180, y: 100..<400).mean
        XCTAssertGreaterThan(near, 0.05)
        for depth in depths.dropFirst() {
            let x = depth == 4 ? 20 : Int(depth * 200) + 20
            let measured = fixture.statistics(x: x..<x + 60, y: 200..<400).mean
            XCTAssertEqual(measured / near, 0.25 / (depth * depth), accuracy: 0.02 * 0.25 / (depth * depth) + 0.0005)
        }
        fixture.state.lamps.torch = 0.5
        XCTAssertEqual(fixture.render(at: 1).statistics(x: 120..<180, y: 100..<400).mean / near, 0.5, accuracy: 0.01)
    }

    /// Returns the greatest difference between bands of ten rows, relative to the mean.
    private func banding(_ fixture: RenderingFixture, seconds: Double) -> Double {
        fixture.expose(seconds: seconds, iso: 0.5 / seconds)
        var strongest = 0.0
        for time in [0, 3_333_333, 33_333_333] as [Int64] {
            fixture.render(at: time)
            let rows = stride(from: 0, to: 480, by: 10).map {
                fixture.statistics(x: 0..<640, y: $0..<$0 + 10).mean
            }
            let mean = rows.reduce(0, +) / Double(rows.count)
            strongest = max(strongest, ((rows.max() ?? 0) - (rows.min() ?? 0)) / mean)
        }
        return strongest
    }

    func testFlickerBandsVanishWhenTheExposureIsAMultipleOfThePeriod() throws {
        let lamp = SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.3))
        let fixture = try card(light: lamp)
        let (banded, steady) = (banding(fixture, seconds: 1.0 / 240), banding(fixture, seconds: 1.0 / 100))
        XCTAssertGreaterThan(banded, 0.3)
        XCTAssertLessThan(steady, 0.03)
        XCTAssertLessThan(banding(fixture, seconds: 1.0 / 50), 0.03)
        XCTAssertGreaterThan(banding(fixture, seconds: 1.0 / 60), 0.06)
        let lamp60Hz = try card(
            light: SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 60, depth: 0.3)))
        XCTAssertLessThan(banding(lamp60Hz, seconds: 1.0 / 120), 0.03)
        XCTAssertGreaterThan(banding(lamp60Hz, seconds: 1.0 / 100), 0.06)
    }

    func testFlickerBandsFollowTheRollingShutter() throws {
        let lamp = SceneLight(lux: 400, kelvin: 4000, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.3))
        let fixture = try card(light: lamp)
        fixture.expose(seconds: 0.0005, iso: 1000)
        fixture.render()
        // A period of 10 ms equals the readout time: the light of row y is 1 + 0.3 cos(2π y / 480).
        let mean = fixture.statistics(x: 0..<640, y: 0..<480).mean
        for row in stride(from: 20, to: 480, by: 40) {
            let measured = fixture.statistics(x: 0..<640, y: row - 4..<row + 4).mean
            let middle = (Double(row) / 480 + 0.025) * 2 * Double.pi
            XCTAssertEqual(measured / mean, 1 + 0.3 * cos(middle), accuracy: 0.03, "row \(row)")
        }
    }

    func testAutomaticWhiteBalanceMakesAGrayCardNeutral() throws {
        for kelvin in [2800.0, 4000, 6500] {
            let fixture = try SimDeviceFixture(light: SceneLight(lux: 500, kelvin: kelvin))
            // Start far from the right color temperature.
            try fixture.device.set(.whiteBalanceTemperature, to: .number(kelvin > 5000 ? 2800 : 7500))
            try fixture.device.set(.whiteBalanceMode, to: .integer(ControlMode.continuousAuto.rawValue))
            try fixture.start()
            for _ in 0..<120 {
                fixture.clear()
                fixture.clock.advance(by: .nanoseconds(33_333_334))
            }
            XCTAssertEqual(try fixture.device.value(of: .whiteBalanceAdjusting), .flag(false))
            let mean = try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertLessThan(difference(mean), 3, "\(kelvin) K: \(mean)")
        }
    }

    /// Returns the CIE 1976 ΔE between the chart's patches and their rendering, for the color temperatures `kelvin` of
    /// the light and `balance` of the white balance.
    private func patchErrors(camera: String, kelvin: Double, balance: Double) throws -> [Double] {
        let fixture = try RenderingFixture(
            camera: camera, size: (960, 540), light: SceneLight(lux: 1000, kelvin: kelvin)
        ) {
            ChartScene(view: $0)
        }
        fixture.profile.lens.minimumFocusDistanceMillimeters = nil
        fixture.profile.lens.aperture = 1.78
        _ = fixture.state.set(.whiteBalanceTemperature, to: .number(balance))
        // A perfect diffuser has 80 % of saturation.
        fixture.expose(
            seconds: 0.8 / Optics.saturationFraction(lux: 1000, seconds: 1, iso: 50, aperture: 1.78), iso: 50)
        fixture.render()
        return ChartScene.patches.enumerated().map { index, patch in
            let frame = ChartScene.patchFrame(index)
            func span(_ begin: Double, _ length: Double, _ pixels: Int) -> Range<Int> {
                let first = Int((begin + length / 4) * Double(pixels))
                return first..<first + Int(length / 2 * Double(pixels))
            }
            let measured = fixture.lab(x: span(frame.x, frame.width, 960), y: span(frame.y, frame.height, 540))
            // If red is the sensor's strongest channel, its gain is 1.
            let white = 0.8 * fixture.state.gains.green
            let expected = RenderingFixture.lab(
                red: patch.red * white, green: patch.green * white, blue: patch.blue * white)
            let (l, a, b) = (measured.l - expected.l, measured.a - expected.a, measured.b - expected.b)
            return (l * l + a * a + b * b).squareRoot()
        }
    }

    func testTheColorMatrixRestoresThePatchesAtEachColorTemperature() throws {
        for camera in ["back-wide", "back-ultra-wide"] {
            for kelvin in [3000.0, 4000, 5000, 6504] {
                let errors = try patchErrors(camera: camera, kelvin: kelvin, balance: kelvin)
                let mean = errors.reduce(0, +) / Double(errors.count)
                XCTAssertLessThan(mean, 1.5, "\(camera) at \(kelvin) K: \(errors)")
                XCTAssertLessThan(errors.max() ?? 0, 4, "\(camera) at \(kelvin) K: \(errors)")
            }
        }
        // With the white balance of another light, all colors are wrong.
        let errors = try patchErrors(camera: "back-wide", kelvin: 4000, balance: 6500)
        XCTAssertGreaterThan(errors.reduce(0, +) / Double(errors.count), 8)
    }

    func testTheColorMatrixIncreasesNoise() throws {
        /// Returns the variance of Cr on a gray card.
        func variance(_ crosstalk: ColorMatrix?) throws -> Double {
            let fixture = try card(light: SceneLight(lux: 1000, kelvin: 5000))
            if let crosstalk {
                (fixture.profile.sensor.crosstalkA, fixture.profile.sensor.crosstalkD65) = (crosstalk, crosstalk)
                fixture.state = CameraState(
                    profile: fixture.profile, light: SceneLight(lux: 1000, kelvin: 5000), subjectDistance: 1)
                _ = fixture.state.set(.whiteBalanceTemperature, to: .number(5000))
            }
            fixture.expose(seconds: 0.3 / 1600, iso: 1600)
            return fixture.render().crVariance(x: 0..<640, y: 100..<480)
        }
        let (pure, mixed) = (try variance(.identity), try variance(nil))
        XCTAssertGreaterThan(mixed / pure, 1.3)
        XCTAssertLessThan(mixed / pure, 4)
    }

    /// Returns the CIE 1976 ΔE between a video-range color and the gray of the same luma, for D65.
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
        let (measured, gray) = (lab(color.cb, color.cr), lab(0, 0))
        let (l, a, b) = (measured.0 - gray.0, measured.1 - gray.1, measured.2 - gray.2)
        return (l * l + a * a + b * b).squareRoot()
    }

    func testAutomaticExposureReachesItsTargetOrReportsTheOffset() throws {
        for lux in [1.0, 5, 20, 100, 1000, 5000, 20000] {
            let fixture = try SimDeviceFixture(light: SceneLight(lux: lux, kelvin: 5000))
            try fixture.device.set(.exposureDuration, to: .number(1.0 / 200))
            try fixture.device.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
            try fixture.start()
            for _ in 0..<60 {
                fixture.clear()
                fixture.clock.advance(by: .nanoseconds(33_333_334))
            }
            XCTAssertEqual(try fixture.device.value(of: .exposureAdjusting), .flag(false), "\(lux) lx")
            let frame = try XCTUnwrap(fixture.frames.last)
            let error = log2(linear(try frame.buffer.mean(0.3, 0.3, 0.4, 0.4).y) / AutoExposure.target)
            guard case .number(let offset) = try fixture.device.value(of: .exposureOffset) else {
                return XCTFail("no offset")
            }
            if abs(error) > 1.0 / 6 {
                // The exposure is at its maximum for this frame rate; the offset reports the remaining difference in
                // EV.
                XCTAssertEqual(frame.settings.iso, 6400, "\(lux) lx")
                XCTAssertLessThan(lux, 10)
                // Noise is clipped at black, which raises the metered mean slightly.
                XCTAssertEqual(offset, error, accuracy: 0.4)
            } else {
                XCTAssertEqual(offset, error, accuracy: 0.15)
            }
        }
    }

    /// Returns the linear colors of a card, 1 at saturation. Each exposure is a factor of the exposure at which a white
    /// surface saturates.
    private func colors(_ reflectance: (Double, Double, Double), _ factors: [Double]) throws -> [[Double]] {
        let fixture = try RenderingFixture(light: SceneLight(lux: 1000, kelvin: 5000)) { view in
            let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
            canvas.rectangle(
                0, 0, 640, -480, SceneCanvas.Color(linear: reflectance.0, reflectance.1, reflectance.2))
            return FakeScene(backdrop: [PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: 1)])
        }
        let unit = Optics.saturationFraction(lux: 1000, seconds: 1, iso: 50, aperture: fixture.profile.lens.aperture)
        return factors.enumerated().map { index, factor in
            fixture.expose(seconds: factor / unit / fixture.state.gains.green, iso: 50)
            fixture.render(at: Int64(index))
            return fixture.means(x: 100..<540, y: 100..<380).map(RenderingFixture.linear)
        }
    }

    /// Returns the difference of the greatest and the least channel relative to the greatest.
    private func saturation(_ color: [Double]) -> Double {
        ((color.max() ?? 0) - (color.min() ?? 0)) / (color.max() ?? 1)
    }

    func testHighlightsFadeToWhite() throws {
        let factors = [0.6, 1.0, 1.4, 1.8, 2.2, 2.6, 3.4, 6]
        for card in [(0.35, 0.7, 0.3), (0.3, 0.65, 0.55), (0.7, 0.6, 0.2), (0.75, 0.2, 0.15)] {
            let saturations = try colors(card, factors).map(saturation)
            let cardSaturation = saturation([card.0, card.1, card.2])
            XCTAssertEqual(saturations[0], cardSaturation, accuracy: 0.05, "\(card)")
            for (before, after) in zip(saturations, saturations.dropFirst()) {
                XCTAssertLessThan(after, before + 0.01, "\(card): \(saturations)")
            }
            XCTAssertLessThan(saturations[7], 0.02, "\(card): \(saturations)")
        }
        // Leaves one and a half times as bright as saturation are nearly white, not mint.
        XCTAssertLessThan(saturation(try colors((0.35, 0.7, 0.3), [2.2])[0]), 0.12)
        // A brake light keeps its color longer.
        XCTAssertGreaterThan(saturation(try colors((0.75, 0.2, 0.15), [1.8])[0]), 0.35)
    }

    func testDimWarmLightIsRenderedNeutralOrWarm() throws {
        for scene in [SimScene.grey, .portrait] {
            let fixture = try SimDeviceFixture(scene: scene, light: SceneLight(lux: 20, kelvin: 2700))
            let last = Lock<CVPixelBuffer?>(nil)
            try fixture.start(keeping: false) { event in
                if case .video(let frame) = event { last.withLock { $0 = try? frame.buffer } }
            }
            fixture.clock.advance(by: .seconds(2))
            let buffer = try XCTUnwrap(last.withLock { $0 })
            // A gray card, and the wall to the right of the painting.
            let seen = scene == .grey ? buffer.mean(0.3, 0.3, 0.4, 0.4) : buffer.mean(0.6, 0.05, 0.1, 0.2)
            let (red, green, blue) = (1.5748 * seen.cr, -0.1873 * seen.cb - 0.4681 * seen.cr, 1.8556 * seen.cb)
            XCTAssertGreaterThan(red - green, -1, "\(scene): \(seen)")
            XCTAssertGreaterThan(green - blue, -1, "\(scene): \(seen)")
            XCTAssertGreaterThan(red - green, 0.2 * (green - blue) - 1, "olive: \(scene): \(seen)")
            XCTAssertLessThan(red - blue, 40, "\(scene): \(seen)")
        }
    }

    func testChangesOfTheLightAreRendered() throws {
        let dusk = SceneLight(
            lux: 1000, kelvin: 5500, changes: [SceneLight.Change(seconds: 10, lux: 100, kelvin: 3000)])
        XCTAssertEqual(dusk.at(nanoseconds: 5_000_000_000).lux, 550)
        XCTAssertEqual(dusk.at(nanoseconds: 5_000_000_000).kelvin, 4250)
        XCTAssertEqual(dusk.at(nanoseconds: 20_000_000_000).lux, 100)
        let fixture = try card(
            light: SceneLight(
                lux: 1000, kelvin: 5500, changes: [SceneLight.Change(seconds: 10, lux: 100, kelvin: 5500)]))
        fixture.expose(seconds: 0.005, iso: 50)
        let before = fixture.render().statistics(x: 0..<640, y: 100..<400).mean
        let after = fixture.render(at: 15_000_000_000).statistics(x: 0..<640, y: 100..<400).mean
        XCTAssertEqual(after / before, 0.1, accuracy: 0.003)
    }

    /// Blocks of 2x2 pixels on an edge between white and black have no color, even if some pixels are clipped or the
    /// edge is out of focus.
    func testGrayEdgesHaveNoColor() throws {
        for (seconds, focus) in [
            (0.001, 1.0), (0.004, 1), (0.016, 1), (0.06, 1), (0.004, 0.9), (0.004, 0.8), (0.004, 0.7), (0.004, 0.5),
        ] {
            let fixture = try RenderingFixture(light: SceneLight(lux: 1000, kelvin: 5000)) { view in
                let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
                let (white, black) = (
                    SceneCanvas.Color(linear: 0.9, 0.9, 0.9), SceneCanvas.Color(linear: 0.03, 0.03, 0.03)
                )
                canvas.rectangle(0, 0, 640, -480, black)
                // Bars that start at odd columns and rows, and diagonal bars.
                for bar in 0..<8 {
                    let x = 21.0 + 40 * Double(bar)
                    canvas.rectangle(x, -21, x + 19, -201, white)
                    canvas.fill([(x, -241), (x + 19, -241), (x + 57, -441), (x + 38, -441)], white)
                }
                return FakeScene(
                    light: SceneLight(lux: 1000, kelvin: 5000),
                    backdrop: [PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: 1)])
            }
            fixture.profile.sensor.fullWell = 200_000
            fixture.profile.sensor.readNoise = 0
            fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: focus)
            fixture.expose(seconds: seconds, iso: 50)
            fixture.render()
            let maximumChroma =
                (0..<240).flatMap { fixture.bytes(plane: 1, row: $0) }.map { abs(Int($0) - 128) }.max() ?? 0
            XCTAssertLessThanOrEqual(maximumChroma, 6, "\(seconds) s, focus at \(focus) m")
        }
    }

    /// Red and blue of a block of 2x2 pixels are composed from the same layers as its green, even if an edge crosses
    /// the block.
    func testEdgesOfLayersHaveNoColor() throws {
        let light = SceneLight(lux: 200, kelvin: 5000)
        for isMoving in [false, true] {
            for (x, seconds) in [(0, 0.001), (1, 0.001), (1, 0.004), (2, 0.004)] {
                let fixture = try RenderingFixture(light: light) { view in
                    let canvas = SceneCanvas(width: 400, height: 300, scale: 1, originX: 0, originY: 0)
                    let gray = SceneCanvas.Color(linear: 0.3, 0.3, 0.3)
                    // Rectangles with edges at odd and at fractional positions, and a diagonal bar.
                    canvas.rectangle(11, -11, 101, -100, gray)
                    canvas.rectangle(120, -12, 200.4, -101, gray)
                    canvas.rectangle(220.3, -11.6, 301, -100.7, gray)
                    canvas.fill([(20, -141), (120, -141), (220, -281), (120, -281)], gray)
                    let card = PlacedLayer(bitmap: SceneBitmap(canvas), x: 100 + x, y: 90, depth: 2)
                    let window = PlacedLayer(
                        bitmap: FakeScene.card(0.8, width: view.width, height: view.height), x: 0, y: 0, depth: 60,
                        brightness: 50)
                    return FakeScene(
                        light: light, backdrop: isMoving ? [window] : [window, card], moving: isMoving ? [card] : [])
                }
                fixture.profile.lens.minimumFocusDistanceMillimeters = nil
                fixture.profile.sensor.fullWell = 200_000
                fixture.profile.sensor.readNoise = 0
                fixture.expose(seconds: seconds, iso: 50)
                fixture.render()
                let maximumChroma =
                    (0..<240).flatMap { fixture.bytes(plane: 1, row: $0) }.map { abs(Int($0) - 128) }.max() ?? 0
                XCTAssertLessThanOrEqual(maximumChroma, 6, "moving: \(isMoving), x \(x), \(seconds) s")
            }
        }
    }

    /// Two layers with a common edge inside a block of 2x2 pixels hide the layers behind them.
    func testAdjacentLayersHideTheLayersBehind() throws {
        let light = SceneLight(lux: 200, kelvin: 5000)
        let fixture = try RenderingFixture(light: light) { view in
            func half(_ rows: ClosedRange<Int>) -> PlacedLayer {
                let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
                canvas.rectangle(
                    0, -Double(rows.lowerBound), 640, -Double(rows.upperBound), SceneCanvas.Color(linear: 0.3, 0.3, 0.3)
                )
                return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: 2)
            }
            let window = PlacedLayer(
                bitmap: FakeScene.card(0.8, width: view.width, height: view.height), x: 0, y: 0, depth: 60,
                brightness: 50)
            return FakeScene(light: light, backdrop: [window, half(0...201), half(201...480)])
        }
        fixture.profile.lens.minimumFocusDistanceMillimeters = nil
        fixture.profile.sensor.fullWell = 200_000
        fixture.profile.sensor.readNoise = 0
        fixture.expose(seconds: 0.02, iso: 50)
        fixture.render()
        let card = fixture.luma(320, 100)
        for row in 196..<206 { XCTAssertEqual(fixture.luma(320, row), card, accuracy: 3, "row \(row)") }
        let maximumChroma = (0..<240).flatMap { fixture.bytes(plane: 1, row: $0) }.map { abs(Int($0) - 128) }.max() ?? 0
        XCTAssertLessThanOrEqual(maximumChroma, 3)
    }
}
