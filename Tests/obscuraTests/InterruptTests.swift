import Dispatch
import Foundation
import XCTest

@testable import obscura

final class InterruptTests: XCTestCase {
    func testASignalImmediatelyAfterCreationIsDetected() {
        // Several instances in one process, as in tests.
        for number in Interrupt.signals.reversed() + [SIGTERM] {
            let wakeUp = DispatchSemaphore(value: 0)
            let interrupt = Interrupt { wakeUp.signal() }
            XCTAssertFalse(interrupt.isRaised)
            raise(number)
            XCTAssertEqual(wakeUp.wait(timeout: .now() + 60), .success, "signal \(number)")
            XCTAssertTrue(interrupt.isRaised)
        }
    }

    func testLaterSignalsAreDetected() {
        let wakeUp = DispatchSemaphore(value: 0)
        let interrupt = Interrupt { wakeUp.signal() }
        for _ in 0..<3 {
            raise(SIGTERM)
            XCTAssertEqual(wakeUp.wait(timeout: .now() + 60), .success)
        }
        XCTAssertTrue(interrupt.isRaised)
    }
}
