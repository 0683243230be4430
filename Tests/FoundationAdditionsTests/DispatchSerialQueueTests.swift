import Dispatch
import FoundationAdditions
import MediaTypes
import XCTest

final class DispatchSerialQueueTests: XCTestCase {
    private actor Counter {
        let queue: DispatchSerialQueue
        private(set) var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

        init(queue: DispatchSerialQueue = DispatchSerialQueue(label: "counter")) { self.queue = queue }

        func increment() {
            dispatchPrecondition(condition: .onQueue(queue))
            count += 1
        }

        /// Must be called on the queue.
        nonisolated func incrementOnQueue() { assumeIsolated { $0.count += 1 } }
    }

    func testTheJobsOfAnActorRunOnItsQueue() async {
        let counter = Counter()
        await counter.increment()
        let count = await counter.count
        XCTAssertEqual(count, 1)
    }

    func testWorkOnTheQueueIsIsolatedToTheActor() async {
        let counter = Counter()
        let queue = counter.queue
        await counter.increment()
        queue.async { counter.incrementOnQueue() }
        await withCheckedContinuation { continuation in
            queue.async {
                counter.incrementOnQueue()
                continuation.resume()
            }
        }
        queue.sync { counter.incrementOnQueue() }
        let count = await counter.count
        XCTAssertEqual(count, 4)
    }

    func testTheMainQueueCanBeAnExecutor() async {
        let counter = Counter(queue: .main)
        await counter.increment()
        await MainActor.run { counter.incrementOnQueue() }
        let count = await counter.count
        XCTAssertEqual(count, 2)
    }

    func testAConcurrentQueueRunsTheJobsOneAtATime() async {
        let counter = Counter(queue: DispatchQueue(label: "concurrent", attributes: .concurrent))
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { await counter.increment() } }
        }
        let count = await counter.count
        XCTAssertEqual(count, 200)
    }
}
