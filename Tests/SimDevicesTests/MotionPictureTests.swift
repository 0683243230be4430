import XCTest

@testable import SimDevices

/// Measures how far what moves is spread while light falls in.
final class MotionPictureTests: XCTestCase {
    /// A white card of 100x200 pixels that moves before black.
    private func card(speed: Double) throws -> PictureBench {
        let bench = try PictureBench { view in
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
        bench.profile.sensor.fullWell = 200_000
        bench.profile.sensor.readNoise = 0
        // Without the slant of a rolling readout.
        bench.profile.sensor.readoutSeconds = 0
        bench.state.lensPosition = Optics.lensPosition(of: bench.profile.lens, distance: 5)
        return bench
    }

    /// The light of each column in proportion to the card's.
    private func profile(_ bench: PictureBench) -> [Double] {
        bench.take()
        let light = (0..<640).map { x in bench.statistics(x: x..<x + 1, y: 200..<280).mean }
        let most = light.max() ?? 1
        return light.map { $0 / most }
    }

    /// From a tenth to nine tenths of the light, at the card's left edge.
    private func edge(_ profile: [Double]) -> (start: Double, end: Double) {
        func crossing(_ level: Double) -> Double {
            guard let x = profile.indices.dropFirst().first(where: { profile[$0] >= level }) else { return 0 }
            return Double(x) + 0.5 - (profile[x] - level) / (profile[x] - profile[x - 1])
        }
        return (crossing(0.1), crossing(0.9))
    }

    func testTheBlurIsAsLongAsTheWayDuringTheExposure() throws {
        for speed in [2400.0, -2400, 1200] {
            for seconds in [0.01, 0.02] {
                let bench = try card(speed: speed)
                bench.expose(seconds: seconds, iso: 0.35 / seconds)
                let profile = profile(bench)
                let way = speed * seconds
                let (start, end) = edge(profile)
                XCTAssertEqual((end - start) / 0.8 / abs(way), 1, accuracy: 0.1, "\(speed) px/s, \(seconds) s")
                // It begins where the card is at the start, and ends where it is at the end.
                XCTAssertEqual((start + end) / 2, 260 + way / 2, accuracy: 1)
                // No light is lost.
                XCTAssertEqual(profile.reduce(0, +), 100, accuracy: 1.5)
            }
        }
    }

    func testWhatHardlyMovesStaysSharp() throws {
        let bench = try card(speed: 90)
        bench.expose(seconds: 0.02, iso: 17)
        let (start, end) = edge(profile(bench))
        XCTAssertLessThan(end - start, 1)
        XCTAssertEqual((start + end) / 2, 260, accuracy: 0.6)
    }

    func testWhatMovesOutOfFocusIsSpreadBothWays() throws {
        let bench = try card(speed: 2400)
        bench.expose(seconds: 0.01, iso: 35)
        let sharp = edge(profile(bench))
        XCTAssertLessThan(bench.light(320, 342), 0.003)
        bench.state.lensPosition = 0
        let soft = edge(profile(bench))
        XCTAssertGreaterThan(soft.end - soft.start, sharp.end - sharp.start + 0.09)
        // The rows beyond the card's are lit by the disc of confusion alone.
        XCTAssertGreaterThan(bench.light(320, 342), 0.015)
        XCTAssertEqual((soft.start + soft.end) / 2, (sharp.start + sharp.end) / 2, accuracy: 1)
    }

    /// Rows that are formed by themselves are composed as light; those of a whole picture are put together from pieces that
    /// were developed before.
    func testPiecesThatAreKeptShowWhatLightWould() throws {
        for (seconds, focus) in [(0.0002, 12.0), (0.004, 12.0), (0.0002, 0.5)] {
            let bench = try PictureBench(size: (1280, 720)) { StreetScene(view: $0, seed: 1) }
            bench.expose(seconds: seconds, iso: 0.05 / seconds)
            bench.state.lensPosition = Optics.lensPosition(of: bench.profile.lens, distance: focus)
            for time in [Int64(1_000_000_000), 2_300_000_000] {
                bench.take(at: time, wanted: [UInt8](repeating: 1, count: 360))
                let light = (0..<720).map { bench.bytes(plane: 0, row: $0) }
                let colour = (0..<360).map { bench.bytes(plane: 1, row: $0) }
                bench.take(at: time)
                var (lumaCount, colourCount, most) = (0, 0, 0)
                for row in 0..<720 {
                    for (a, b) in zip(light[row], bench.bytes(plane: 0, row: row)) where a != b {
                        lumaCount += abs(Int(a) - Int(b)) > 2 ? 1 : 0
                        most = max(most, abs(Int(a) - Int(b)))
                    }
                }
                for row in 0..<360 {
                    for (a, b) in zip(colour[row], bench.bytes(plane: 1, row: row)) where abs(Int(a) - Int(b)) > 2 {
                        colourCount += 1
                    }
                }
                // Rims that are mixed in codes, and blocks of which a mover covers a part.
                let name = "\(seconds) s, focus at \(focus) m, \(time) ns"
                XCTAssertLessThan(lumaCount, 1280 * 720 / 100, name)
                XCTAssertLessThan(colourCount, 1280 * 360 / 100, name)
                XCTAssertLessThan(most, 64, name)
            }
        }
    }
}
