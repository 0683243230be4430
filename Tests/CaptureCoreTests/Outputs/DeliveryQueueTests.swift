import Dispatch
import MediaTypes
import XCTest

@testable import CaptureCore

final class DeliveryQueueTests: XCTestCase {
    func testAnItemIsDeliveredWhenTheClientIsFree() {
        let order = DeliveryOrder<Int>()
        XCTAssertTrue(order.begin())
        XCTAssertFalse(order.begin(), "the client is busy")
        XCTAssertNil(order.finish())
        XCTAssertTrue(order.begin())
    }

    func testKeptItemsComeInOrder() {
        let order = DeliveryOrder<Int>()
        XCTAssertTrue(order.begin())
        XCTAssertNil(order.wait(2))
        XCTAssertNil(order.wait(3))
        XCTAssertEqual(order.finish(), 2)
        XCTAssertFalse(order.begin())
        XCTAssertEqual(order.finish(), 3)
        XCTAssertFalse(order.begin(), "the last one is with the client")
        XCTAssertNil(order.finish())
        XCTAssertTrue(order.begin())
    }

    func testAnItemThatNeedNotWaitComesBack() {
        let order = DeliveryOrder<Int>()
        XCTAssertEqual(order.wait(1), 1)
        XCTAssertFalse(order.begin())
        XCTAssertNil(order.wait(2))
        XCTAssertEqual(order.finish(), 2)
        XCTAssertNil(order.finish())
    }

    func testEachItemComesOnceAndOneAtATimeFromManyThreads() {
        final class Client: Sendable {
            let order = DeliveryOrder<Int>()
            let state = Lock((inside: 0, most: 0, seen: [Int]()))

            func deliver(_ item: Int) {
                var present: Int? = item
                while let item = present {
                    state.withLock { state in
                        state.inside += 1
                        state.most = max(state.most, state.inside)
                        state.seen.append(item)
                    }
                    state.withLock { $0.inside -= 1 }
                    present = order.finish()
                }
            }
        }
        let client = Client()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for index in 0..<2000 {
                let item = thread * 2000 + index
                if client.order.begin() {
                    client.deliver(item)
                } else if let now = client.order.wait(item) {
                    client.deliver(now)
                }
            }
        }
        let (inside, most, seen) = client.state.withLock { $0 }
        XCTAssertEqual(inside, 0)
        XCTAssertEqual(most, 1, "two at a time")
        XCTAssertEqual(seen.sorted(), Array(0..<8000))
        XCTAssertTrue(client.order.begin(), "nothing is left")
    }
}
