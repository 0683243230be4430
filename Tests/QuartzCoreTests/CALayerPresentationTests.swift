import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import VectorGraphics
import XCTest

final class CALayerPresentationTests: XCTestCase {
    private let clock = SimClock()
    private lazy var system = CaptureSystem(hosts: [], clock: clock, notificationCenter: NotificationCenter())
    private let layer = CALayer()

    private func basic(_ keyPath: String, _ from: Any?, _ to: Any?, duration: CFTimeInterval = 1) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: keyPath)
        (animation.fromValue, animation.toValue, animation.duration) = (from, to, duration)
        return animation
    }

    /// Returns the presented values of the layer's property at times after an animation was added.
    private func values<Value>(
        _ path: KeyPath<CALayer, Value>, during animation: CAAnimation, _ milliseconds: [Int]
    ) -> [Value] {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock, notificationCenter: NotificationCenter())
        return system.run {
            layer.removeAllAnimations()
            layer.add(animation, forKey: nil)
            var elapsed = 0
            return milliseconds.map { time in
                clock.advance(by: .milliseconds(time - elapsed))
                elapsed = time
                return (layer.presentation() ?? layer)[keyPath: path]
            }
        }
    }

    private func assertEqual(
        _ first: [some BinaryFloatingPoint], _ second: [Double], accuracy: Double = 1e-5, line: UInt = #line
    ) {
        XCTAssertEqual(first.count, second.count, line: line)
        for (index, (a, b)) in zip(first, second).enumerated() {
            XCTAssertEqual(Double(a), b, accuracy: accuracy, "value \(index)", line: line)
        }
    }

    func testAPresentationLayerHasTheCurrentValues() {
        assertEqual(
            values(\.opacity, during: basic("opacity", 0, 0.5), [0, 250, 500, 999, 1000]), [0, 0.125, 0.25, 0.4995, 1])
        XCTAssertEqual(layer.opacity, 1)
        XCTAssertTrue(layer.model() === layer)
        system.run {
            layer.add(basic("opacity", 0, 0.5), forKey: nil)
            XCTAssertTrue(layer.presentation()?.model() === layer)
            XCTAssertTrue(layer.presentation()?.presentation()?.model() === layer)
        }
    }

    func testRepetitionsReversesSpeedAndOffsetsMapTheTime() {
        let animation = basic("position.x", 0, 100)
        (animation.repeatCount, animation.autoreverses) = (2, true)
        let times = [500, 1250, 2000, 2500, 3750, 4000]
        assertEqual(values(\.position.x, during: animation, times), [50, 75, 0, 50, 25, 0])
        animation.fillMode = .forwards
        animation.isRemovedOnCompletion = false
        (animation.speed, animation.timeOffset, animation.repeatCount) = (2, 0.5, 1.25)
        assertEqual(values(\.position.x, during: animation, [0, 250, 1000, 5000]), [50, 100, 50, 50])
        (animation.speed, animation.timeOffset, animation.repeatDuration) = (1, 0, 1.5)
        assertEqual(values(\.position.x, during: animation, [1250, 1500, 5000]), [75, 50, 50])
        (animation.speed, animation.timeOffset, animation.repeatDuration) = (-1, 0.75, 1)
        assertEqual(values(\.position.x, during: animation, [0, 500, 750, 5000]), [75, 25, 0, 0])
    }

    func testFillModesShowTheEndsOutsideOfTheAnimation() {
        let animation = basic("position.x", 20, 40)
        animation.beginTime = 1
        animation.isRemovedOnCompletion = false
        let times = [500, 1000, 1500, 2000, 9000]
        layer.position.x = 5
        for (mode, before, after) in [
            (CAMediaTimingFillMode.removed, 5.0, 5.0), (.backwards, 20, 5), (.forwards, 5, 40), (.both, 20, 40),
        ] {
            animation.fillMode = mode
            assertEqual(values(\.position.x, during: animation, times), [before, 20, 30, after, after])
        }
    }

    func testAPausedLayerStopsItsAnimationsUntilItContinues() {
        system.run {
            layer.add(basic("position.x", 0, 100, duration: 2), forKey: "move")
            clock.advance(by: .milliseconds(500))
            let paused = layer.convertTime(CACurrentMediaTime(), from: nil)
            (layer.speed, layer.timeOffset) = (0, paused)
            clock.advance(by: .seconds(60))
            XCTAssertEqual(layer.presentation()?.position.x ?? 0, 25, accuracy: 1e-6)
            XCTAssertEqual(layer.animationKeys(), ["move"])
            (layer.speed, layer.timeOffset, layer.beginTime) = (1, 0, 0)
            layer.beginTime = layer.convertTime(CACurrentMediaTime(), from: nil) - paused
            clock.advance(by: .milliseconds(500))
            XCTAssertEqual(layer.presentation()?.position.x ?? 0, 50, accuracy: 1e-6)
            clock.advance(by: .milliseconds(999))
            XCTAssertEqual(layer.animationKeys(), ["move"])
            clock.advance(by: .milliseconds(1))
            XCTAssertNil(layer.animationKeys())
        }
    }

    func testTheTimeOfALayerIsThatOfItsSuperlayerScaled() {
        let root = CALayer()
        root.addSublayer(layer)
        (root.speed, root.timeOffset, layer.beginTime, layer.speed) = (2, 1, 3, 0.5)
        XCTAssertEqual(layer.convertTime(10, from: nil), 9)
        XCTAssertEqual(layer.convertTime(9, to: nil), 10)
        XCTAssertEqual(layer.convertTime(21, from: root), 9)
        XCTAssertEqual(root.convertTime(9, from: layer), 21)
        system.run {
            root.speed = 2
            layer.speed = 1
            layer.add(basic("opacity", 0, 1, duration: 4), forKey: "fade")
            clock.advance(by: .milliseconds(1999))
            XCTAssertEqual(layer.animationKeys(), ["fade"])
            clock.advance(by: .milliseconds(1))
            XCTAssertNil(layer.animationKeys())
        }
    }

    func testMissingValuesOfABasicAnimationAreThoseOfTheLayer() {
        layer.position = CGPoint(x: 10, y: 20)
        func middle(_ from: CGPoint?, _ to: CGPoint?, _ by: CGPoint?, isAdditive: Bool = false) -> CGPoint {
            let animation = basic("position", from, to)
            (animation.byValue, animation.isAdditive) = (by, isAdditive)
            return values(\.position, during: animation, [500])[0]
        }
        let (a, b) = (CGPoint(x: 30, y: 40), CGPoint(x: 4, y: 8))
        XCTAssertEqual(middle(a, b, nil), CGPoint(x: 17, y: 24))
        XCTAssertEqual(middle(a, nil, b), CGPoint(x: 32, y: 44))
        XCTAssertEqual(middle(nil, a, b), CGPoint(x: 28, y: 36))
        XCTAssertEqual(middle(a, nil, nil), CGPoint(x: 20, y: 30))
        XCTAssertEqual(middle(nil, a, nil), CGPoint(x: 20, y: 30))
        XCTAssertEqual(middle(nil, nil, b), CGPoint(x: 12, y: 24))
        XCTAssertEqual(middle(nil, nil, nil), CGPoint(x: 10, y: 20))
        XCTAssertEqual(middle(.zero, b, nil, isAdditive: true), CGPoint(x: 12, y: 24))
        let value = basic("position", NSValue(point: a), NSValue(point: b))
        XCTAssertEqual(values(\.position, during: value, [500]), [CGPoint(x: 17, y: 24)])
        // A value of another type has no effect.
        XCTAssertEqual(
            values(\.position, during: basic("position", NSValue(size: .zero), 7), [500]), [layer.position])
    }

    func testLaterAnimationsChangeTheValuesOfEarlierOnes() {
        let cumulative = basic("position.x", 0, 10)
        (cumulative.repeatCount, cumulative.isCumulative) = (3, true)
        assertEqual(values(\.position.x, during: cumulative, [500, 1500, 2500]), [5, 15, 25])
        system.run {
            layer.removeAllAnimations()
            layer.add(basic("position.x", 0, 10), forKey: "base")
            let shift = basic("position.x", 100, 100)
            shift.isAdditive = true
            layer.add(shift, forKey: "shift")
            clock.advance(by: .milliseconds(300))
            XCTAssertEqual(layer.presentation()?.position.x ?? 0, 103, accuracy: 1e-6)
        }
    }

    func testEachDrawnPropertyIsAnimated() {
        let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        XCTAssertEqual(
            values(\.backgroundColor, during: basic("backgroundColor", red, CGColor.white), [500]),
            [CGColor(red: 1, green: 0.5, blue: 0.5, alpha: 1)])
        let rect = CGRect(x: 0, y: 2, width: 4, height: 8)
        XCTAssertEqual(
            values(\.bounds, during: basic("bounds", CGRect.zero, rect), [500]),
            [CGRect(x: 0, y: 1, width: 2, height: 4)])
        layer.bounds = rect
        XCTAssertEqual(values(\.bounds.size.width, during: basic("bounds.size.width", 0, 6), [500]), [3])
        XCTAssertEqual(values(\.bounds.origin.y, during: basic("bounds.origin.y", 0, 6), [500]), [3])
        XCTAssertEqual(values(\.cornerRadius, during: basic("cornerRadius", 0, Float(8)), [250]), [2])
        XCTAssertEqual(values(\.borderWidth, during: basic("borderWidth", nil, NSNumber(value: 4)), [500]), [2])
        XCTAssertEqual(values(\.shadowOffset.height, during: basic("shadowOffset.height", 0, 4), [500]), [2])
        XCTAssertEqual(values(\.zPosition, during: basic("zPosition", 0, -4), [500]), [-2])
        XCTAssertEqual(values(\.anchorPoint.x, during: basic("anchorPoint.x", 0, 1), [250]), [0.25])
        XCTAssertEqual(values(\.isHidden, during: basic("hidden", true, false), [999, 1000]), [true, false])
        // A key path that is not a property of a layer.
        XCTAssertEqual(values(\.position, during: basic("nothing", 0, 1), [500]), [layer.position])
    }

    func testRotationsScalesAndTranslationsOfATransformAreIndependent() throws {
        system.run {
            layer.transform = CATransform3DMakeTranslation(7, 8, 0)
            layer.add(basic("transform.rotation.z", 0, 3 * Double.pi), forKey: nil)
            layer.add(basic("transform.scale", 1, 3), forKey: nil)
            layer.add(basic("transform.translation.x", 0, 10), forKey: nil)
            clock.advance(by: .milliseconds(500))
        }
        let transform = try XCTUnwrap(system.run { layer.presentation()?.affineTransform() })
        // A rotation by 270 degrees, and twice the size.
        let expected = CGAffineTransform(a: 0, b: -2, c: 2, d: 0, tx: 5, ty: 8)
        for path in [\CGAffineTransform.a, \.b, \.c, \.d, \.tx, \.ty] {
            XCTAssertEqual(transform[keyPath: path], expected[keyPath: path], accuracy: 1e-9)
        }
    }

    func testTransformsAreInterpolatedByTheirComponents() throws {
        let rotated = CATransform3DMakeRotation(.pi / 2, 0, 0, 1)
        let middle = values(\.transform, during: basic("transform", CATransform3DIdentity, rotated), [500])[0]
        let expected = CATransform3DMakeRotation(.pi / 4, 0, 0, 1)
        for path in [\CATransform3D.m11, \.m12, \.m21, \.m22, \.m33, \.m44] {
            XCTAssertEqual(middle[keyPath: path], expected[keyPath: path], accuracy: 1e-9)
        }
        let mirrored = CATransform3DMakeScale(-1, 1, 1)
        let composed = CATransform3DTranslate(CATransform3DRotate(mirrored, 0.3, 0.2, -0.5, 1), 3, 4, 5)
        for transform in [mirrored, composed, CATransform3DMakeRotation(1, 1, 0, 0), CATransform3DMakeScale(0, 2, 1)] {
            let initialTransforms = values(
                \.transform, during: basic("transform.translation.z", transform.m43, transform.m43), [0])
            layer.transform = transform
            XCTAssertEqual(initialTransforms.count, 1)
            let recomposed = values(
                \.transform, during: basic("transform.translation.z", transform.m43, transform.m43), [0])[
                    0]
            for path in [\CATransform3D.m11, \.m12, \.m13, \.m21, \.m22, \.m23, \.m31, \.m32, \.m33, \.m41, \.m43] {
                XCTAssertEqual(recomposed[keyPath: path], transform[keyPath: path], accuracy: 1e-9)
            }
        }
    }

    func testAnInverseTransformReturnsToTheIdentity() {
        let transform = CATransform3DTranslate(
            CATransform3DScale(CATransform3DMakeRotation(0.7, 1, 2, 3), 2, 3, 4), 5, 6, 7)
        let product = CATransform3DConcat(transform, CATransform3DInvert(transform))
        for path in [\CATransform3D.m11, \.m12, \.m21, \.m22, \.m33, \.m41, \.m42, \.m43, \.m44] {
            XCTAssertEqual(product[keyPath: path], CATransform3DIdentity[keyPath: path], accuracy: 1e-9)
        }
        let flat = CATransform3DMakeScale(1, 0, 1)
        XCTAssertTrue(CATransform3DEqualToTransform(CATransform3DInvert(flat), flat))
    }

    func testSublayersOfAPresentationLayerHaveTheirCurrentValues() throws {
        let root = CALayer()
        root.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        root.addSublayer(layer)
        try system.run {
            layer.add(basic("position.x", 5, 95), forKey: nil)
            clock.advance(by: .milliseconds(500))
            let presentedRoot = try XCTUnwrap(root.presentation())
            let presentedLayer = try XCTUnwrap(presentedRoot.sublayers?.first)
            XCTAssertEqual(presentedLayer.position.x, 50, accuracy: 1e-6)
            XCTAssertTrue(presentedRoot.hitTest(CGPoint(x: 50, y: 5))?.model() === layer)
            XCTAssertTrue(root.hitTest(CGPoint(x: 50, y: 5)) === root)
            let separatePresentation = try XCTUnwrap(layer.presentation())
            XCTAssertTrue(separatePresentation.superlayer?.model() === root)
            XCTAssertEqual(separatePresentation.convert(.zero, to: nil).x, 45, accuracy: 1e-6)
        }
    }

    func testShapeAndTextLayersHavePresentationLayersOfTheirClass() throws {
        let (shape, text) = (CAShapeLayer(), CATextLayer())
        final class Other: CALayer, @unchecked Sendable {
            // SAFETY: no state.
        }
        let other = Other()
        system.run {
            shape.add(basic("strokeEnd", 0, 1), forKey: nil)
            text.add(basic("fontSize", 10, 20), forKey: nil)
            other.add(basic("opacity", 0, 1), forKey: nil)
            clock.advance(by: .milliseconds(500))
            XCTAssertEqual(shape.presentation()?.strokeEnd, 0.5)
            XCTAssertEqual(text.presentation()?.fontSize, 15)
            XCTAssertTrue(other.presentation() === other)
        }
    }
}
