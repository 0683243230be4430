import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class StabilizationDelayTests: XCTestCase {
    func testCancelingWaitsForADeliveryOnAnotherThread() throws {
        let fixture = try CaptureFixture()
        let delay = StabilizationDelay(clock: HostClock())
        let connection = fixture.run { AVCaptureConnection(inputPorts: [], output: AVCaptureVideoDataOutput()) }
        let (deliveryStarted, cancelReturned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let didCancelReturnDuringDelivery = Lock<Bool?>(nil)
        delay.deliver(to: connection, after: CMTime(value: 1, timescale: 1000)) {
            deliveryStarted.signal()
            // Real time is needed: under a virtual clock, nothing runs on another thread. For so long `cancel()` must
            // not return.
            let result = cancelReturned.wait(timeout: .now() + 0.2)
            didCancelReturnDuringDelivery.withLock { $0 = result == .success }
        }
        // An hour later, so that it is certainly still waiting when `cancel()` is called.
        delay.deliver(to: connection, after: CMTime(value: 3600, timescale: 1)) { XCTFail("delivered after cancel()") }
        XCTAssertTrue(delay.isWaiting)
        // The timeout ends the test only if it fails.
        XCTAssertEqual(deliveryStarted.wait(timeout: .now() + 60), .success)
        delay.cancel()
        cancelReturned.signal()
        XCTAssertEqual(didCancelReturnDuringDelivery.withLock { $0 }, false)
        XCTAssertFalse(delay.isWaiting)
    }
}
