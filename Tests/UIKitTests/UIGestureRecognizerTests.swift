import CaptureHAL
import MediaTypes
import UIKit
import XCTest

final class UIGestureRecognizerTests: XCTestCase {
    /// A view in a system with a simulated clock, and a log of the recognized gestures.
    @MainActor
    private final class Fixture {
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

        /// Taps the view.
        ///
        /// - Returns: Whether a recognizer recognized the tap, or waits for the failure of another one.
        @discardableResult
        func tap(at point: CGPoint = CGPoint(x: 50, y: 50), taps: Int = 1, touches: Int = 1) -> Bool {
            system.run { view.tap(at: point, tapCount: taps, touchCount: touches) }
        }
    }

    func testALongPressBeginsAfterItsDurationAndEndsWithThePress() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let press = UILongPressGestureRecognizer { [unowned fixture] in
                fixture.log.append("\($0.state) \(fixture.clock.now.seconds)")
            }
            fixture.view.addGestureRecognizer(press)
            XCTAssertFalse(fixture.system.run { fixture.view.press(at: .zero, duration: 0.4) })
            XCTAssertTrue(fixture.system.run { fixture.view.press(at: CGPoint(x: 5, y: 5), duration: 2) })
            fixture.clock.advance(by: .seconds(3))
            XCTAssertEqual(fixture.log, ["began 0.5", "ended 2.0"])
            XCTAssertEqual(press.location(ofTouch: 0, in: fixture.view), CGPoint(x: 5, y: 5))
        }
    }

    func testASwipeIsRecognizedInItsDirections() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let swipe = UISwipeGestureRecognizer { [unowned fixture] _ in fixture.log.append("swipe") }
            swipe.direction = [.left, .right]
            fixture.view.addGestureRecognizer(swipe)
            XCTAssertTrue(fixture.view.swipe(.left, at: .zero))
            XCTAssertFalse(fixture.view.swipe(.up, at: .zero))
            XCTAssertFalse(fixture.view.swipe(.left, at: .zero, touchCount: 2))
            XCTAssertEqual(fixture.log, ["swipe"])
        }
    }

    func testASingleTapWaitsForTheFailureOfADoubleTap() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let (single, double) = (fixture.add("single"), fixture.add("double", taps: 2))
            single.require(toFail: double)
            XCTAssertTrue(fixture.tap())
            fixture.clock.advance(by: .milliseconds(300))
            XCTAssertEqual(fixture.log, [])
            fixture.clock.advance(by: .milliseconds(100))
            XCTAssertEqual(fixture.log, ["single"])
            XCTAssertEqual(single.location(in: fixture.view), CGPoint(x: 50, y: 50))
            fixture.log = []
            fixture.tap()
            fixture.clock.advance(by: .milliseconds(300))
            fixture.tap()
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["double"])
        }
    }

    func testTapsThatAreLateOrFarApartAreSingleTaps() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            fixture.add("single").require(toFail: fixture.add("double", taps: 2))
            fixture.tap()
            fixture.clock.advance(by: .milliseconds(400))
            fixture.tap()
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["single", "single"])
            fixture.tap(at: CGPoint(x: 5, y: 5))
            fixture.tap(at: CGPoint(x: 95, y: 5))
            XCTAssertEqual(fixture.log.count, 3)
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["single", "single", "single", "single"])
        }
    }

    func testWithoutTheRequirementADoubleTapIsAlsoASingleTap() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            fixture.add("single")
            fixture.add("double", taps: 2)
            fixture.tap()
            XCTAssertEqual(fixture.log, ["single"])
            fixture.tap()
            XCTAssertEqual(fixture.log, ["single", "double"])
        }
    }

    func testTheNumberOfFingersDistinguishesTaps() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let (single, double) = (fixture.add("single"), fixture.add("double", taps: 2))
            let reset = fixture.add("reset", taps: 2, touches: 2)
            single.require(toFail: double)
            double.require(toFail: reset)
            XCTAssertTrue(fixture.tap(taps: 2, touches: 2))
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["reset"])
            XCTAssertFalse(fixture.tap(touches: 3))
            fixture.tap(taps: 2)
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["reset", "double"])
        }
    }

    func testATapIsRecognizedByTheDeepestView() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let inner = UIView(frame: CGRect(x: 40, y: 40, width: 20, height: 20))
            fixture.view.addSubview(inner)
            fixture.add("outer")
            let tap = fixture.add("inner", to: inner)
            fixture.tap()
            fixture.tap(at: .zero)
            XCTAssertEqual(fixture.log, ["inner", "outer"])
            tap.isEnabled = false
            fixture.tap()
            XCTAssertEqual(fixture.log, ["inner", "outer", "outer"])
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
            let fixture = Fixture()
            let (first, delegate) = (fixture.add("first"), Delegate())
            fixture.add("second")
            fixture.tap()
            XCTAssertEqual(fixture.log, ["first"])
            first.delegate = delegate
            fixture.tap()
            XCTAssertEqual(fixture.log, ["first", "first", "second"])
            delegate.begins = false
            fixture.log = []
            fixture.tap()
            XCTAssertEqual(fixture.log, ["second"])
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
            let fixture = Fixture()
            let (single, delegate) = (fixture.add("single"), Delegate())
            fixture.add("double", taps: 2)
            single.delegate = delegate
            fixture.tap(taps: 2)
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.log, ["double"])
        }
    }

    func testAPinchIsRecognizedByTheDeepestView() {
        MainActor.assumeIsolated {
            let fixture = Fixture()
            let inner = UIView(frame: CGRect(x: 40, y: 40, width: 20, height: 20))
            fixture.view.addSubview(inner)
            for (name, view) in [("outer", fixture.view), ("inner", inner)] {
                view.addGestureRecognizer(
                    UIPinchGestureRecognizer { recognizer in
                        if recognizer.state == .ended { fixture.log.append(name) }
                    })
            }
            fixture.view.pinch(at: CGPoint(x: 50, y: 50), scales: [2])
            XCTAssertEqual(fixture.log, ["inner"])
        }
    }
}
