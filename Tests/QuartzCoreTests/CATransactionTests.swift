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

    func testTheKeysOfPropertiesSetThem() {
        CATransaction.begin()
        CATransaction.setValue(kCFBooleanTrue, forKey: kCATransactionDisableActions)
        CATransaction.setValue(NSNumber(value: 2), forKey: kCATransactionAnimationDuration)
        let function = CAMediaTimingFunction(name: .easeIn)
        CATransaction.setValue(function, forKey: kCATransactionAnimationTimingFunction)
        XCTAssertTrue(CATransaction.disableActions())
        XCTAssertEqual(CATransaction.value(forKey: "disableActions") as? Bool, true)
        XCTAssertEqual(CATransaction.animationDuration(), 2)
        XCTAssertTrue(CATransaction.animationTimingFunction() === function)
        CATransaction.setValue(false, forKey: kCATransactionDisableActions)
        XCTAssertFalse(CATransaction.disableActions())
        let isCalled = expectation(description: "the completion block is called")
        let block: @Sendable () -> Void = { isCalled.fulfill() }
        CATransaction.setValue(block, forKey: kCATransactionCompletionBlock)
        CATransaction.setValue("own", forKey: "key")
        XCTAssertEqual(CATransaction.value(forKey: "key") as? String, "own")
        CATransaction.commit()
        wait(for: [isCalled], timeout: 20)
    }

    func testFlushCommitsTheImplicitTransaction() {
        CATransaction.setDisableActions(true)
        CATransaction.flush()
        XCTAssertFalse(CATransaction.disableActions())
    }
}
