import Foundation
import MediaTypes
import XCTest

final class CGAffineTransformTests: XCTestCase {
    func testConcatenationAppliesTheFirstFirst() {
        let shiftThenScale = CGAffineTransform(translationX: 1, y: 2).concatenating(CGAffineTransform(scaleX: 3, y: 4))
        XCTAssertEqual(CGPoint(x: 1, y: 1).applying(shiftThenScale), CGPoint(x: 6, y: 12))
        let scaleThenShift = CGAffineTransform(translationX: 1, y: 2).scaledBy(x: 3, y: 4)
        XCTAssertEqual(CGPoint(x: 1, y: 1).applying(scaleThenShift), CGPoint(x: 4, y: 6))
    }

    func testAQuarterTurnMovesXOntoY() {
        let turned = CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2))
        XCTAssertEqual(turned.x, 0, accuracy: 1e-12)
        XCTAssertEqual(turned.y, 1, accuracy: 1e-12)
    }

    func testThePortraitMatrixTurnsThePicture() {
        let portrait = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
        let picture = CGRect(x: 0, y: 0, width: 1920, height: 1080)
        XCTAssertEqual(picture.applying(portrait), CGRect(x: 0, y: 0, width: 1080, height: 1920))
        XCTAssertEqual(CGSize(width: 2, height: 1).applying(portrait), CGSize(width: -1, height: 2))
    }

    func testInversionUndoes() {
        let transform = CGAffineTransform(a: 2, b: 1, c: -1, d: 3, tx: 5, ty: 7)
        let point = CGPoint(x: 4, y: -9)
        let back = point.applying(transform).applying(transform.inverted())
        XCTAssertEqual(back.x, point.x, accuracy: 1e-12)
        XCTAssertEqual(back.y, point.y, accuracy: 1e-12)
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        XCTAssertEqual(flat.inverted(), flat)
        XCTAssertTrue(CGAffineTransform.identity.isIdentity)
        XCTAssertTrue(CGRect.null.applying(transform).isNull)
    }
}
