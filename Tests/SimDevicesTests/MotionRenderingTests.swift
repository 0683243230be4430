import XCTest

@testable import SimDevices

/// Measures the motion blur of moving layers.
final class MotionRenderingTests: XCTestCase {
    /// Creates a renderer of a white card of 100x200 pixels that moves on black at `speed` pixels per second.
    private func card(speed: Double) throws -> RenderingFixture {
        let fixture = try RenderingFixture { view in
            FakeScene(
                backdrop: [
                    PlacedLayer(
                        bitmap: FakeScene.card(0, width: view.width, height: view.height), x: 0, y: 0, depth: 5)
                ],
                moving: [
                    PlacedLayer(
                        bitmap: FakeScene.card(0.9, width: 100, height: 200), x: 260, y: 140, depth: 5, speed: speed)
                ])
        }
        fixture.profile.sensor.fullWell = 200_000
        fixture.profile.sensor.readNoise = 0
        // Disable the skew of the rolling shutter.
        fixture.profile.sensor.readoutSeconds = 0
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 5)
        return fixture
    }

    /// Returns the light of each column relative to the card's.
    private func profile(_ fixture: RenderingFixture) -> [Double] {
        fixture.render()
        let light = (0..<640).map { x in fixture.statistics(x: x..<x + 1, y: 200..<280).mean }
        let most = light.max() ?? 1
        return light.map { $0 / most }
    }

    /// Returns the positions of 10 % and 90 % of the light at the card's left edge.
    private func edge(_ profile: [Double]) -> (start: Double, end: Double) {
        func crossing(_ level: Double) -> Double {
            guard let x = profile.indices.dropFirst().first(where: { profile[$0] >= level }) else { return 0 }
            return Double(x) + 0.5 - (profile[x] - level) / (profile[x] - profile[x - 1])
        }
        return (crossing(0.1), crossing(0.9))
    }

    func testTheBlurLengthIsTheDistanceMovedDuringTheExposure() throws {
        for speed in [2400.0, -2400, 1200] {
            for seconds in [0.01, 0.02] {
                let fixture = try card(speed: speed)
                fixture.expose(seconds: seconds, iso: 0.35 / seconds)
                let profile = profile(fixture)
                let distance = speed * seconds
                let (start, end) = edge(profile)
                XCTAssertEqual((end - start) / 0.8 / abs(distance), 1, accuracy: 0.1, "\(speed) px/s, \(seconds) s")
                // The blur extends from the position at the start of the exposure to that at its end.
                XCTAssertEqual((start + end) / 2, 260 + distance / 2, accuracy: 1)
                // The total light is preserved.
                XCTAssertEqual(profile.reduce(0, +), 100, accuracy: 1.5)
            }
        }
    }

    func testSlowLayersStaySharp() throws {
        let fixture = try card(speed: 90)
        fixture.expose(seconds: 0.02, iso: 17)
        let (start, end) = edge(profile(fixture))
        XCTAssertLessThan(end - start, 1)
        XCTAssertEqual((start + end) / 2, 260, accuracy: 0.6)
    }

    func testMovingLayersOutOfFocusHaveBothBlurs() throws {
        let fixture = try card(speed: 2400)
        fixture.expose(seconds: 0.01, iso: 35)
        let sharp = edge(profile(fixture))
        XCTAssertLessThan(fixture.light(320, 342), 0.003)
        fixture.state.lensPosition = 0
        let soft = edge(profile(fixture))
        XCTAssertGreaterThan(soft.end - soft.start, sharp.end - sharp.start + 0.09)
        // The rows beyond the card are only lit by defocus.
        XCTAssertGreaterThan(fixture.light(320, 342), 0.015)
        XCTAssertEqual((soft.start + soft.end) / 2, (sharp.start + sharp.end) / 2, accuracy: 1)
    }

    /// With `rowPairs`, layers are composed in linear light. Without it, the renderer uses the cache of layers
    /// converted to codes.
    func testCachedLayersMatchTheirCompositionInLinearLight() throws {
        for (seconds, focus) in [(0.0002, 12.0), (0.004, 12.0), (0.0002, 0.5)] {
            let fixture = try RenderingFixture(size: (1280, 720)) { StreetScene(view: $0, seed: 1) }
            fixture.expose(seconds: seconds, iso: 0.05 / seconds)
            fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: focus)
            for time in [Int64(1_000_000_000), 2_300_000_000] {
                fixture.render(at: time, rowPairs: [UInt8](repeating: 1, count: 360))
                let light = (0..<720).map { fixture.bytes(plane: 0, row: $0) }
                let chroma = (0..<360).map { fixture.bytes(plane: 1, row: $0) }
                fixture.render(at: time)
                var (lumaCount, chromaCount, most) = (0, 0, 0)
                for row in 0..<720 {
                    for (a, b) in zip(light[row], fixture.bytes(plane: 0, row: row)) where a != b {
                        lumaCount += abs(Int(a) - Int(b)) > 2 ? 1 : 0
                        most = max(most, abs(Int(a) - Int(b)))
                    }
                }
                for row in 0..<360 {
                    for (a, b) in zip(chroma[row], fixture.bytes(plane: 1, row: row)) where abs(Int(a) - Int(b)) > 2 {
                        chromaCount += 1
                    }
                }
                // Soft edges that are blended as codes differ, and so do blocks that a moving layer partly covers.
                let name = "\(seconds) s, focus at \(focus) m, \(time) ns"
                XCTAssertLessThan(lumaCount, 1280 * 720 / 100, name)
                XCTAssertLessThan(chromaCount, 1280 * 360 / 100, name)
                XCTAssertLessThan(most, 64, name)
            }
        }
    }
}
