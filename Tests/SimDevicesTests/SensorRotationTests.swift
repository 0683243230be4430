import CaptureHAL
import MediaTypes
import PixelKernels
import XCTest

@testable import SimDevices

/// Tests frames of a sensor that is rotated relative to the scene.
final class SensorRotationTests: XCTestCase {
    /// Returns the mean light of each block of 16x16 pixels in the central square of the frame, in the row order of the
    /// upright scene.
    private func blocks(
        _ rotation: PixelRotation, _ scene: SimScene, zoom: Double, exposure: Double
    ) throws -> [Double] {
        let fixture = try RenderingFixture(rotation: rotation) { view in
            scene.painted(for: view, seed: 1, startNanoseconds: 0)
        }
        fixture.state.zoom = zoom
        fixture.state.lensPosition = 0.4
        fixture.expose(seconds: exposure, iso: 100)
        fixture.render(at: 2_300_000_000)
        let (side, left, top) = (480, 80, 0)
        return (0..<side / 16).flatMap { row in
            (0..<side / 16).map { column -> Double in
                let corner = rotation.rotatedOrigin(
                    x: column * 16, y: row * 16, width: 16, height: 16, imageWidth: side, imageHeight: side)
                let (x, y) = (left + corner.x, top + corner.y)
                return fixture.statistics(x: x..<x + 16, y: y..<y + 16).mean
            }
        }
    }

    func testAFrameShowsTheSameSceneInEachOrientation() throws {
        for (scene, exposure) in [(SimScene.portrait, 1.0 / 50), (.backlight, 1.0 / 100)] {
            for zoom in [1, 1.7] {
                let level = try blocks(.none, scene, zoom: zoom, exposure: exposure)
                for rotation in [PixelRotation.clockwise90, .clockwise180, .clockwise270] {
                    let rotated = try blocks(rotation, scene, zoom: zoom, exposure: exposure)
                    let differences = zip(level, rotated).map { abs($0 - $1) }
                    let mean = differences.reduce(0, +) / Double(differences.count)
                    XCTAssertLessThan(mean, 0.01, "\(scene.name) \(rotation) \(zoom)")
                    let different = differences.filter { $0 > 0.1 }.count
                    XCTAssertLessThan(different, level.count / 100, "\(scene.name) \(rotation) \(zoom)")
                }
            }
        }
    }

    func testTheRotatedSensorReadsItsOwnRows() throws {
        // Flickering light causes bands along the sensor's rows.
        for rotation in PixelRotation.allCases {
            let fixture = try RenderingFixture(
                light: SceneLight(lux: 500, kelvin: 5000, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.9)),
                rotation: rotation
            ) { GreyScene(view: $0) }
            fixture.expose(seconds: 1.0 / 1000, iso: 400)
            fixture.render()
            let rows = (0..<30).map { fixture.statistics(x: 0..<640, y: $0 * 16..<$0 * 16 + 16).mean }
            let columns = (0..<40).map { fixture.statistics(x: $0 * 16..<$0 * 16 + 16, y: 0..<480).mean }
            XCTAssertGreaterThan((rows.max() ?? 0) / (rows.min() ?? 1), 2, "\(rotation)")
            XCTAssertLessThan((columns.max() ?? 0) / (columns.min() ?? 1), 1.1, "\(rotation)")
        }
    }
}
