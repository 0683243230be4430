import MediaTypes
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

    func testTheOrderOfManyActionsIsThatOfASortedList() {
        var random = SplitMix64(seed: 1)
        var queue = TimerQueue()
        var expected: [(due: Int64, order: UInt64)] = []
        var popped = 0
        for _ in 0..<4_000 {
            switch random.index(below: 5) {
            case 0...2:
                let due = Int64(random.index(below: 1_000))
                expected.append((due, queue.insert(due: due) {}))
            case 3:
                guard !expected.isEmpty else { continue }
                let removed = expected.remove(at: random.index(below: expected.count))
                XCTAssertEqual(queue.cancel(removed.order)?.due, removed.due)
            default:
                let next = expected.min { $0 < $1 }
                XCTAssertEqual(queue.nextDue, next?.due)
                XCTAssertEqual(queue.popDue(by: 1_000)?.order, next?.order)
                expected.removeAll { $0.order == next?.order }
                popped += 1
            }
        }
        XCTAssertGreaterThan(popped, 500)
        let rest = expected.sorted { $0 < $1 }.map(\.order)
        XCTAssertEqual(popAll(&queue, by: .max), rest)
    }
}
