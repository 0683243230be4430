import MediaTypes
import VectorGraphics
import XCTest

final class CGPathTests: XCTestCase {
    func testPathsReportTheirBounds() {
        let rect = CGRect(x: 1, y: 2, width: 10, height: 20)
        XCTAssertEqual(CGPath(rect: rect, transform: nil).boundingBox, rect)
        XCTAssertEqual(CGPath(ellipseIn: rect, transform: nil).boundingBoxOfPath, rect)
        XCTAssertTrue(CGMutablePath().boundingBox.isNull)
        var double = CGAffineTransform(scaleX: 2, y: 2)
        let scaled = CGPath(roundedRect: rect, cornerWidth: 3, cornerHeight: 3, transform: &double)
        XCTAssertEqual(scaled.boundingBox, CGRect(x: 2, y: 4, width: 20, height: 40))
    }

    func testAnEllipseBeginsAtItsRightAndGoesTowardTheLargestY() throws {
        let segments = CGPath(ellipseIn: CGRect(x: 1, y: 2, width: 10, height: 20), transform: nil).segments
        XCTAssertEqual(segments.map(\.start), [(11, 12), (6, 22), (1, 12), (6, 2)].map { CGPoint(x: $0, y: $1) })
        XCTAssertEqual(segments.last?.end, CGPoint(x: 11, y: 12))
        for segment in segments {
            let middle = segment.point(at: 0.5)
            XCTAssertEqual(hypot((middle.x - 6) / 5, (middle.y - 12) / 10), 1, accuracy: 1e-3)
        }
    }

    func testPathsContainPoints() {
        let path = CGMutablePath()
        path.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
        path.addEllipse(in: CGRect(x: 2, y: 2, width: 6, height: 6))
        XCTAssertTrue(path.contains(CGPoint(x: 5, y: 5)))
        XCTAssertFalse(path.contains(CGPoint(x: 5, y: 5), using: .evenOdd))
        XCTAssertTrue(path.contains(CGPoint(x: 2.2, y: 2.2), using: .evenOdd))
        XCTAssertFalse(path.contains(CGPoint(x: 11, y: 5)))
        let rounded = CGPath(
            roundedRect: CGRect(x: 0, y: 0, width: 10, height: 10), cornerWidth: 5, cornerHeight: 5, transform: nil)
        XCTAssertFalse(rounded.contains(CGPoint(x: 1, y: 1)))
        XCTAssertTrue(rounded.contains(CGPoint(x: 2, y: 2)))
    }

    func testArcsFollowTheirDirection() {
        func bounds(_ start: CGFloat, _ end: CGFloat, clockwise: Bool) -> CGRect {
            let path = CGMutablePath()
            path.addArc(center: .zero, radius: 10, startAngle: start, endAngle: end, clockwise: clockwise)
            return path.boundingBoxOfPath
        }
        let quarter = bounds(0, .pi / 2, clockwise: false)
        XCTAssertEqual(quarter.minX, 0, accuracy: 1e-6)
        XCTAssertEqual(quarter.maxY, 10, accuracy: 1e-6)
        XCTAssertEqual(quarter.minY, 0, accuracy: 1e-6)
        let clockwiseArc = bounds(0, .pi / 2, clockwise: true)
        XCTAssertEqual(clockwiseArc.minX, -10, accuracy: 0.05)
        XCTAssertEqual(clockwiseArc.minY, -10, accuracy: 0.05)
        XCTAssertEqual(bounds(0, 2 * .pi, clockwise: false).width, 20, accuracy: 0.05)
    }

    func testLinesContinueAfterTheEndOfASubpath() {
        let path = CGMutablePath()
        path.move(to: CGPoint(x: 1, y: 1))
        path.addLine(to: CGPoint(x: 5, y: 1))
        path.addQuadCurve(to: CGPoint(x: 5, y: 5), control: CGPoint(x: 8, y: 3))
        path.closeSubpath()
        XCTAssertEqual(path.currentPoint, CGPoint(x: 1, y: 1))
        let copy = path.copy()
        path.addLine(to: CGPoint(x: 0, y: 9))
        XCTAssertEqual(path.boundingBox.maxY, 9)
        XCTAssertEqual(copy?.boundingBox.maxY, 5)
        XCTAssertNotEqual(copy, path)
        XCTAssertEqual(path.boundingBoxOfPath.maxX, 6.5, accuracy: 0.01)
    }
}
