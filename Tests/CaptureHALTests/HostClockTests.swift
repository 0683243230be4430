import Dispatch
import MediaTypes
import XCTest

@testable import CaptureHAL

final class HostClockTests: XCTestCase {
    func testActionsRunInOrderAndNotBeforeTheirTime() {
        let clock = HostClock()
        let start = clock.now
        let seen = Lock<[Int]>([])
        let early = Lock(0)
        let done = expectation(description: "all actions")
        for index in [3, 1, 2, 0] {
            let due = start + CMTime(value: Int64(index) * 5, timescale: 1000)
            clock.schedule(at: due) {
                if clock.now < due { early.withLock { $0 += 1 } }
                seen.withLock { $0.append(index) }
                if index == 3 { done.fulfill() }
            }
        }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(seen.withLock { $0 }, [0, 1, 2, 3])
        XCTAssertEqual(early.withLock { $0 }, 0)
    }

    func testACancelledActionDoesNotRun() {
        let clock = HostClock()
        let ran = Lock(false)
        let done = expectation(description: "the later action")
        let start = clock.now
        let timer = clock.schedule(at: start + CMTime(value: 20, timescale: 1000)) { ran.withLock { $0 = true } }
        clock.schedule(at: start + CMTime(value: 40, timescale: 1000)) { done.fulfill() }
        timer.cancel()
        wait(for: [done], timeout: 30)
        XCTAssertFalse(ran.withLock { $0 })
    }

    func testAnActionWhoseTimeHasPassedRuns() {
        let clock = HostClock()
        let done = expectation(description: "action")
        clock.schedule(at: .zero) { done.fulfill() }
        wait(for: [done], timeout: 30)
    }

    func testCallbacksComeOnTheirQueueAndThenFinish() {
        let clock = HostClock()
        let queue = DispatchQueue(label: "user")
        let order = Lock<[String]>([])
        let done = expectation(description: "finished")
        clock.deliver(
            on: queue,
            {
                dispatchPrecondition(condition: .onQueue(queue))
                order.withLock { $0.append("callback") }
            },
            finished: {
                order.withLock { $0.append("finished") }
                done.fulfill()
            })
        wait(for: [done], timeout: 30)
        XCTAssertEqual(order.withLock { $0 }, ["callback", "finished"])
    }
}
