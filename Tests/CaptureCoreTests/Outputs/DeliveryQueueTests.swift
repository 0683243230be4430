import CaptureHAL
import Dispatch
import MediaTypes
import XCTest

@testable import CaptureCore

final class DeliveryQueueTests: XCTestCase {
    // MARK: Decisions

    func testAnItemIsDeliveredIfTheClientIsIdle() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.submit(1, discardsLate: true), .deliver)
        XCTAssertTrue(state.isBusy)
        XCTAssertNil(state.finish())
        XCTAssertFalse(state.isBusy)
        XCTAssertEqual(state.submit(2, discardsLate: false), .deliver)
    }

    func testLateItemsAreDroppedIfTheyAreDiscarded() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.submit(1, discardsLate: true), .deliver)
        XCTAssertEqual(state.submit(2, discardsLate: true), .drop)
        XCTAssertEqual(state.submit(3, discardsLate: true), .drop)
        XCTAssertNil(state.finish())
        XCTAssertEqual(state.submit(4, discardsLate: true), .deliver)
    }

    func testLateItemsThatAreNotDiscardedAreDeliveredInOrder() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.submit(1, discardsLate: false), .deliver)
        XCTAssertEqual(state.submit(2, discardsLate: false), .queue)
        XCTAssertEqual(state.submit(3, discardsLate: false), .queue)
        XCTAssertEqual(state.finish(), 2)
        XCTAssertEqual(state.submit(4, discardsLate: true), .drop, "the client is busy with 2")
        XCTAssertEqual(state.finish(), 3)
        XCTAssertTrue(state.isBusy)
        XCTAssertNil(state.finish())
        XCTAssertFalse(state.isBusy)
    }

    func testTheNumberOfWaitingItemsIsLimited() {
        var state = DeliveryState<Int>()
        XCTAssertEqual(state.submit(0, discardsLate: false, limit: 2), .deliver)
        XCTAssertEqual(state.submit(1, discardsLate: false, limit: 2), .queue)
        XCTAssertEqual(state.submit(2, discardsLate: false, limit: 2), .queue)
        XCTAssertEqual(state.submit(3, discardsLate: false, limit: 2), .drop)
        XCTAssertEqual(state.finish(), 1)
        XCTAssertEqual(state.submit(4, discardsLate: false, limit: 2), .queue)
        XCTAssertEqual(state.finish(), 2)
        XCTAssertEqual(state.finish(), 4)
    }

    // MARK: Delivery

    func testEachItemIsDeliveredOnceAndOneAtATimeFromManyThreads() {
        let deliveries = DeliveryQueue(SystemReference(name: nil, clock: HostClock()))
        let queue = DispatchQueue(label: "client", attributes: .concurrent)
        let state = Lock((running: 0, maximum: 0, delivered: [Int]()))
        let done = expectation(description: "all items")
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for index in 0..<500 {
                let item = thread * 500 + index
                let isAccepted = deliveries.submit(on: queue, discardsLate: false) {
                    state.withLock { state in
                        state.running += 1
                        state.maximum = max(state.maximum, state.running)
                        state.delivered.append(item)
                    }
                    let isLast = state.withLock { state in
                        state.running -= 1
                        return state.delivered.count == 2000
                    }
                    if isLast { done.fulfill() }
                }
                XCTAssertTrue(isAccepted)
            }
        }
        wait(for: [done], timeout: 30)
        let (running, maximum, delivered) = state.withLock { $0 }
        XCTAssertEqual(running, 0)
        XCTAssertEqual(maximum, 1, "two at a time")
        XCTAssertEqual(delivered.sorted(), Array(0..<2000))
    }

    func testALateItemIsDroppedWhileACallbackRuns() {
        let clock = SimClock()
        let deliveries = DeliveryQueue(SystemReference(name: nil, clock: clock))
        let queue = DispatchQueue(label: "client")
        let delivered = Lock<[Int]>([])
        let submit = { (item: Int) in
            deliveries.submit(on: queue, discardsLate: true) {
                delivered.withLock { $0.append(item) }
                clock.spend(.milliseconds(50))
            }
        }
        XCTAssertTrue(submit(1))
        clock.advance(by: .milliseconds(40))
        XCTAssertFalse(submit(2), "the callback takes 50 ms")
        clock.advance(by: .milliseconds(20))
        XCTAssertTrue(submit(3))
        clock.settle()
        XCTAssertEqual(delivered.withLock { $0 }, [1, 3])
    }
}
