import CaptureHAL
import Foundation
import MediaTypes
import QuartzCore
import XCTest

final class CAAnimationTests: XCTestCase {
    /// Logs the calls of a delegate with the time.
    private final class Delegate: CAAnimationDelegate {
        let clock: SimClock
        var log: [String] = []

        init(_ clock: SimClock) { self.clock = clock }

        func animationDidStart(_ anim: CAAnimation) { log.append("start \(name(anim)) \(clock.now.seconds)") }
        func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
            log.append("stop \(name(anim)) \(flag) \(clock.now.seconds)")
        }

        private func name(_ animation: CAAnimation) -> String { animation.value(forKey: "name") as? String ?? "?" }
    }

    private let clock = SimClock()
    private lazy var system = CaptureSystem(hosts: [], clock: clock, notificationCenter: NotificationCenter())
    private lazy var delegate = Delegate(clock)
    private let layer = CALayer()

    private func animation(_ name: String, duration: CFTimeInterval = 0) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: "opacity")
        (animation.fromValue, animation.toValue) = (0, 1)
        animation.duration = duration
        animation.delegate = delegate
        animation.setValue(name, forKey: "name")
        return animation
    }

    private func add(_ animation: CAAnimation, forKey key: String? = "key") {
        system.run { layer.add(animation, forKey: key) }
        clock.settle()
    }

    func testAnAnimationEndsAfterItsDurationAndRepetitions() {
        let repeated = animation("fade", duration: 0.5)
        (repeated.repeatCount, repeated.autoreverses, repeated.speed) = (3, true, 2)
        add(repeated)
        XCTAssertEqual(layer.animationKeys(), ["key"])
        clock.advance(by: .milliseconds(1499))
        XCTAssertEqual(delegate.log, ["start fade 0.0"])
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(delegate.log, ["start fade 0.0", "stop fade true 1.5"])
        XCTAssertNil(layer.animationKeys())
    }

    func testAnAnimationWithoutDurationUsesThatOfItsTransaction() {
        system.run {
            CATransaction.begin()
            CATransaction.setAnimationDuration(2)
            layer.add(animation("long"), forKey: nil)
            CATransaction.commit()
            layer.add(animation("short"), forKey: nil)
        }
        clock.advance(by: .seconds(3))
        XCTAssertEqual(
            delegate.log, ["start long 0.0", "start short 0.0", "stop short true 0.25", "stop long true 2.0"])
    }

    func testAnAnimationThatIsRemovedOrReplacedDoesNotFinish() {
        add(animation("first", duration: 1))
        add(animation("second", duration: 1))
        XCTAssertEqual(delegate.log, ["start first 0.0", "stop first false 0.0", "start second 0.0"])
        delegate.log = []
        system.run { layer.removeAllAnimations() }
        clock.advance(by: .seconds(2))
        XCTAssertEqual(delegate.log, ["stop second false 0.0"])
    }

    func testARemovedAnimationEndsInTheSystemInWhichItWasAdded() {
        add(animation("fade", duration: 1))
        let other = CaptureSystem(hosts: [], clock: SimClock(), notificationCenter: NotificationCenter())
        other.run { layer.removeAllAnimations() }
        clock.settle()
        XCTAssertEqual(delegate.log, ["start fade 0.0", "stop fade false 0.0"])
    }

    func testAnAnimationCanRemainAfterItsEnd() {
        let staying = animation("staying", duration: 1)
        staying.isRemovedOnCompletion = false
        add(staying)
        clock.advance(by: .seconds(2))
        XCTAssertEqual(delegate.log, ["start staying 0.0", "stop staying true 1.0"])
        XCTAssertNotNil(layer.animation(forKey: "key"))
        system.run { layer.removeAnimation(forKey: "key") }
        clock.settle()
        XCTAssertEqual(delegate.log.count, 2)
    }

    func testTheLayerKeepsACopy() throws {
        let original = animation("original", duration: 1)
        add(original)
        original.duration = 5
        original.toValue = 2
        let copy = try XCTUnwrap(layer.animation(forKey: "key") as? CABasicAnimation)
        XCTAssertEqual(copy.duration, 1)
        XCTAssertEqual(copy.toValue as? Int, 1)
        XCTAssertEqual(copy.keyPath, "opacity")
    }

    func testTheCompletionBlockWaitsForTheAnimations() {
        let times = Lock<[Double]>([])
        system.run {
            CATransaction.begin()
            CATransaction.setCompletionBlock { [clock] in times.withLock { $0.append(clock.now.seconds) } }
            layer.add(animation("a", duration: 1), forKey: "a")
            layer.add(animation("b", duration: 2), forKey: "b")
            CATransaction.commit()
        }
        clock.advance(by: .seconds(3))
        XCTAssertEqual(times.withLock { $0 }, [2])
    }

    func testTheSettlingDurationDependsOnTheDampingOfTheSpring() {
        let spring = CASpringAnimation(keyPath: "position")
        XCTAssertEqual(spring.settlingDuration, 1.3816, accuracy: 0.001)
        spring.damping = 40
        XCTAssertEqual(spring.settlingDuration, 2.578, accuracy: 0.001)
    }
}
