import Dispatch
import MediaTypes
import XCTest

@testable import CaptureHAL

final class SimClockTests: XCTestCase {
    /// Records events with the virtual time.
    private final class Log: Sendable {
        private let lines = Lock<[String]>([])
        let clock: SimClock

        init(_ clock: SimClock) { self.clock = clock }

        func record(_ text: String) {
            let milliseconds = clock.now.nanoseconds / 1_000_000
            lines.withLock { $0.append("\(milliseconds) \(text)") }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    private let misuses = Lock<[Misuse]>([])

    private func makeClock() -> SimClock {
        let misuses = misuses
        return SimClock(misuse: MisuseHandler { misuse in misuses.withLock { $0.append(misuse) } })
    }

    func testActionsRunInOrderOfTimeThenOfScheduling() {
        let clock = makeClock()
        let log = Log(clock)
        clock.schedule(at: CMTime(value: 2, timescale: 1000)) { log.record("second") }
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) { log.record("first") }
        clock.schedule(at: CMTime(value: 2, timescale: 1000)) { log.record("third") }
        clock.advance(by: .milliseconds(2))
        XCTAssertEqual(log.all, ["1 first", "2 second", "2 third"])
    }

    func testAnActionThatAnActionSchedulesRunsAtItsTime() {
        let clock = makeClock()
        let log = Log(clock)
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) {
            log.record("outer")
            clock.schedule(at: clock.now + CMTime(value: 3, timescale: 1000)) { log.record("inner") }
        }
        clock.advance(by: .milliseconds(3))
        XCTAssertEqual(log.all, ["1 outer"])
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(log.all, ["1 outer", "4 inner"])
    }

    func testACancelledActionDoesNotRun() {
        let clock = makeClock()
        let log = Log(clock)
        let timer = clock.schedule(at: CMTime(value: 1, timescale: 1000)) { log.record("cancelled") }
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) { log.record("kept") }
        timer.cancel()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(log.all, ["1 kept"])
    }

    func testManyTimersRunInOrder() {
        let clock = makeClock()
        let log = Log(clock)
        var times: [Int64] = []
        // The linear congruential generator of Knuth's MMIX.
        var state: UInt64 = 7
        for _ in 0..<500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let time = Int64(state >> 40) % 200
            times.append(time)
            clock.schedule(at: CMTime(value: time, timescale: 1000)) { log.record("\(time)") }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(log.all, times.sorted().map { "\($0) \($0)" })
    }

    func testTimeWaitsForACallbackOnAnotherQueue() {
        let clock = makeClock()
        let log = Log(clock)
        let queue = DispatchQueue(label: "user")
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) {
            clock.deliver(on: queue) { log.record("callback") }
            log.record("action")
        }
        clock.schedule(at: CMTime(value: 2, timescale: 1000)) { log.record("next") }
        clock.advance(by: .milliseconds(5))
        XCTAssertEqual(log.all, ["1 action", "1 callback", "2 next"])
    }

    func testCallbacksOfOneActionRunInOrderAlsoOnDifferentQueues() {
        let clock = makeClock()
        let log = Log(clock)
        let queues = (0..<8).map { DispatchQueue(label: "user \($0)") }
        clock.schedule(at: .zero) {
            for index in 0..<64 {
                clock.deliver(on: queues[index % 8]) { log.record("\(index)") }
            }
        }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(log.all, (0..<64).map { "0 \($0)" })
    }

    func testADeclaredCostDelaysTheEndOfTheCallback() {
        let clock = makeClock()
        let log = Log(clock)
        clock.schedule(at: .zero) {
            clock.deliver(
                on: DispatchQueue(label: "user"),
                {
                    clock.spend(.milliseconds(30))
                    clock.spend(.milliseconds(12))
                }, finished: { log.record("finished") })
        }
        clock.advance(by: .milliseconds(41))
        XCTAssertEqual(log.all, [])
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(log.all, ["42 finished"])
    }

    func testRegisteredQueuesAreDrainedBeforeTimeAdvances() {
        let clock = makeClock()
        let log = Log(clock)
        let first = DispatchQueue(label: "first")
        let second = DispatchQueue(label: "second")
        clock.register(first)
        clock.register(second)
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) {
            first.async { second.async { first.async { log.record("far") } } }
        }
        clock.schedule(at: CMTime(value: 2, timescale: 1000)) { log.record("later") }
        clock.advance(by: .milliseconds(2))
        XCTAssertEqual(log.all, ["1 far", "2 later"])
    }

    func testTheMainQueueRunsWhileTheMainThreadAdvances() {
        let clock = makeClock()
        let log = Log(clock)
        clock.schedule(at: CMTime(value: 1, timescale: 1000)) {
            clock.deliver(on: .main) {
                dispatchPrecondition(condition: .onQueue(.main))
                log.record("main")
            }
        }
        clock.schedule(at: CMTime(value: 2, timescale: 1000)) { log.record("later") }
        clock.advance(by: .milliseconds(2))
        XCTAssertEqual(log.all, ["1 main", "2 later"])
    }

    func testTheMainThreadCanAdvanceAfterDeliveriesToTheMainQueue() {
        let clock = makeClock()
        let log = Log(clock)
        for number in 1...2 { clock.deliver(on: .main) { log.record("\(number)") } }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(log.all, ["0 1", "0 2"])
        XCTAssertEqual(misuses.withLock { $0.count }, 0)
    }

    func testAMainThreadThatDoesNotRunItsQueueIsReportedOnce() {
        let misuses = misuses
        let clock = SimClock(
            misuse: MisuseHandler { misuse in misuses.withLock { $0.append(misuse) } },
            mainQueueTimeout: .milliseconds(20))
        let log = Log(clock)
        for number in 1...3 { clock.deliver(on: .main) { log.record("\(number)") } }
        let hasAdvanced = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            clock.advance(by: .milliseconds(1))
            hasAdvanced.signal()
        }
        XCTAssertEqual(hasAdvanced.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(misuses.withLock { $0.map(\.exception) }, [.internalInconsistency])
        XCTAssertEqual(log.all, [])
        let mainQueueRuns = expectation(description: "the main queue runs")
        DispatchQueue.main.async { mainQueueRuns.fulfill() }
        wait(for: [mainQueueRuns], timeout: 60)
        XCTAssertEqual(log.all, ["1 1", "1 2", "1 3"])
    }

    func testACallbackCanWaitForTheMainQueue() {
        let clock = makeClock()
        let log = Log(clock)
        clock.schedule(at: .zero) {
            clock.deliver(on: DispatchQueue(label: "user")) { DispatchQueue.main.sync { log.record("main") } }
        }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(log.all, ["0 main"])
    }

    func testAdvancingFromACallbackIsMisuse() {
        let clock = makeClock()
        clock.schedule(at: .zero) {
            clock.deliver(on: DispatchQueue(label: "user")) { clock.advance(by: .seconds(1)) }
        }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(misuses.withLock { $0.map(\.exception) }, [.internalInconsistency])
        XCTAssertEqual(clock.now, CMTime(value: 1, timescale: 1000))
    }

    func testAdvancingFromACallbackOnTheMainQueueIsMisuse() {
        let clock = makeClock()
        clock.schedule(at: .zero) { clock.deliver(on: .main) { clock.advance(by: .seconds(1)) } }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(misuses.withLock { $0.count }, 1)
        XCTAssertEqual(clock.now, CMTime(value: 1, timescale: 1000))
    }

    func testAdvancingFromARegisteredQueueIsMisuse() {
        let clock = makeClock()
        let queue = DispatchQueue(label: "user")
        clock.register(queue)
        queue.sync { clock.advance(by: .seconds(1)) }
        XCTAssertEqual(misuses.withLock { $0.count }, 1)
        XCTAssertEqual(clock.now, .zero)
    }

    func testAdvancingFromAnActionIsMisuse() {
        let clock = makeClock()
        clock.schedule(at: .zero) { clock.advance(by: .seconds(1)) }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(misuses.withLock { $0.count }, 1)
    }

    func testAdvancingToAnEarlierTimeIsMisuse() {
        let clock = makeClock()
        clock.advance(by: .seconds(2))
        clock.advance(to: CMTime(value: 1, timescale: 1))
        XCTAssertEqual(misuses.withLock { $0.count }, 1)
        XCTAssertEqual(clock.now, CMTime(value: 2, timescale: 1))
    }

    func testRunStopsAsSoonAsTheConditionIsTrue() {
        let clock = makeClock()
        let count = Lock(0)
        @Sendable func tick(_ number: Int64) {
            clock.schedule(at: CMTime(value: number, timescale: 100)) {
                count.withLock { $0 += 1 }
                tick(number + 1)
            }
        }
        tick(1)
        XCTAssertTrue(clock.run(until: { count.withLock { $0 } == 5 }))
        XCTAssertEqual(clock.now, CMTime(value: 5, timescale: 100))
        XCTAssertFalse(clock.run(until: { false }, limit: .seconds(1)))
        XCTAssertEqual(count.withLock { $0 }, 105)
    }

    func testBetweenAdvancesNothingHappens() {
        let clock = makeClock()
        let log = Log(clock)
        for index in 0..<3 {
            clock.deliver(on: DispatchQueue(label: "user \(index)")) { log.record("\(index)") }
        }
        clock.schedule(at: .zero) { log.record("timer") }
        XCTAssertEqual(log.all, [])
        clock.settle()
        XCTAssertEqual(log.all, ["0 0", "0 1", "0 2", "0 timer"])
    }

    func testCallbacksFromManyThreadsRunOnce() {
        let clock = makeClock()
        let log = Log(clock)
        DispatchQueue.concurrentPerform(iterations: 50) { index in
            clock.deliver(on: DispatchQueue(label: "user")) { log.record("\(index)") }
        }
        clock.settle()
        XCTAssertEqual(Set(log.all), Set((0..<50).map { "0 \($0)" }))
        XCTAssertEqual(log.all.count, 50)
    }
}
