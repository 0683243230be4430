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
        let (isDelivering, isCanceled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let wasCanceledDuringDelivery = Lock<Bool?>(nil)
        delay.deliver(to: connection, after: CMTime(value: 1, timescale: 1000)) {
            isDelivering.signal()
            let result = isCanceled.wait(timeout: .now() + 0.2)
            wasCanceledDuringDelivery.withLock { $0 = result == .success }
        }
        delay.deliver(to: connection, after: CMTime(value: 2, timescale: 1000)) { XCTFail("delivered after cancel()") }
        XCTAssertEqual(isDelivering.wait(timeout: .now() + 60), .success)
        delay.cancel()
        isCanceled.signal()
        XCTAssertEqual(wasCanceledDuringDelivery.withLock { $0 }, false)
    }
}
