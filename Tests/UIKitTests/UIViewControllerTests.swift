import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import UIKit

private final class RecordingController: UIViewController {
    var calls: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        calls.append("viewDidLoad")
    }

    override func viewWillAppear(_ animated: Bool) { calls.append("viewWillAppear") }
    override func viewIsAppearing(_ animated: Bool) { calls.append("viewIsAppearing") }
    override func viewWillLayoutSubviews() { calls.append("viewWillLayoutSubviews") }
    override func viewDidLayoutSubviews() { calls.append("viewDidLayoutSubviews") }
    override func viewDidAppear(_ animated: Bool) { calls.append("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) { calls.append("viewWillDisappear") }
    override func viewDidDisappear(_ animated: Bool) { calls.append("viewDidDisappear") }
    override func willMove(toParent parent: UIViewController?) { calls.append("willMove \(parent != nil)") }
    override func didMove(toParent parent: UIViewController?) { calls.append("didMove \(parent != nil)") }
}

final class UIViewControllerTests: XCTestCase {
    private let messages = Lock<[String]>([])
    private lazy var system = CaptureSystem(
        hosts: [], clock: HostClock(), notificationCenter: NotificationCenter(),
        misuse: MisuseHandler { [messages] misuse in messages.withLock { $0.append(misuse.message) } })

    func testAControllerLoadsItsViewAndFollowsItsAppearance() {
        MainActor.assumeIsolated {
            let controller = RecordingController()
            XCTAssertFalse(controller.isViewLoaded)
            XCTAssertNil(controller.viewIfLoaded)
            controller.endAppearanceTransition()
            XCTAssertEqual(controller.calls, [])
            controller.beginAppearanceTransition(true, animated: false)
            controller.endAppearanceTransition()
            let appeared = [
                "viewDidLoad", "viewWillAppear", "viewIsAppearing", "viewWillLayoutSubviews", "viewDidLayoutSubviews",
                "viewDidAppear",
            ]
            XCTAssertEqual(controller.calls, appeared)
            XCTAssertEqual(controller.view.bounds.size, CGSize(width: 390, height: 844))
            XCTAssertTrue(controller.view.next === controller)
            controller.view.frame.size.width = 500
            controller.view.layoutIfNeeded()
            controller.beginAppearanceTransition(false, animated: false)
            controller.endAppearanceTransition()
            XCTAssertEqual(
                Array(controller.calls.dropFirst(appeared.count)),
                ["viewWillLayoutSubviews", "viewDidLayoutSubviews", "viewWillDisappear", "viewDidDisappear"])
        }
    }

    func testAControllerPresentsOnlyOneControllerAtATime() {
        let system = system
        MainActor.assumeIsolated {
            let (first, second, third) = (RecordingController(), RecordingController(), RecordingController())
            let presented = XCTestExpectation(description: "the completion is called")
            system.run { first.present(second, animated: false) { presented.fulfill() } }
            XCTAssertEqual(XCTWaiter().wait(for: [presented], timeout: 5), .completed)
            XCTAssertTrue(first.presentedViewController === second)
            XCTAssertTrue(second.presentingViewController === first)
            XCTAssertEqual(second.calls.last, "viewDidAppear")
            first.present(third, animated: false)
            XCTAssertTrue(first.presentedViewController === second)
            XCTAssertEqual(third.calls, [])
            second.dismiss(animated: false)
            XCTAssertNil(first.presentedViewController)
            XCTAssertNil(second.presentingViewController)
            XCTAssertEqual(second.calls.last, "viewDidDisappear")
        }
    }

    func testAChildKnowsItsParent() {
        MainActor.assumeIsolated {
            let (parent, child) = (UIViewController(), RecordingController())
            parent.addChild(child)
            child.didMove(toParent: parent)
            XCTAssertTrue(child.parent === parent)
            XCTAssertEqual(parent.children, [child])
            child.willMove(toParent: nil)
            child.removeFromParent()
            XCTAssertNil(child.parent)
            XCTAssertEqual(parent.children, [])
            XCTAssertEqual(child.calls, ["willMove true", "didMove true", "willMove false", "didMove false"])
        }
    }

    func testAnAlertCallsTheHandlerOfThePressedButton() {
        let (system, messages) = (system, messages)
        MainActor.assumeIsolated {
            let presenter = UIViewController()
            let alert = UIAlertController(title: "Camera", message: "No permission", preferredStyle: .alert)
            var pressed: [String?] = []
            alert.addAction(UIAlertAction(title: "OK", style: .cancel) { pressed.append($0.title) })
            alert.addAction(UIAlertAction(title: "Settings", style: .default) { pressed.append($0.title) })
            system.run { alert.addAction(UIAlertAction(title: "No", style: .cancel)) }
            XCTAssertEqual(alert.actions.map(\.title), ["OK", "Settings"])
            XCTAssertEqual(
                messages.withLock { $0 },
                ["UIAlertController can only have one action with a style of UIAlertActionStyleCancel"])
            presenter.present(alert, animated: true)
            XCTAssertFalse(alert.press("Later"))
            alert.actions[1].isEnabled = false
            XCTAssertFalse(alert.press("Settings"))
            XCTAssertTrue(alert.press("OK"))
            XCTAssertEqual(pressed, ["OK"])
            XCTAssertNil(presenter.presentedViewController)
        }
    }

    func testAnAnimationChangesTheViewImmediatelyAndCompletesLater() {
        MainActor.assumeIsolated {
            let view = UIView()
            let completed = XCTestExpectation(description: "the animation completes")
            UIView.animate(
                withDuration: 0.01, delay: 0, options: .curveEaseInOut, animations: { view.alpha = 0.5 },
                completion: { isFinished in
                    XCTAssertTrue(isFinished)
                    completed.fulfill()
                })
            XCTAssertEqual(view.alpha, 0.5)
            XCTAssertEqual(XCTWaiter().wait(for: [completed], timeout: 5), .completed)
        }
    }

    func testAnAnimationCompletesOnTheClockOfTheCaptureSystem() {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        MainActor.assumeIsolated {
            var completedTimes: [Int64] = []
            system.run {
                UIView.animate(
                    withDuration: 0.25, delay: 0.5, animations: {},
                    completion: { _ in completedTimes.append(clock.now.value / 1_000_000) })
            }
            clock.advance(by: .milliseconds(749))
            XCTAssertEqual(completedTimes, [])
            clock.advance(by: .milliseconds(1))
            XCTAssertEqual(completedTimes, [750])
        }
    }
}
