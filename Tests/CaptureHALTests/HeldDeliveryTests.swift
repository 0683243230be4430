import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import CaptureHAL

final class HeldDeliveryTests: XCTestCase {
    private let clock = HostClock()
    private let queue = DispatchQueue(label: "user")
    private let log = Lock<[String]>([])

    private func deliver(_ name: String) { Self.deliver(name, clock, queue, log) }

    private static func deliver(_ name: String, _ clock: HostClock, _ queue: DispatchQueue, _ log: Lock<[String]>) {
        clock.deliver(
            on: queue, { log.withLock { $0.append(name) } },
            finished: { log.withLock { $0.append("\(name) finished") } })
    }

    func testTheLastCallbackIsKeptBackAndMadeByTheSameThread() throws {
        let held = HeldDelivery.holding { deliver("frame") }
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, [], "nobody else makes it")
        let taken = Lock(held)
        let thread = Lock<pthread_t?>(nil)
        queue.sync {
            thread.withLock { $0 = pthread_self() }
            taken.withLock { $0 }?.make()
        }
        XCTAssertEqual(log.withLock { $0 }, ["frame", "frame finished"])
        XCTAssertEqual(thread.withLock { $0 }, pthread_self())
    }

    func testEarlierCallbacksGoTheirWayInOrder() throws {
        let held = HeldDelivery.holding {
            deliver("lost")
            deliver("frame")
        }
        queue.sync { held?.make() }
        XCTAssertEqual(log.withLock { $0 }, ["lost", "lost finished", "frame", "frame finished"])
    }

    func testACallbackThatIsSentIsMadeOnItsQueue() throws {
        let held = try XCTUnwrap(HeldDelivery.holding { deliver("frame") })
        held.send()
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, ["frame", "frame finished"])
    }

    func testNothingIsKeptBackOutsideAndOnOtherThreads() {
        let held = HeldDelivery.holding {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [clock, queue, log] in
                Self.deliver("other", clock, queue, log)
                done.signal()
            }
            done.wait()
        }
        XCTAssertNil(held)
        deliver("after")
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, ["other", "other finished", "after", "after finished"])
    }

    func testOneKeepingInsideAnotherKeepsItsOwn() {
        var inner: HeldDelivery?
        let outer = HeldDelivery.holding {
            inner = HeldDelivery.holding { deliver("inner") }
            deliver("outer")
        }
        queue.sync { inner?.make() }
        queue.sync { outer?.make() }
        XCTAssertEqual(log.withLock { $0 }, ["inner", "inner finished", "outer", "outer finished"])
    }
}
