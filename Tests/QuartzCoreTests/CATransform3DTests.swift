import Foundation
import MediaTypes
import XCTest

@testable import QuartzCore

final class CATransform3DTests: XCTestCase {
    private func transformed(_ point: CGPoint, _ transform: CATransform3D) -> CGPoint {
        point.applying(CATransform3DGetAffineTransform(transform))
    }

    func testARotationAboutZIsATwoDimensionalRotation() {
        let rotation = CATransform3DMakeRotation(.pi / 6, 0, 0, 2)
        let affineRotation = CGAffineTransform(rotationAngle: .pi / 6)
        let (a, b) = (transformed(CGPoint(x: 3, y: 1), rotation), CGPoint(x: 3, y: 1).applying(affineRotation))
        XCTAssertEqual(a.x, b.x, accuracy: 1e-12)
        XCTAssertEqual(a.y, b.y, accuracy: 1e-12)
        XCTAssertTrue(CATransform3DIsAffine(rotation))
        XCTAssertFalse(CATransform3DIsAffine(CATransform3DMakeRotation(1, 1, 0, 0)))
        XCTAssertTrue(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
    }

    func testAddedTransformsAreAppliedFirst() {
        var transform = CATransform3DMakeTranslation(10, 0, 0)
        transform = CATransform3DScale(transform, 2, 2, 1)
        XCTAssertEqual(transformed(CGPoint(x: 1, y: 1), transform), CGPoint(x: 12, y: 2))
        transform = CATransform3DConcat(transform, CATransform3DMakeScale(3, 1, 1))
        XCTAssertEqual(transformed(CGPoint(x: 1, y: 1), transform), CGPoint(x: 36, y: 2))
        let translation = CATransform3DTranslate(CATransform3DIdentity, 1, 2, 3)
        XCTAssertTrue(
            CATransform3DEqualToTransform(translation, CATransform3DMakeTranslation(1, 2, 3)), "\(translation)")
        XCTAssertFalse(CATransform3DEqualToTransform(translation, CATransform3DMakeTranslation(1, 2, 4)))
        XCTAssertEqual(transformed(.zero, CATransform3DRotate(transform, 1, 0, 0, 1)), CGPoint(x: 30, y: 0))
    }

    func testARotationAboutTheDiagonalPermutesTheAxes() {
        let rotation = CATransform3DMakeRotation(2 * .pi / 3, 1, 1, 1)
        // x becomes y.
        XCTAssertEqual(rotation.m11, 0, accuracy: 1e-12)
        XCTAssertEqual(rotation.m12, 1, accuracy: 1e-12)
        XCTAssertEqual(rotation.m23, 1, accuracy: 1e-12)
        XCTAssertEqual(rotation.m31, 1, accuracy: 1e-12)
    }

    func testTheMediaTimeIsThatOfTheHostClock() {
        let before = CMClockGetTime(CMClockGetHostTimeClock()).seconds
        XCTAssertGreaterThanOrEqual(CACurrentMediaTime(), before)
    }
}
