import Foundation
import MediaTypes
import VectorGraphics
import XCTest

@testable import QuartzCore

final class CAKeyframeAnimationTests: XCTestCase {
    /// Returns the values of a layer at fractions of the duration of an animation.
    private func values<Value>(
        _ path: KeyPath<LayerValues, Value>, _ animation: CAAnimation, _ fractions: [Double],
        duration: CFTimeInterval = 2
    ) -> [Value] {
        let layer = CALayer()
        animation.beginTime = 1
        (animation.duration, animation.fillMode) = (duration, .both)
        layer.add(animation, forKey: nil)
        return fractions.map { layer.presentedValues(at: 1 + $0 * duration)[keyPath: path] }
    }

    private func keyframes(_ values: [Any], at times: [NSNumber]? = nil, _ keyPath: String = "position.x")
        -> CAKeyframeAnimation
    {
        let animation = CAKeyframeAnimation(keyPath: keyPath)
        (animation.values, animation.keyTimes) = (values, times)
        return animation
    }

    private func assertEqual(_ first: [CGFloat], _ second: [CGFloat], accuracy: CGFloat = 1e-6, line: UInt = #line) {
        XCTAssertEqual(first.count, second.count, line: line)
        for (index, (a, b)) in zip(first, second).enumerated() {
            XCTAssertEqual(a, b, accuracy: accuracy, "value \(index)", line: line)
        }
    }

    func testValuesAreReachedAtTheKeyTimes() {
        let fractions = [0, 0.25, 0.5, 0.75, 1]
        assertEqual(values(\.state.position.x, keyframes([0, 10, 30]), fractions), [0, 5, 10, 20, 30])
        let timed = keyframes([0, 10, 30], at: [0, 0.25, 1])
        assertEqual(values(\.state.position.x, timed, fractions), [0, 10, 50.0 / 3, 70.0 / 3, 30])
        let short = keyframes([10, 30], at: [0.25, 0.5])
        assertEqual(values(\.state.position.x, short, fractions), [10, 10, 30, 30, 30])
    }

    func testDiscreteValuesRemainUntilTheNextKeyTime() {
        let animation = keyframes([1, 2, 3, 4])
        animation.calculationMode = .discrete
        let fractions = [0, 0.24, 0.25, 0.5, 0.99, 1]
        assertEqual(values(\.state.position.x, animation, fractions), [1, 1, 2, 3, 4, 4])
        animation.keyTimes = [0, 0.1, 0.2, 0.5, 1]
        assertEqual(values(\.state.position.x, animation, fractions), [1, 3, 3, 4, 4, 4])
    }

    func testPacedAnimationsMoveAtAConstantSpeed() {
        let animation = keyframes([0, 10, 40])
        animation.calculationMode = .paced
        assertEqual(values(\.state.position.x, animation, [0, 0.25, 0.5, 1]), [0, 10, 20, 40])
    }

    func testCubicAnimationsPassThroughTheirValuesSmoothly() {
        let animation = keyframes([0, 10, 10, 0])
        animation.calculationMode = .cubic
        assertEqual(values(\.state.position.x, animation, [0, 1.0 / 3, 2.0 / 3, 1]), [0, 10, 10, 0])
        // Between two equal values the curve overshoots them.
        assertEqual(values(\.state.position.x, animation, [0.5]), [11.25])
        animation.tensionValues = [1, 1, 1, 1]
        assertEqual(values(\.state.position.x, animation, [0.5]), [10])
    }

    func testEachStepHasItsTimingFunction() {
        let animation = keyframes([0, 10, 20])
        animation.timingFunctions = [
            CAMediaTimingFunction(name: .easeIn), CAMediaTimingFunction(controlPoints: 0, 0, 1, 1),
        ]
        let result = values(\.state.position.x, animation, [0.25, 0.5, 0.75])
        // The curve (0.42, 0, 1, 1) at half of the time, by another implementation (WebKit's UnitBezier).
        assertEqual(result, [3.153568, 10, 15], accuracy: 1e-4)
    }

    func testTimingFunctionsReturnTheProgressAtATime() {
        let ease = CAMediaTimingFunction(name: .default)
        XCTAssertEqual(ease.value(at: 0), 0)
        XCTAssertEqual(ease.value(at: 1), 1)
        // Values of CSS's `ease` by other implementations.
        XCTAssertEqual(ease.value(at: 0.5), 0.8024, accuracy: 1e-4)
        XCTAssertEqual(CAMediaTimingFunction(name: .easeInEaseOut).value(at: 0.25), 0.1292, accuracy: 1e-4)
        XCTAssertEqual(CAMediaTimingFunction(name: .linear).value(at: 0.3), 0.3, accuracy: 1e-12)
        XCTAssertGreaterThan(CAMediaTimingFunction(controlPoints: 0.3, 0, 0.5, 2).value(at: 0.8), 1)
    }

    func testAPathMovesAndRotatesALayer() {
        let path = CGMutablePath()
        path.move(to: CGPoint(x: 0, y: 0))
        path.addLine(to: CGPoint(x: 10, y: 0))
        path.addLine(to: CGPoint(x: 10, y: 30))
        let animation = CAKeyframeAnimation(keyPath: "position")
        animation.path = path
        XCTAssertEqual(
            values(\.state.position, animation, [0, 0.25, 0.5, 0.75, 1]),
            [(0, 0), (5, 0), (10, 0), (10, 15), (10, 30)].map { CGPoint(x: $0, y: $1) })
        animation.calculationMode = .paced
        XCTAssertEqual(
            values(\.state.position, animation, [0.25, 0.5]), [CGPoint(x: 10, y: 0), CGPoint(x: 10, y: 10)])
        animation.rotationMode = .rotateAuto
        assertEqual(values(\.state.transform.m12, animation, [0.1, 0.5]), [0, 1])
        animation.rotationMode = .rotateAutoReverse
        assertEqual(values(\.state.transform.m12, animation, [0.1, 0.5]), [0, -1])
        let circle = CAKeyframeAnimation(keyPath: "position")
        circle.path = CGPath(ellipseIn: CGRect(x: -10, y: -10, width: 20, height: 20), transform: nil)
        circle.calculationMode = .paced
        for position in values(\.state.position, circle, (0...20).map { Double($0) / 20 }) {
            XCTAssertEqual(hypot(position.x, position.y), 10, accuracy: 0.01)
        }
    }

    func testASpringOvershootsAndSettles() {
        let spring = CASpringAnimation(keyPath: "position.x")
        (spring.fromValue, spring.toValue) = (0, 100)
        let duration = spring.settlingDuration
        // A damped oscillator with a decay of 5 per second and an angular frequency of √75 rad/s, at half a period.
        let halfPeriod = Double.pi / 75.squareRoot()
        let overshoot = 100 * (1 + exp(-5 * halfPeriod))
        assertEqual(
            values(\.state.position.x, spring, [0, halfPeriod / duration], duration: duration), [0, overshoot])
        assertEqual(values(\.state.position.x, spring, [1], duration: duration), [100], accuracy: 0.2)
        spring.initialVelocity = 20
        let firstMovement = values(\.state.position.x, spring, [0.0001 / duration], duration: duration)
        assertEqual(firstMovement, [0.2], accuracy: 0.001)
        spring.initialVelocity = 0
        for damping in [20.0, 40] {
            spring.damping = damping
            let rising = values(\.state.position.x, spring, (0...10).map { Double($0) / 10 }, duration: 2)
            XCTAssertEqual(rising, rising.sorted(), "damping \(damping)")
            XCTAssertEqual(rising[0], 0, accuracy: 1e-9)
            XCTAssertLessThan(rising[10], 100)
            XCTAssertGreaterThan(rising[10], 99)
        }
    }

    func testAGroupSetsTheTimeOfItsAnimations() {
        let (move, fade) = (CABasicAnimation(keyPath: "position.x"), CABasicAnimation(keyPath: "opacity"))
        (move.fromValue, move.toValue) = (0, 100)
        (fade.fromValue, fade.toValue, fade.duration, fade.beginTime) = (0, 1, 0.5, 1)
        let group = CAAnimationGroup()
        group.animations = [move, fade]
        let fractions = [0, 0.25, 0.625, 1]
        assertEqual(values(\.state.position.x, group, fractions), [0, 25, 62.5, 100])
        XCTAssertEqual(values(\.state.style.opacity, group, fractions), [1, 1, 0.5, 1])
        group.timingFunction = CAMediaTimingFunction(name: .easeIn)
        XCTAssertLessThan(values(\.state.position.x, group, [0.5])[0], 40)
    }
}
