import Dispatch
import MediaTypes
import XCTest

@testable import CaptureHAL

final class QueuedCallbackTests: XCTestCase {
    /// Notes what is asked of it, and hands itself over again until it has run three times.
    private final class RecordingCallback: QueuedCallback {
        let log = Lock<[String]>([])
        let ended = DispatchSemaphore(value: 0)
        private let clock: any CaptureClock
        private let queue: DispatchQueue

        init(_ clock: any CaptureClock, _ queue: DispatchQueue) {
            self.clock = clock
            self.queue = queue
        }

        func make() {
            dispatchPrecondition(condition: .onQueue(queue))
            log.withLock { $0.append("made") }
        }

        func finish() {
            let count = log.withLock { log in
                log.append("finished")
                return log.count
            }
            if count < 6 { clock.deliver(on: queue, self) } else { ended.signal() }
        }
    }

    private let order = ["made", "finished", "made", "finished", "made", "finished"]

    func testInRealTimeOneCallbackIsMadeAgainAndAgain() {
        let (clock, queue) = (HostClock(), DispatchQueue(label: "user"))
        let callback = RecordingCallback(clock, queue)
        clock.deliver(on: queue, callback)
        callback.ended.wait()
        XCTAssertEqual(callback.log.withLock { $0 }, order)
    }

    func testInVirtualTimeOneCallbackIsMadeAgainAndAgain() {
        let (clock, queue) = (SimClock(), DispatchQueue(label: "user"))
        let callback = RecordingCallback(clock, queue)
        clock.deliver(on: queue, callback)
        clock.settle()
        XCTAssertEqual(callback.log.withLock { $0 }, order)
    }
}
