import Foundation
import MediaTypes
import XCTest

@testable import QuartzCore

final class CALayerTests: XCTestCase {
    func testTheFrameDependsOnBoundsPositionAndTransform() {
        let layer = CALayer()
        layer.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
        XCTAssertEqual(layer.bounds, CGRect(x: 0, y: 0, width: 100, height: 50))
        XCTAssertEqual(layer.position, CGPoint(x: 60, y: 45))
        layer.anchorPoint = .zero
        XCTAssertEqual(layer.frame, CGRect(x: 60, y: 45, width: 100, height: 50))
        layer.anchorPoint = CGPoint(x: 0.5, y: 0.5)
        layer.setAffineTransform(CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
        XCTAssertEqual(layer.frame, CGRect(x: 35, y: -5, width: 50, height: 100))
        layer.frame = CGRect(x: 0, y: 0, width: 30, height: 80)
        XCTAssertEqual(layer.bounds.size, CGSize(width: 80, height: 30))
        XCTAssertEqual(layer.frame, CGRect(x: 0, y: 0, width: 30, height: 80))
    }

    func testTheFrameSetsTheWidthAndHeightOfALayerRotatedBy45Degrees() {
        let layer = CALayer()
        layer.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 4))
        layer.frame = CGRect(x: 10, y: 20, width: 100, height: 100)
        XCTAssertEqual(layer.bounds.width, 100 * 2.0.squareRoot(), accuracy: 1e-9)
        XCTAssertEqual(layer.bounds.height, 100 * 2.0.squareRoot(), accuracy: 1e-9)
        XCTAssertEqual(layer.position.x, 60, accuracy: 1e-9)
        XCTAssertEqual(layer.position.y, 70, accuracy: 1e-9)
    }

    func testSublayersAreInsertedReplacedAndRemoved() {
        let (root, other) = (CALayer(), CALayer())
        let layers = (0..<4).map { _ in CALayer() }
        XCTAssertNil(root.sublayers)
        root.addSublayer(layers[0])
        root.addSublayer(layers[1])
        root.insertSublayer(layers[2], at: 0)
        root.insertSublayer(layers[3], below: layers[1])
        XCTAssertEqual(root.sublayers, [layers[2], layers[0], layers[3], layers[1]])
        root.insertSublayer(layers[2], above: layers[1])
        XCTAssertEqual(root.sublayers, [layers[0], layers[3], layers[1], layers[2]])
        other.addSublayer(layers[3])
        XCTAssertTrue(layers[3].superlayer === other)
        XCTAssertEqual(root.sublayers, [layers[0], layers[1], layers[2]])
        root.replaceSublayer(layers[1], with: layers[3])
        XCTAssertEqual(root.sublayers, [layers[0], layers[3], layers[2]])
        XCTAssertNil(layers[1].superlayer)
        XCTAssertNil(other.sublayers)
        layers[0].removeFromSuperlayer()
        XCTAssertEqual(root.sublayers, [layers[3], layers[2]])
        root.sublayers = [layers[2], layers[0]]
        XCTAssertEqual(root.sublayers, [layers[2], layers[0]])
        XCTAssertNil(layers[3].superlayer)
        root.insertSublayer(root, at: 0)
        XCTAssertEqual(root.sublayers?.count, 2)
    }

    func testPointsAndRectanglesAreConvertedBetweenLayers() {
        let (root, left, right) = (CALayer(), CALayer(), CALayer())
        root.frame = CGRect(x: 5, y: 5, width: 200, height: 100)
        left.frame = CGRect(x: 10, y: 10, width: 50, height: 50)
        right.frame = CGRect(x: 100, y: 20, width: 50, height: 50)
        right.bounds.origin = CGPoint(x: 7, y: 0)
        root.addSublayer(left)
        root.addSublayer(right)
        XCTAssertEqual(left.convert(CGPoint(x: 1, y: 2), to: root), CGPoint(x: 11, y: 12))
        XCTAssertEqual(left.convert(CGPoint(x: 90, y: 10), to: right), CGPoint(x: 7, y: 0))
        XCTAssertEqual(right.convert(CGPoint(x: 90, y: 10), from: left), CGPoint(x: 7, y: 0))
        XCTAssertEqual(
            left.convert(CGRect(x: 0, y: 0, width: 10, height: 10), to: nil),
            CGRect(x: 15, y: 15, width: 10, height: 10))
    }

    func testHitTestingReturnsTheFrontmostVisibleLayer() {
        let (root, low, high) = (CALayer(), CALayer(), CALayer())
        root.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        for layer in [low, high] {
            layer.frame = CGRect(x: 20, y: 20, width: 40, height: 40)
            root.addSublayer(layer)
        }
        XCTAssertTrue(root.hitTest(CGPoint(x: 30, y: 30)) === high)
        high.isHidden = true
        XCTAssertTrue(root.hitTest(CGPoint(x: 30, y: 30)) === low)
        high.isHidden = false
        low.zPosition = 1
        XCTAssertTrue(root.hitTest(CGPoint(x: 30, y: 30)) === high, "zPosition affects drawing only")
        high.isHidden = true
        low.opacity = 0
        XCTAssertTrue(root.hitTest(CGPoint(x: 30, y: 30)) === root)
        XCTAssertNil(root.hitTest(CGPoint(x: 130, y: 30)))
    }

    func testAChangeOfSizeRequestsLayout() {
        final class CountingLayer: CALayer, @unchecked Sendable {
            // SAFETY: used on one thread.
            var layoutCount = 0
            override func layoutSublayers() { layoutCount += 1 }
        }
        let (root, layer) = (CALayer(), CountingLayer())
        root.addSublayer(layer)
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        XCTAssertTrue(layer.needsLayout())
        root.layoutIfNeeded()
        root.layoutIfNeeded()
        XCTAssertEqual(layer.layoutCount, 1)
        layer.position.x = 50
        XCTAssertFalse(layer.needsLayout())
        layer.setNeedsLayout()
        layer.layoutIfNeeded()
        XCTAssertEqual(layer.layoutCount, 2)
    }

    func testACopyHasTheSameAppearanceAndNoSuperlayer() {
        let (root, layer) = (CALayer(), CALayer())
        root.addSublayer(layer)
        layer.cornerRadius = 8
        layer.backgroundColor = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
        layer.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        let copy = CALayer(layer: layer)
        XCTAssertEqual(copy.cornerRadius, 8)
        XCTAssertEqual(copy.backgroundColor, CGColor(srgbRed: 1, green: 0.5, blue: 0, alpha: 1))
        XCTAssertEqual(copy.frame, layer.frame)
        XCTAssertNil(copy.superlayer)
        XCTAssertEqual(CALayer(layer: "nothing").frame, .zero)
    }
}
