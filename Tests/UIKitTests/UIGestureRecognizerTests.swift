import CaptureHAL
import MediaTypes
import UIKit
import XCTest

final class UIGestureRecognizerTests: XCTestCase {
    /// A view in a system whose clock the test advances.
    @MainActor
    private final class World {
        let clock = SimClock()
        let system: CaptureSystem
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        var log: [String] = []

        init() { system = CaptureSystem(hosts: [], clock: clock, notificationCenter: NotificationCenter()) }

        /// Adds a recognizer that logs its name.
        @discardableResult
        func add(_ name: String, taps: Int = 1, touches: Int = 1, to view: UIView? = nil) -> UITapGestureRecognizer {
            let tap = UITapGestureRecognizer { [unowned self] _ in log.append(name) }
            tap.numberOfTapsRequired = taps
            tap.numberOfTouchesRequired = touches
            (view ?? self.view).addGestureRecognizer(tap)
            return tap
        }

        @discardableResult
        func tap(at point: CGPoint = CGPoint(x: 50, y: 50), taps: Int = 1, touches: Int = 1) -> Bool {
            system.run { view.tap(at: point, tapCount: taps, touchCount: touches) }
        }
    }

    func testALongPressBeginsAfterItsDurationAndEndsWithThePress() {
        MainActor.assumeIsolated {
            let world = World()
            let press = UILongPressGestureRecognizer { [unowned world] in
                world.log.append("\($0.state) \(world.clock.now.seconds)")
            }
            world.view.addGestureRecognizer(press)
            XCTAssertFalse(world.system.run { world.view.press(at: .zero, duration: 0.4) })
            XCTAssertTrue(world.system.run { world.view.press(at: CGPoint(x: 5, y: 5), duration: 2) })
            world.clock.advance(by: .seconds(3))
            XCTAssertEqual(world.log, ["began 0.5", "ended 2.0"])
            XCTAssertEqual(press.location(ofTouch: 0, in: world.view), CGPoint(x: 5, y: 5))
        }
    }

    func testASwipeIsRecognizedInItsDirections() {
        MainActor.assumeIsolated {
            let world = World()
            let swipe = UISwipeGestureRecognizer { [unowned world] _ in world.log.append("swipe") }
            swipe.direction = [.left, .right]
            world.view.addGestureRecognizer(swipe)
            XCTAssertTrue(world.view.swipe(.left, at: .zero))
            XCTAssertFalse(world.view.swipe(.up, at: .zero))
            XCTAssertFalse(world.view.swipe(.left, at: .zero, touchCount: 2))
            XCTAssertEqual(world.log, ["swipe"])
        }
    }

    func testASingleTapWaitsForTheFailureOfADoubleTap() {
        MainActor.assumeIsolated {
            let world = World()
            let (single, double) = (world.add("single"), world.add("double", taps: 2))
            single.require(toFail: double)
            XCTAssertTrue(world.tap())
            world.clock.advance(by: .milliseconds(300))
            XCTAssertEqual(world.log, [])
            world.clock.advance(by: .milliseconds(100))
            XCTAssertEqual(world.log, ["single"])
            XCTAssertEqual(single.location(in: world.view), CGPoint(x: 50, y: 50))
            world.log = []
            world.tap()
            world.clock.advance(by: .milliseconds(300))
            world.tap()
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["double"])
        }
    }

    func testTapsThatAreLateOrFarApartAreSingleTaps() {
        MainActor.assumeIsolated {
            let world = World()
            world.add("single").require(toFail: world.add("double", taps: 2))
            world.tap()
            world.clock.advance(by: .milliseconds(400))
            world.tap()
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["single", "single"])
            world.tap(at: CGPoint(x: 5, y: 5))
            world.tap(at: CGPoint(x: 95, y: 5))
            XCTAssertEqual(world.log.count, 3)
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["single", "single", "single", "single"])
        }
    }

    func testWithoutTheRequirementADoubleTapIsAlsoASingleTap() {
        MainActor.assumeIsolated {
            let world = World()
            world.add("single")
            world.add("double", taps: 2)
            world.tap()
            XCTAssertEqual(world.log, ["single"])
            world.tap()
            XCTAssertEqual(world.log, ["single", "double"])
        }
    }

    func testTheNumberOfFingersDistinguishesTaps() {
        MainActor.assumeIsolated {
            let world = World()
            let (single, double) = (world.add("single"), world.add("double", taps: 2))
            let reset = world.add("reset", taps: 2, touches: 2)
            single.require(toFail: double)
            double.require(toFail: reset)
            XCTAssertTrue(world.tap(taps: 2, touches: 2))
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["reset"])
            XCTAssertFalse(world.tap(touches: 3))
            world.tap(taps: 2)
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["reset", "double"])
        }
    }

    func testTheDeepestViewWins() {
        MainActor.assumeIsolated {
            let world = World()
            let inner = UIView(frame: CGRect(x: 40, y: 40, width: 20, height: 20))
            world.view.addSubview(inner)
            world.add("outer")
            let tap = world.add("inner", to: inner)
            world.tap()
            world.tap(at: .zero)
            XCTAssertEqual(world.log, ["inner", "outer"])
            tap.isEnabled = false
            world.tap()
            XCTAssertEqual(world.log, ["inner", "outer", "outer"])
        }
    }

    func testADelegatePermitsSimultaneousRecognition() {
        final class Delegate: UIGestureRecognizerDelegate {
            var begins = true
            func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { begins }
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer,
                shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
            ) -> Bool { true }
        }
        MainActor.assumeIsolated {
            let world = World()
            let (first, delegate) = (world.add("first"), Delegate())
            world.add("second")
            world.tap()
            XCTAssertEqual(world.log, ["first"])
            first.delegate = delegate
            world.tap()
            XCTAssertEqual(world.log, ["first", "first", "second"])
            delegate.begins = false
            world.log = []
            world.tap()
            XCTAssertEqual(world.log, ["second"])
        }
    }

    func testADelegateRequiresFailure() {
        final class Delegate: UIGestureRecognizerDelegate {
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer,
                shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
            ) -> Bool { otherGestureRecognizer is UITapGestureRecognizer }
        }
        MainActor.assumeIsolated {
            let world = World()
            let (single, delegate) = (world.add("single"), Delegate())
            world.add("double", taps: 2)
            single.delegate = delegate
            world.tap(taps: 2)
            world.clock.advance(by: .seconds(1))
            XCTAssertEqual(world.log, ["double"])
        }
    }

    func testPinchesOfTheDeepestViewWin() {
        MainActor.assumeIsolated {
            let world = World()
            let inner = UIView(frame: CGRect(x: 40, y: 40, width: 20, height: 20))
            world.view.addSubview(inner)
            for (name, view) in [("outer", world.view), ("inner", inner)] {
                view.addGestureRecognizer(
                    UIPinchGestureRecognizer { recognizer in
                        if recognizer.state == .ended { world.log.append(name) }
                    })
            }
            world.view.pinch(at: CGPoint(x: 50, y: 50), scales: [2])
            XCTAssertEqual(world.log, ["inner"])
        }
    }
}
