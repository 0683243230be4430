import XCTest

@testable import CaptureHAL

final class TimerQueueTests: XCTestCase {
    /// Removes the entries that are due, and returns their scheduling order.
    private func popAll(_ queue: inout TimerQueue, by limit: Int64) -> [UInt64] {
        var orders: [UInt64] = []
        while let entry = queue.popDue(by: limit) { orders.append(entry.order) }
        return orders
    }

    func testActionsAreOrderedByDueTimeThenBySchedulingOrder() {
        var queue = TimerQueue()
        for due in [30, 10, 20, 10, 30, 10] as [Int64] { _ = queue.insert(due: due) {} }
        XCTAssertEqual(queue.nextDue, 10)
        XCTAssertEqual(popAll(&queue, by: 9), [])
        XCTAssertEqual(popAll(&queue, by: 20), [1, 3, 5, 2])
        XCTAssertEqual(queue.nextDue, 30)
        XCTAssertEqual(popAll(&queue, by: 30), [0, 4])
        XCTAssertNil(queue.nextDue)
    }

    func testCancelledActionsAreSkipped() {
        var queue = TimerQueue()
        let all = [10, 20, 30].map { queue.insert(due: $0) {} }
        XCTAssertEqual(queue.cancel(all[0])?.due, 10)
        XCTAssertNil(queue.cancel(all[0]), "already cancelled")
        XCTAssertEqual(queue.nextDue, 20)
        XCTAssertEqual(queue.cancel(all[2])?.due, 30)
        XCTAssertEqual(popAll(&queue, by: 100), [all[1]])
        XCTAssertNil(queue.cancel(all[1]), "already run")
    }
}
