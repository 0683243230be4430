import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import UIKit

private final class MeterLayer: CALayer, @unchecked Sendable {
    // SAFETY: a constant.
    let level: Int

    override init() {
        level = 7
        super.init()
    }
}

private final class MeterView: UIView {
    override class var layerClass: AnyClass { MeterLayer.self }
    private(set) var layoutCount = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() { tag = 3 }

    override func layoutSubviews() {
        layoutCount += 1
        superview?.layoutIfNeeded()
    }
}

// XCTest on Linux cannot run methods of the main actor, but it runs tests on the main thread.
final class UIViewTests: XCTestCase {
    func testTheStatusBarOrientationIsOppositeToLandscapeDeviceOrientations() {
        MainActor.assumeIsolated {
            let system = CaptureSystem(hosts: [], clock: SimClock(), notificationCenter: NotificationCenter())
            let application = system.run { UIApplication.shared }
            XCTAssertEqual(application.statusBarOrientation, .portrait)
            let expected: [(DeviceOrientation, UIInterfaceOrientation)] = [
                (.landscapeLeft, .landscapeRight), (.faceUp, .landscapeRight), (.landscapeRight, .landscapeLeft),
                (.portraitUpsideDown, .portraitUpsideDown),
            ]
            for (deviceOrientation, interfaceOrientation) in expected {
                system.orientation.rotate(to: deviceOrientation)
                XCTAssertEqual(application.statusBarOrientation, interfaceOrientation)
            }
            system.orientation.lockInterface(to: .portrait)
            XCTAssertEqual(application.statusBarOrientation, .portrait)
            XCTAssertEqual(UIInterfaceOrientationMask.all.rawValue, 30)
            XCTAssertEqual(UIInterfaceOrientationMask.allButUpsideDown, [.portrait, .landscapeLeft, .landscapeRight])
        }
    }

    func testAViewHasALayerOfItsClass() {
        MainActor.assumeIsolated {
            let view = MeterView()
            XCTAssertEqual((view.layer as? MeterLayer)?.level, 7)
            XCTAssertEqual(view.tag, 3)
            XCTAssertTrue(type(of: UIView().layer) == CALayer.self)
        }
    }

    func testSubviewsAndLayersAreInTheSameOrder() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            let (back, middle, front) = (UIView(), MeterView(), UIView())
            view.addSubview(back)
            view.addSubview(front)
            view.insertSubview(middle, belowSubview: front)
            XCTAssertEqual(view.subviews, [back, middle, front])
            XCTAssertEqual(view.layer.sublayers, [back.layer, middle.layer, front.layer])
            view.bringSubviewToFront(back)
            XCTAssertEqual(view.subviews, [middle, front, back])
            XCTAssertEqual(view.viewWithTag(3), middle)
            middle.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.frame = CGRect(x: 0, y: 0, width: 200, height: 150)
            XCTAssertEqual(middle.frame, CGRect(x: 0, y: 0, width: 100, height: 50))
            view.layoutIfNeeded()
            XCTAssertEqual(middle.layoutCount, 1)
            middle.removeFromSuperview()
            XCTAssertNil(middle.superview)
            XCTAssertEqual(view.layer.sublayers, [front.layer, back.layer])
        }
    }

    func testAViewCannotContainItself() {
        let messages = Lock<[String]>([])
        let system = CaptureSystem(
            hosts: [], clock: SimClock(),
            misuse: MisuseHandler { misuse in messages.withLock { $0.append(misuse.message) } })
        MainActor.assumeIsolated {
            let (outer, inner) = (UIView(), UIView())
            outer.addSubview(inner)
            system.run {
                outer.addSubview(outer)
                inner.addSubview(outer)
            }
            XCTAssertNil(outer.superview)
            XCTAssertEqual(outer.subviews, [inner])
        }
        XCTAssertEqual(messages.withLock { $0 }, Array(repeating: "Can't add self as subview", count: 2))
    }

    func testASuperviewThatIsInsertedBesideASubviewKeepsItsPlace() {
        let messages = Lock<[String]>([])
        let system = CaptureSystem(
            hosts: [], clock: SimClock(),
            misuse: MisuseHandler { misuse in messages.withLock { $0.append(misuse.message) } })
        MainActor.assumeIsolated {
            let (root, outer, inner, sibling) = (UIView(), UIView(), UIView(), UIView())
            root.addSubview(outer)
            outer.addSubview(inner)
            inner.addSubview(sibling)
            system.run {
                inner.insertSubview(outer, belowSubview: sibling)
                XCTAssertEqual(root.subviews, [outer])
                inner.insertSubview(outer, aboveSubview: sibling)
                XCTAssertEqual(root.subviews, [outer])
            }
            XCTAssertEqual(inner.subviews, [sibling])
        }
        XCTAssertEqual(messages.withLock { $0 }, Array(repeating: "Can't add self as subview", count: 2))
    }

    func testASpringAnimationChangesTheViewAndReportsItsEnd() {
        let ended = expectation(description: "ended")
        MainActor.assumeIsolated {
            let view = UIView()
            UIView.animate(
                withDuration: 0.01, delay: 0, usingSpringWithDamping: 0.8, initialSpringVelocity: 3,
                options: .curveEaseIn
            ) {
                view.alpha = 0.5
            } completion: {
                XCTAssertTrue($0)
                ended.fulfill()
            }
            XCTAssertEqual(view.alpha, 0.5)
        }
        wait(for: [ended], timeout: 10)
    }

    func testATapReachesTheViewAtThePoint() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            let button = UIView(frame: CGRect(x: 50, y: 50, width: 20, height: 20))
            view.addSubview(button)
            var log: [String] = []
            view.addGestureRecognizer(UITapGestureRecognizer { log.append("view \($0.location(in: view))") })
            button.addGestureRecognizer(UITapGestureRecognizer { log.append("button \($0.location(in: button))") })
            let double = UITapGestureRecognizer { _ in log.append("double") }
            double.numberOfTapsRequired = 2
            view.addGestureRecognizer(double)
            XCTAssertTrue(view.tap(at: CGPoint(x: 10, y: 20)))
            XCTAssertEqual(log, ["view \(CGPoint(x: 10, y: 20))"])
            view.tap(at: CGPoint(x: 55, y: 60))
            XCTAssertEqual(log.dropFirst().first, "button \(CGPoint(x: 5, y: 10))")
            XCTAssertTrue(view.tap(at: .zero, tapCount: 2))
            XCTAssertEqual(log.last, "double")
            XCTAssertFalse(view.tap(at: CGPoint(x: 200, y: 200)))
        }
    }

    func testRectanglesAreConverted() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 10, y: 10, width: 100, height: 100))
            let inner = UIView(frame: CGRect(x: 20, y: 30, width: 50, height: 50))
            inner.bounds.origin = CGPoint(x: 5, y: 0)
            view.addSubview(inner)
            let rect = CGRect(x: 5, y: 5, width: 10, height: 10)
            XCTAssertEqual(inner.convert(rect, to: view), CGRect(x: 20, y: 35, width: 10, height: 10))
            XCTAssertEqual(inner.convert(rect, to: nil), CGRect(x: 20, y: 35, width: 10, height: 10))
            XCTAssertEqual(inner.convert(CGRect(x: 20, y: 35, width: 10, height: 10), from: view), rect)
        }
    }

    func testAPinchReportsItsScales() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            let pinch = UIPinchGestureRecognizer()
            var scales: [CGFloat] = []
            var states: [UIGestureRecognizer.State] = []
            pinch.addHandler { [unowned pinch] recognizer in
                states.append(recognizer.state)
                scales.append(pinch.scale)
            }
            view.addGestureRecognizer(pinch)
            XCTAssertTrue(view.pinch(at: CGPoint(x: 50, y: 50), scales: [1.5, 3]))
            XCTAssertEqual(scales, [1, 1.5, 3, 3])
            XCTAssertEqual(states, [.began, .changed, .changed, .ended])
        }
    }

    func testAPanReportsItsTranslation() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            let inner = UIView(frame: CGRect(x: 20, y: 30, width: 50, height: 50))
            view.addSubview(inner)
            let pan = UIPanGestureRecognizer()
            var log: [String] = []
            pan.addHandler { [unowned pan, unowned view] recognizer in
                let (translation, velocity) = (pan.translation(in: view), pan.velocity(in: view))
                log.append("\(recognizer.state) \(translation.x) \(translation.y) \(velocity.x) \(velocity.y)")
                if recognizer.state == .changed { pan.setTranslation(.zero, in: view) }
            }
            inner.addGestureRecognizer(pan)
            let points = [CGPoint(x: 30, y: 40), CGPoint(x: 35, y: 40), CGPoint(x: 35, y: 50)]
            XCTAssertTrue(view.pan(along: points, interval: 0.5))
            XCTAssertEqual(
                log,
                [
                    "began 0.0 0.0 0.0 0.0", "changed 5.0 0.0 10.0 0.0", "changed 0.0 10.0 0.0 20.0",
                    "ended 0.0 0.0 0.0 0.0",
                ])
            XCTAssertEqual(pan.location(in: view), points[2])
            XCTAssertFalse(view.pan(along: [.zero]))
            XCTAssertFalse(view.pan(along: []))
            pan.minimumNumberOfTouches = 2
            XCTAssertFalse(view.pan(along: points))
        }
    }

    func testTheApplicationStateFollowsInterruptionsOfTheSystem() {
        MainActor.assumeIsolated {
            let clock = SimClock()
            let center = NotificationCenter()
            let system = CaptureSystem(hosts: [], clock: clock, notificationCenter: center)
            let application = system.run { UIApplication.shared }
            XCTAssertEqual(application.applicationState, .active)
            let posted = Lock<[String]>([], order: .client)
            let observer = center.addObserver(forName: nil, object: nil, queue: nil) { notification in
                posted.withLock { $0.append(notification.name.rawValue) }
            }
            let expired = Lock(0, order: .client)
            let task = application.beginBackgroundTask { expired.withLock { $0 += 1 } }
            system.interruptions.begin(.notAvailableInBackground)
            clock.advance(by: .seconds(10))
            XCTAssertEqual(application.applicationState, .background)
            XCTAssertEqual(application.backgroundTimeRemaining, 20, accuracy: 1e-6)
            clock.advance(by: .seconds(21))
            XCTAssertEqual(expired.withLock { $0 }, 1)
            application.endBackgroundTask(task)
            system.interruptions.end(.notAvailableInBackground)
            clock.advance(by: .zero)
            XCTAssertEqual(application.applicationState, .active)
            XCTAssertEqual(
                posted.withLock { $0 },
                [
                    UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
                    UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
                ].map(\.rawValue))
            center.removeObserver(observer)
        }
    }
}
