import Foundation
import MediaTypes
import XCTest

final class CGAffineTransformTests: XCTestCase {
    func testConcatenationAppliesTheReceiverFirst() {
        let shiftThenScale = CGAffineTransform(translationX: 1, y: 2).concatenating(CGAffineTransform(scaleX: 3, y: 4))
        XCTAssertEqual(CGPoint(x: 1, y: 1).applying(shiftThenScale), CGPoint(x: 6, y: 12))
        let scaleThenShift = CGAffineTransform(translationX: 1, y: 2).scaledBy(x: 3, y: 4)
        XCTAssertEqual(CGPoint(x: 1, y: 1).applying(scaleThenShift), CGPoint(x: 4, y: 6))
    }

    func testAQuarterTurnMapsXToY() {
        let rotated = CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2))
        XCTAssertEqual(rotated.x, 0, accuracy: 1e-12)
        XCTAssertEqual(rotated.y, 1, accuracy: 1e-12)
    }

    func testThePortraitMatrixRotatesAnImage() {
        let portrait = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
        let image = CGRect(x: 0, y: 0, width: 1920, height: 1080)
        XCTAssertEqual(image.applying(portrait), CGRect(x: 0, y: 0, width: 1080, height: 1920))
        XCTAssertEqual(CGSize(width: 2, height: 1).applying(portrait), CGSize(width: -1, height: 2))
    }

    func testTheInverseRestoresThePoint() {
        let transform = CGAffineTransform(a: 2, b: 1, c: -1, d: 3, tx: 5, ty: 7)
        let point = CGPoint(x: 4, y: -9)
        let restored = point.applying(transform).applying(transform.inverted())
        XCTAssertEqual(restored.x, point.x, accuracy: 1e-12)
        XCTAssertEqual(restored.y, point.y, accuracy: 1e-12)
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        XCTAssertEqual(flat.inverted(), flat)
        XCTAssertTrue(CGAffineTransform.identity.isIdentity)
        XCTAssertTrue(CGRect.null.applying(transform).isNull)
    }
}
