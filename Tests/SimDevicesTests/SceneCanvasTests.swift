import XCTest

@testable import SimDevices

final class SceneCanvasTests: XCTestCase {
    func testEllipsesOfAllSizesAreRound() {
        for radius in [4.0, 30, 120, 360] {
            let side = Int(2 * radius) + 20
            let canvas = SceneCanvas(
                width: side, height: side, scale: 2, originX: Double(side) / 2, originY: Double(side) / 2)
            canvas.ellipse(0, 0, radius / 2, radius / 2, SceneCanvas.Color(0xffffff))
            let coverage = UnsafeBufferPointer(start: canvas.raw.coverage, count: canvas.width * canvas.height)
            let area = coverage.reduce(0.0) { $0 + Double($1) / 255 }
            // A polygon of 40 edges has 0.4 % less.
            XCTAssertEqual(area / (Double.pi * radius * radius), 1, accuracy: radius < 100 ? 0.05 : 0.002, "\(radius)")
        }
    }
}
