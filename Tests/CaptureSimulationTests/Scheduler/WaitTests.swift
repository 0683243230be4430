import XCTest

@testable import CaptureSimulation

/// Tests the waits of work items, without a scheduler.
final class WaitTests: XCTestCase {
    func testAConditionThatWasTrueIsNotEvaluatedAgain() {
        // The condition of a semaphore consumes a signal.
        var signalCount = 2
        let wait = WorkItem.Wait(description: "a semaphore") {
            signalCount -= 1
            return true
        }
        XCTAssertTrue(wait.isOver())
        XCTAssertTrue(wait.isOver())
        XCTAssertEqual(signalCount, 1)
    }
}
