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

    func testCallbacksRunOnTheirQueueAndThenFinish() {
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

    func testAnActionCanScheduleATimerBeforeAllOthers() {
        let clock = HostClock()
        let seen = Lock<[String]>([])
        let done = expectation(description: "the last action")
        let start = clock.now
        @Sendable func due(_ milliseconds: Int64) -> CMTime { start + CMTime(value: milliseconds, timescale: 1000) }
        clock.schedule(at: due(60)) {
            seen.withLock { $0.append("last") }
            done.fulfill()
        }
        clock.schedule(at: due(10)) {
            seen.withLock { $0.append("first") }
            clock.schedule(at: due(20)) { seen.withLock { $0.append("second") } }
        }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(seen.withLock { $0 }, ["first", "second", "last"])
    }

    func testAReleasedClockRunsNoMoreActions() {
        var clock: HostClock? = HostClock()
        let hasBegun = expectation(description: "the first action")
        let isReleased = expectation(description: "the second action is released")
        let resume = DispatchSemaphore(value: 0)
        clock?.schedule(at: .zero) {
            hasBegun.fulfill()
            resume.wait()
        }
        clock?.schedule(at: .zero) { [observer = DeinitObserver { isReleased.fulfill() }] in
            withExtendedLifetime(observer) { XCTFail("an action of a released clock ran") }
        }
        wait(for: [hasBegun], timeout: 30)
        clock = nil
        resume.signal()
        wait(for: [isReleased], timeout: 30)
    }

    /// Calls a closure when it is deallocated.
    private final class DeinitObserver: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
    }
}
