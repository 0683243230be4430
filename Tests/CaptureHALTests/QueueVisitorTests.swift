import Dispatch
import MediaTypes
import XCTest

@testable import CaptureHAL

final class QueueVisitorTests: XCTestCase {
    private let key = DispatchSpecificKey<String>()

    private func makeQueue(_ name: String, target: DispatchQueue? = nil) -> DispatchQueue {
        let queue = DispatchQueue(label: name, target: target)
        queue.setSpecific(key: key, value: name)
        return queue
    }

    func testTheBodyRunsOnTheQueueEachTime() {
        let log = Lock<[String]>([])
        let present = Lock<DispatchQueue?>(nil)
        let visitor = QueueVisitor { [key] in
            if let queue = present.withLock({ $0 }) { dispatchPrecondition(condition: .onQueue(queue)) }
            log.withLock { $0.append(DispatchQueue.getSpecific(key: key) ?? "none") }
        }
        let first = makeQueue("first")
        let second = makeQueue("second", target: makeQueue("target"))
        for queue in [first, second, first] {
            XCTAssertFalse(visitor.isAimed(at: queue))
            visitor.aim(at: queue)
            XCTAssertTrue(visitor.isAimed(at: queue))
            present.withLock { $0 = queue }
            for _ in 1...3 { visitor.visit() }
        }
        XCTAssertEqual(
            log.withLock { $0 },
            Array(repeating: "first", count: 3) + Array(repeating: "second", count: 3)
                + Array(repeating: "first", count: 3))
    }

    func testAVisitWaitsForWhatIsOnTheQueueAndIsAloneThere() {
        let log = Lock<[Int]>([])
        let visitor = QueueVisitor { log.withLock { $0.append(-1) } }
        let queue = makeQueue("queue")
        visitor.aim(at: queue)
        for number in 1...100 {
            queue.async { log.withLock { $0.append(number) } }
            visitor.visit()
        }
        XCTAssertEqual(log.withLock { $0 }, (1...100).flatMap { [$0, -1] })
    }

    func testOneThatIsAimedAtNothingVisitsNothing() {
        let count = Lock(0)
        QueueVisitor { count.withLock { $0 += 1 } }.visit()
        XCTAssertEqual(count.withLock { $0 }, 0)
    }
}
