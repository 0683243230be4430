import CaptureHAL
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

/// Measures the effect of the lens on frames.
final class FocusRenderingTests: XCTestCase {
    /// A bright dot of 2x2 pixels on black.
    private func dot(at depth: Double, camera: String, moving: Bool = false) throws -> RenderingFixture {
        let fixture = try RenderingFixture(camera: camera, size: (1280, 720)) { view in
            let black = PlacedLayer(
                bitmap: FakeScene.card(0, width: view.width, height: view.height), x: 0, y: 0, depth: depth)
            let lamp = PlacedLayer(
                bitmap: FakeScene.card(1, width: 2, height: 2), x: 640, y: 360, depth: depth, brightness: 250)
            return FakeScene(backdrop: moving ? [black] : [black, lamp], moving: moving ? [lamp] : [])
        }
        fixture.profile.sensor.fullWell = 200_000
        fixture.profile.sensor.readNoise = 0
        return fixture
    }

    /// Returns the radius of a uniform disc with the same second moment as the light around the center.
    private func measuredRadius(_ fixture: RenderingFixture) -> Double {
        fixture.render()
        var (sum, moment) = (0.0, 0.0)
        for y in 300..<424 {
            for x in 580..<704 {
                let light = fixture.light(x, y)
                let (dx, dy) = (Double(x) - 640.5, Double(y) - 360.5)
                sum += light
                moment += light * (dx * dx + dy * dy)
            }
        }
        // The dot itself has a second moment of a quarter of a square pixel on each axis.
        return (2 * (moment / sum - 0.5)).squareRoot()
    }

    func testTheCircleOfConfusionFollowsTheThinLensEquation() throws {
        for (camera, depth, positions) in [
            ("back-wide", 4.0, [0.0, 0.3, 0.5, 0.7]), ("back-wide", 0.25, [0.75, 1]),
            ("back-telephoto", 3, [0, 0.4, 1]),
        ] {
            for moving in [false, true] {
                for position in positions {
                    let fixture = try dot(at: depth, camera: camera, moving: moving)
                    let lens = fixture.profile.lens
                    fixture.state.lensPosition = position
                    // The diameter of the circle of confusion is A f |d - s| / (d (s - f)), with the aperture diameter
                    // A, the focal length f, the distance d and the focus distance s, all in meters.
                    let focal = lens.focalLengthMillimeters / 1000
                    let near = try XCTUnwrap(lens.minimumFocusDistanceMillimeters) / 1000
                    let focus = position < 1 ? near / (1 - position) : 1e9
                    let diameter = focal * focal / lens.aperture * abs(depth - focus) / (depth * (focus - focal))
                    let radius = diameter / 2 * 1280 / (0.036 / lens.equivalentFocalLengthMillimeters * 1000 * focal)
                    // Bright enough to be measured, but not clipped.
                    fixture.expose(seconds: 0.001 * min(1, radius * radius / 30), iso: 50)
                    XCTAssertEqual(
                        measuredRadius(fixture) / radius, 1, accuracy: 0.1,
                        "\(camera) at \(depth), \(position), \(moving)")
                }
            }
        }
    }

    func testSharpnessPeaksAtTheFocusDistance() throws {
        let fixture = try RenderingFixture(size: (1280, 720)) { ChartScene(view: $0) }
        fixture.expose(seconds: 0.012, iso: 50)
        let peak = Optics.lensPosition(of: fixture.profile.lens, distance: ChartScene.depth)
        XCTAssertEqual(peak, 1 - 0.2 / 1.5, accuracy: 1e-9)
        var sharpness: [(position: Double, mtf50: Double)] = []
        for step in -20...6 {
            let position = peak + Double(step) / 50
            fixture.state.lensPosition = position
            fixture.render()
            sharpness.append((position, SlantedEdge.mtf50(fixture)))
        }
        let best = sharpness.map(\.mtf50).max() ?? 0
        // Within a pixel of blur, sharpness is at its maximum.
        let plateau = sharpness.filter { $0.mtf50 > 0.98 * best }.map(\.position)
        XCTAssertEqual(
            ((plateau.min() ?? 0) + (plateau.max() ?? 0)) / 2, peak, accuracy: 0.021, "\(sharpness)")
        XCTAssertGreaterThan(best, 2 * (sharpness.first?.mtf50 ?? 1))
        // Sharpness decreases on both sides.
        for index in sharpness.indices.dropFirst() {
            let (before, after) = (sharpness[index - 1], sharpness[index])
            if after.position < peak - 0.05 { XCTAssertLessThan(before.mtf50, after.mtf50 * 1.02) }
            if before.position > peak + 0.05 { XCTAssertGreaterThan(before.mtf50, after.mtf50 * 0.98) }
        }
    }

    func testAutomaticFocusEndsAtThePeak() throws {
        let fixture = try SimDeviceFixture(scene: .chart, size: (1280, 720))
        try fixture.device.set(.lensPosition, to: .number(0.3))
        XCTAssertEqual(try fixture.device.value(of: .focusMode), .integer(ControlMode.custom.rawValue))
        try fixture.start(keeping: false)
        fixture.clock.advance(by: .milliseconds(100))
        try fixture.device.set(.focusMode, to: .integer(ControlMode.auto.rawValue))
        XCTAssertEqual(try fixture.device.value(of: .focusAdjusting), .flag(true))
        var count = 0
        while try fixture.device.value(of: .focusAdjusting) == .flag(true), count < 90 {
            fixture.clock.advance(by: .nanoseconds(33_333_334))
            count += 1
        }
        XCTAssertEqual(try fixture.device.value(of: .focusMode), .integer(ControlMode.locked.rawValue))
        guard case .number(let position) = try fixture.device.value(of: .lensPosition) else {
            return XCTFail("no position")
        }
        // The accuracy is one fine step.
        XCTAssertEqual(position, 1 - 0.2 / 1.5, accuracy: 1.0 / 48, "after \(count) frames")
    }

    func testTheBackgroundIsBlurredBehindASharpSubject() throws {
        let fixture = try RenderingFixture(size: (1280, 720)) { view in
            let stripes = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
            stripes.rectangle(
                0, 0, Double(view.width), -Double(view.height), SceneCanvas.Color(linear: 0.1, 0.1, 0.1))
            for x in stride(from: 0.0, to: Double(view.width), by: 8) {
                stripes.rectangle(x, 0, x + 4, -Double(view.height), SceneCanvas.Color(linear: 0.6, 0.6, 0.6))
            }
            let bitmap = SceneBitmap(stripes)
            let front = SceneCanvas(width: 640, height: 320, scale: 1, originX: 0, originY: 0)
            for x in stride(from: 0.0, to: 640, by: 8) {
                front.rectangle(x, 0, x + 4, -320, SceneCanvas.Color(linear: 0.6, 0.6, 0.6))
                front.rectangle(x + 4, 0, x + 8, -320, SceneCanvas.Color(linear: 0.1, 0.1, 0.1))
            }
            return FakeScene(backdrop: [
                PlacedLayer(bitmap: bitmap, x: 0, y: 0, depth: 8),
                PlacedLayer(bitmap: SceneBitmap(front), x: 320, y: 400, depth: 0.4),
            ])
        }
        fixture.expose(seconds: 0.003, iso: 50)
        func contrast(_ rows: Range<Int>) -> Double {
            let middle = (500..<700).flatMap { x in rows.map { fixture.light(x, $0) } }
            return (middle.max() ?? 0) - (middle.min() ?? 0)
        }
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 0.4)
        fixture.render()
        let (far, near) = (contrast(200..<220), contrast(500..<520))
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 8)
        fixture.render()
        XCTAssertLessThan(far, 0.5 * near)
        XCTAssertLessThan(contrast(500..<520), 0.5 * contrast(200..<220))
    }
}

/// The modulation transfer function of a slanted edge according to ISO 12233:2017, annex D.
enum SlantedEdge {
    /// Returns the frequency in cycles per pixel at which the contrast is half, at the left edge of the chart's black
    /// square.
    static func mtf50(_ fixture: RenderingFixture) -> Double {
        let (width, height) = (Double(fixture.view.width), Double(fixture.view.height))
        // The square's center is at 0.7 of the width and 0.82 of the height, and half its side is a tenth of the
        // height.
        let rows = Int(height * 0.77)..<Int(height * 0.87)
        let middle = Int(width * 0.7 - height * 0.1)
        let columns = middle - 32..<middle + 32
        // The position of the edge in each row is the centroid of the differences. Then fit a line.
        var edges: [Double] = []
        for row in rows {
            var (sum, moment) = (0.0, 0.0)
            for x in columns.dropLast() {
                let step = abs(fixture.light(x + 1, row) - fixture.light(x, row))
                let weight = step > 0.02 ? step : 0
                sum += weight
                moment += weight * (Double(x) + 0.5)
            }
            edges.append(sum > 0 ? moment / sum : Double(middle))
        }
        let count = Double(edges.count)
        let meanRow = (count - 1) / 2
        let meanEdge = edges.reduce(0, +) / count
        var (covariance, variance) = (0.0, 0.0)
        for (index, edge) in edges.enumerated() {
            covariance += (Double(index) - meanRow) * (edge - meanEdge)
            variance += (Double(index) - meanRow) * (Double(index) - meanRow)
        }
        let slope = covariance / variance
        // The edge profile, in quarters of a pixel.
        var sums = [Double](repeating: 0, count: 160)
        var counts = sums
        for (index, row) in rows.enumerated() {
            let edge = meanEdge + slope * (Double(index) - meanRow)
            for x in columns {
                let bin = Int(((Double(x) - edge) * 4).rounded(.down)) + 80
                guard sums.indices.contains(bin) else { continue }
                sums[bin] += fixture.light(x, row)
                counts[bin] += 1
            }
        }
        let profile = zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
        let spread = (20..<139).map { index in
            // A Hamming window suppresses noise far from the edge.
            let window = 0.54 + 0.46 * cos(Double.pi * (Double(index) - 79.5) / 60)
            return (profile[index + 1] - profile[index]) * window
        }
        func modulation(_ cycles: Double) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for (index, value) in spread.enumerated() {
                let phase = 2 * Double.pi * cycles * Double(index) / 4
                real += value * cos(phase)
                imaginary += value * sin(phase)
            }
            return (real * real + imaginary * imaginary).squareRoot()
        }
        let half = modulation(0) / 2
        let step = 0.005
        var (cycles, above) = (0.0, 2 * half)
        while cycles < 1 {
            let next = modulation(cycles + step)
            // Interpolate between two steps.
            if next <= half { return cycles + step * (above - half) / (above - next) }
            (cycles, above) = (cycles + step, next)
        }
        return cycles
    }
}
