import CaptureHAL
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

/// The effect of a variable aperture on frames, measured.
final class VariableApertureTests: XCTestCase {
    private static let stops = [1.48, 1.8, 2.8, 4]

    /// A bright dot of 2x2 pixels on black at 3 m, seen by a lens that is focused nearer.
    private func dot(aperture: Double, width: Int = 1280) throws -> RenderingFixture {
        let size = (width, width * 9 / 16)
        let fixture = try RenderingFixture(profile: "phone-variable-aperture", size: size) { view in
            let black = PlacedLayer(
                bitmap: FakeScene.card(0, width: view.width, height: view.height), x: 0, y: 0, depth: 3)
            let lamp = PlacedLayer(
                bitmap: FakeScene.card(1, width: 2, height: 2), x: width / 2, y: size.1 / 2, depth: 3,
                brightness: 250)
            return FakeScene(backdrop: [black, lamp])
        }
        fixture.profile.sensor.fullWell = 200_000
        fixture.profile.sensor.readNoise = 0
        fixture.state.lensPosition = 0
        fixture.expose(seconds: 0.002, iso: 50)
        _ = fixture.state.set(.lensAperture, to: .number(aperture))
        return fixture
    }

    func testTheCircleOfConfusionFollowsTheAperture() throws {
        for aperture in Self.stops {
            let fixture = try dot(aperture: aperture)
            let lens = fixture.profile.lens
            let focal = lens.focalLengthMillimeters / 1000
            let focus = try XCTUnwrap(lens.minimumFocusDistanceMillimeters) / 1000
            // A f |d - s| / (d (s - f)), with A = f / N; see FocusRenderingTests.
            let diameter = focal * focal / aperture * (3 - focus) / (3 * (focus - focal))
            let radius = diameter / 2 * 1280 / (0.036 / lens.equivalentFocalLengthMillimeters * 1000 * focal)
            fixture.expose(seconds: 0.001 * min(1, radius * radius / 30), iso: 50)
            _ = fixture.state.set(.lensAperture, to: .number(aperture))
            fixture.render()
            var (sum, moment) = (0.0, 0.0)
            for y in 300..<424 {
                for x in 580..<704 {
                    let (light, dx, dy) = (fixture.light(x, y), Double(x) - 640.5, Double(y) - 360.5)
                    sum += light
                    moment += light * (dx * dx + dy * dy)
                }
            }
            XCTAssertEqual((2 * (moment / sum - 0.5)).squareRoot() / radius, 1, accuracy: 0.05, "f/\(aperture)")
        }
    }

    func testTheBrightnessFollowsTheAreaOfTheAperture() throws {
        let fixture = try RenderingFixture(profile: "phone-variable-aperture") { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(0.5, width: view.width, height: view.height), x: 0, y: 0, depth: 3)
            ])
        }
        func mean(_ aperture: Double, seconds: Double) -> Double {
            fixture.expose(seconds: seconds, iso: 50)
            _ = fixture.state.set(.lensAperture, to: .number(aperture))
            return fixture.render().statistics(x: 200..<400, y: 200..<300).mean
        }
        let reference = mean(1.8, seconds: 0.004)
        XCTAssertGreaterThan(reference, 0.05)
        for aperture in Self.stops {
            let relative = (aperture / 1.8) * (aperture / 1.8)
            // Compensated by the time, within 0.05 stops.
            let stops = RepeatableMath.log2(mean(aperture, seconds: 0.004 * relative) / reference)
            XCTAssertEqual(stops, 0, accuracy: 0.05, "f/\(aperture)")
            let uncompensated = RepeatableMath.log2(mean(aperture, seconds: 0.004) * relative / reference)
            XCTAssertEqual(uncompensated, 0, accuracy: 0.05, "f/\(aperture)")
            XCTAssertEqual(try XCTUnwrap(fixture.state.settings.aperture), aperture, accuracy: 1e-9)
        }
    }

    func testHighlightsAreOctagonsBehindClosedBlades() throws {
        for (aperture, isRound) in [(1.48, true), (2.8, false)] {
            let fixture = try dot(aperture: aperture, width: 3840)
            fixture.render()
            // The distance of the border from the center, at half of the brightness in the middle.
            func reach(_ x: Double, _ y: Double) -> Double {
                let middle = fixture.light(1920, 1080)
                var distance = 0.0
                while distance < 60,
                    fixture.light(Int(1920.5 + x * distance), Int(1080.5 + y * distance)) > middle / 2
                {
                    distance += 0.25
                }
                return distance
            }
            XCTAssertGreaterThan(reach(1, 0), 14, "f/\(aperture)")
            // To a corner, and to the middle of a side: 1 / cos 22.5°.
            let ratio = reach(0.92388, 0.38268) / reach(1, 0)
            XCTAssertEqual(ratio, isRound ? 1 : 1.0824, accuracy: 0.045, "f/\(aperture)")
        }
    }

    func testDiffractionLimitsTheSharpnessOfASmallAperture() throws {
        func radius(_ aperture: Double) throws -> Double {
            let fixture = try dot(aperture: aperture)
            fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 3)
            return LensSetting(fixture.profile, fixture.state).blurRadius(depth: 3, width: 4032)
        }
        // Half of the light of the diffraction pattern is within 0.535 λ N: 1.18 µm at f/4, on pixels of 2.58 µm.
        XCTAssertEqual(try radius(4), 0.645, accuracy: 0.01)
        XCTAssertEqual(try radius(1.48), 0.239, accuracy: 0.01)
        // The resolution of a lens with a fixed aperture does not change.
        let phone = try RenderingFixture { _ in FakeScene(backdrop: []) }
        phone.state.lensPosition = Optics.lensPosition(of: phone.profile.lens, distance: 3)
        XCTAssertEqual(LensSetting(phone.profile, phone.state).blurRadius(depth: 3, width: 4032), 0, accuracy: 1e-9)
    }
}
