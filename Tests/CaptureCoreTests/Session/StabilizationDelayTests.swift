import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class StabilizationDelayTests: XCTestCase {
    func testCancelingWaitsForADeliveryOnAnotherThread() throws {
        let fixture = try CaptureFixture()
        let delay = StabilizationDelay(clock: HostClock())
        let connection = fixture.inSystem { AVCaptureConnection(inputPorts: [], output: AVCaptureVideoDataOutput()) }
        let (deliveryStarted, cancelReturned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let didCancelReturnDuringDelivery = Lock<Bool?>(nil)
        delay.schedule(for: connection, after: CMTime(value: 1, timescale: 1000)) {
            deliveryStarted.signal()
            // `cancel()` must not return during this time. A virtual clock cannot be used, because it runs nothing on
            // another thread.
            let result = cancelReturned.wait(timeout: .now() + 0.2)
            didCancelReturnDuringDelivery.withLock { $0 = result == .success }
        }
        // The delay of an hour ensures that this frame waits when `cancel()` is called.
        delay.schedule(for: connection, after: CMTime(value: 3600, timescale: 1)) {
            XCTFail("delivered after cancel()")
        }
        XCTAssertTrue(delay.isWaiting)
        // The timeout expires only if the test fails.
        XCTAssertEqual(deliveryStarted.wait(timeout: .now() + 60), .success)
        delay.cancel()
        cancelReturned.signal()
        XCTAssertEqual(didCancelReturnDuringDelivery.withLock { $0 }, false)
        XCTAssertFalse(delay.isWaiting)
    }
}
