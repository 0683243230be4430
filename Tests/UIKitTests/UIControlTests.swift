import MediaTypes
import UIKit
import XCTest

final class UIControlTests: XCTestCase {
    func testATapPerformsTheActionsOfAButton() {
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            let button = UIButton(type: .custom)
            button.frame = CGRect(x: 50, y: 50, width: 40, height: 40)
            view.addSubview(button)
            var log: [String] = []
            let action = UIAction { action in log.append("up \(action.sender === button)") }
            button.addAction(action, for: .touchUpInside)
            button.addAction(UIAction { _ in log.append("down") }, for: .touchDown)
            button.addAction(UIAction { _ in log.append("value") }, for: .valueChanged)
            view.addGestureRecognizer(UITapGestureRecognizer { _ in log.append("view") })
            XCTAssertTrue(view.tap(at: CGPoint(x: 60, y: 60)))
            XCTAssertEqual(log, ["down", "up true"])
            button.sendActions(for: .valueChanged)
            XCTAssertEqual(log.last, "value")
            log = []
            // The touches of a disabled control reach recognizers of its superviews.
            button.isEnabled = false
            view.tap(at: CGPoint(x: 60, y: 60))
            XCTAssertEqual(log, ["view"])
            button.isEnabled = true
            button.removeAction(action, for: .touchUpInside)
            view.tap(at: CGPoint(x: 60, y: 60))
            XCTAssertEqual(log, ["view", "down"])
        }
    }

    func testAnActionReplacesTheOneWithTheSameIdentifier() {
        MainActor.assumeIsolated {
            var log: [String] = []
            let identifier = UIAction.Identifier("shutter")
            let button = UIButton(
                primaryAction: UIAction(title: "First", identifier: identifier) { log.append($0.title) })
            XCTAssertEqual(button.currentTitle, "First")
            button.addAction(
                UIAction(title: "Second", identifier: identifier) { log.append($0.title) }, for: .primaryActionTriggered
            )
            button.tap(at: .zero)
            button.frame.size = CGSize(width: 10, height: 10)
            button.tap(at: CGPoint(x: 5, y: 5))
            XCTAssertEqual(log, ["Second"])
        }
    }

    func testAButtonShowsTheContentsOfItsState() {
        MainActor.assumeIsolated {
            let image = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 10)).image { _ in }
            let button = UIButton(type: .custom)
            button.setTitle("Start", for: .normal)
            button.setTitle("Stop", for: .selected)
            button.setTitleColor(.yellow, for: .selected)
            button.setImage(image, for: .normal)
            button.sizeToFit()
            XCTAssertEqual(button.currentTitle, "Start")
            XCTAssertEqual(button.currentTitleColor.cgColor, UIColor.white.cgColor)
            button.isSelected = true
            XCTAssertEqual(button.state, .selected)
            XCTAssertEqual(button.currentTitle, "Stop")
            XCTAssertEqual(button.titleLabel?.text, "Stop")
            XCTAssertTrue(button.currentImage === image)
            XCTAssertEqual(button.title(for: .highlighted), nil)
            button.frame.size = CGSize(width: 100, height: 40)
            button.layoutIfNeeded()
            let (imageFrame, labelFrame) = (button.imageView?.frame ?? .zero, button.titleLabel?.frame ?? .zero)
            XCTAssertEqual(imageFrame.minX, 100 - labelFrame.maxX, accuracy: 0.01)
            XCTAssertEqual(imageFrame.midY, 20)
            XCTAssertGreaterThan(labelFrame.minX, imageFrame.maxX)
        }
    }

    func testAButtonIsHighlightedWhileItIsTouched() {
        MainActor.assumeIsolated {
            let button = UIButton(type: .custom)
            button.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
            var states: [UIControl.State] = []
            for event in [UIControl.Event.touchDown, .touchUpInside] {
                button.addAction(UIAction { _ in states.append(button.state) }, for: event)
            }
            button.tap(at: CGPoint(x: 5, y: 5))
            XCTAssertEqual(states, [.highlighted, .normal])
        }
    }
}
