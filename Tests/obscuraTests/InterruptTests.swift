import Dispatch
import Foundation
import XCTest

@testable import obscura

final class InterruptTests: XCTestCase {
    func testASignalIsNoticedThatComesAtOnce() {
        // More than one in a process, as tests have them.
        for number in [SIGHUP, SIGTERM, SIGINT, SIGTERM] {
            let bell = DispatchSemaphore(value: 0)
            let interrupt = Interrupt(ringing: bell)
            XCTAssertFalse(interrupt.isRaised)
            raise(number)
            XCTAssertEqual(bell.wait(timeout: .now() + 60), .success, "signal \(number)")
            XCTAssertTrue(interrupt.isRaised)
        }
    }

    func testASignalIsNoticedThatComesLater() {
        let bell = DispatchSemaphore(value: 0)
        let interrupt = Interrupt(ringing: bell)
        for _ in 0..<3 {
            raise(SIGTERM)
            XCTAssertEqual(bell.wait(timeout: .now() + 60), .success)
        }
        XCTAssertTrue(interrupt.isRaised)
    }
}
