import QuartzCore
import XCTest

final class CATransactionTests: XCTestCase {
    func testFlushDoesNotCommitAnExplicitTransaction() {
        CATransaction.begin()
        CATransaction.setAnimationDuration(2)
        CATransaction.flush()
        XCTAssertEqual(CATransaction.animationDuration(), 2)
        CATransaction.commit()
        XCTAssertEqual(CATransaction.animationDuration(), 0.25)
    }

    func testFlushCommitsTheImplicitTransactionAfterTheExplicitOnes() {
        CATransaction.setAnimationDuration(2)
        CATransaction.begin()
        CATransaction.setAnimationDuration(3)
        CATransaction.flush()
        XCTAssertEqual(CATransaction.animationDuration(), 3)
        CATransaction.commit()
        XCTAssertEqual(CATransaction.animationDuration(), 0.25)
        CATransaction.flush()
    }

    func testFlushCommitsTheImplicitTransaction() {
        CATransaction.setDisableActions(true)
        CATransaction.flush()
        XCTAssertFalse(CATransaction.disableActions())
    }
}
