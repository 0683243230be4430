import UIKit
import XCTest

final class UISafeAreaTests: XCTestCase {
    func testTheSafeAreaIsTheViewWithoutItsInsets() {
        final class Notched: UIView {
            override var safeAreaInsets: UIEdgeInsets { UIEdgeInsets(top: 40, left: 0, bottom: 20, right: 10) }
        }
        MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 5, y: 5, width: 100, height: 200))
            XCTAssertEqual(view.safeAreaLayoutGuide.layoutFrame, view.bounds)
            let notched = Notched(frame: view.frame)
            XCTAssertEqual(
                notched.safeAreaLayoutGuide.layoutFrame, CGRect(x: 0, y: 40, width: 90, height: 140))
            XCTAssertTrue(notched.safeAreaLayoutGuide === notched.safeAreaLayoutGuide)
            XCTAssertTrue(notched.safeAreaLayoutGuide.owningView === notched)
        }
    }
}
