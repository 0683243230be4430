import Foundation
import MediaTypes
import XCTest

@testable import QuartzCore

final class CATransform3DTests: XCTestCase {
    private func moved(_ point: CGPoint, _ transform: CATransform3D) -> CGPoint {
        point.applying(CATransform3DGetAffineTransform(transform))
    }

    func testARotationAboutZIsThePlanesRotation() {
        let turned = CATransform3DMakeRotation(.pi / 6, 0, 0, 2)
        let plane = CGAffineTransform(rotationAngle: .pi / 6)
        let (a, b) = (moved(CGPoint(x: 3, y: 1), turned), CGPoint(x: 3, y: 1).applying(plane))
        XCTAssertEqual(a.x, b.x, accuracy: 1e-12)
        XCTAssertEqual(a.y, b.y, accuracy: 1e-12)
        XCTAssertTrue(CATransform3DIsAffine(turned))
        XCTAssertFalse(CATransform3DIsAffine(CATransform3DMakeRotation(1, 1, 0, 0)))
        XCTAssertTrue(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
    }

    func testWhatIsAddedComesFirst() {
        var transform = CATransform3DMakeTranslation(10, 0, 0)
        transform = CATransform3DScale(transform, 2, 2, 1)
        XCTAssertEqual(moved(CGPoint(x: 1, y: 1), transform), CGPoint(x: 12, y: 2))
        transform = CATransform3DConcat(transform, CATransform3DMakeScale(3, 1, 1))
        XCTAssertEqual(moved(CGPoint(x: 1, y: 1), transform), CGPoint(x: 36, y: 2))
        XCTAssertEqual(
            CATransform3DTranslate(CATransform3DIdentity, 1, 2, 3), CATransform3DMakeTranslation(1, 2, 3))
        XCTAssertEqual(moved(.zero, CATransform3DRotate(transform, 1, 0, 0, 1)), CGPoint(x: 30, y: 0))
    }

    func testThreeTurnsAboutTheDiagonalExchangeTheAxes() {
        let turned = CATransform3DMakeRotation(2 * .pi / 3, 1, 1, 1)
        // x goes to y.
        XCTAssertEqual(turned.m11, 0, accuracy: 1e-12)
        XCTAssertEqual(turned.m12, 1, accuracy: 1e-12)
        XCTAssertEqual(turned.m23, 1, accuracy: 1e-12)
        XCTAssertEqual(turned.m31, 1, accuracy: 1e-12)
    }

    func testTheMediaTimeIsTheHostClocks() {
        let before = CMClockGetTime(CMClockGetHostTimeClock()).seconds
        XCTAssertGreaterThanOrEqual(CACurrentMediaTime(), before)
    }
}
