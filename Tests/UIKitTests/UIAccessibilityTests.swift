import UIKit
import XCTest

final class UIAccessibilityTests: XCTestCase {
    func testViewsKeepTheirAttributes() {
        MainActor.assumeIsolated {
            let view = UIView()
            XCTAssertFalse(view.isAccessibilityElement)
            XCTAssertNil(view.accessibilityLabel)
            view.isAccessibilityElement = true
            view.accessibilityIdentifier = "preview"
            view.accessibilityTraits = [.image, .updatesFrequently]
            XCTAssertTrue(view.isAccessibilityElement)
            XCTAssertEqual(view.accessibilityIdentifier, "preview")
            XCTAssertTrue(view.accessibilityTraits.contains(.image))
            let label = UILabel()
            label.text = "00:12"
            XCTAssertTrue(label.isAccessibilityElement)
            XCTAssertEqual(label.accessibilityLabel, "00:12")
            label.accessibilityLabel = "12 seconds"
            XCTAssertEqual(label.accessibilityLabel, "12 seconds")
            let button = UIButton(type: .custom)
            button.setTitle("Record", for: .normal)
            XCTAssertEqual(button.accessibilityLabel, "Record")
            XCTAssertEqual(button.accessibilityTraits, .button)
            button.isEnabled = false
            XCTAssertEqual(button.accessibilityTraits, [.button, .notEnabled])
        }
    }

    func testNoAssistiveTechnologyRuns() {
        MainActor.assumeIsolated {
            XCTAssertFalse(UIAccessibility.isVoiceOverRunning)
            XCTAssertFalse(UIAccessibility.isReduceMotionEnabled)
            UIAccessibility.post(notification: .announcement, argument: "Photo taken")
        }
    }
}
