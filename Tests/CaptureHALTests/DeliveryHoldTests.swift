import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import CaptureHAL

final class DeliveryHoldTests: XCTestCase {
    private let clock = HostClock()
    private let queue = DispatchQueue(label: "user")
    private let log = Lock<[String]>([])

    private func deliver(_ name: String) { Self.deliver(name, clock, queue, log) }

    private static func deliver(_ name: String, _ clock: HostClock, _ queue: DispatchQueue, _ log: Lock<[String]>) {
        clock.deliver(
            on: queue, { log.withLock { $0.append(name) } },
            finished: { log.withLock { $0.append("\(name) finished") } })
    }

    /// What is kept back of what `tell` delivers.
    private func held(_ tell: () -> Void) -> DeliveryHold? {
        let hold = DeliveryHold()
        hold.begin()
        tell()
        return hold.end() ? hold : nil
    }

    func testTheLastCallbackIsKeptBackAndMadeByTheSameThread() throws {
        let kept = held { deliver("frame") }
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, [], "nobody else makes it")
        let taken = Lock(kept)
        let thread = Lock<pthread_t?>(nil)
        queue.sync {
            thread.withLock { $0 = pthread_self() }
            taken.withLock { $0 }?.makeHeld()
        }
        XCTAssertEqual(log.withLock { $0 }, ["frame", "frame finished"])
        XCTAssertEqual(thread.withLock { $0 }, pthread_self())
    }

    func testEarlierCallbacksGoTheirWayInOrder() throws {
        let kept = held {
            deliver("lost")
            deliver("frame")
        }
        queue.sync { kept?.makeHeld() }
        XCTAssertEqual(log.withLock { $0 }, ["lost", "lost finished", "frame", "frame finished"])
    }

    func testACallbackThatIsSentIsMadeOnItsQueue() throws {
        let kept = try XCTUnwrap(held { deliver("frame") })
        kept.send()
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, ["frame", "frame finished"])
    }

    func testNothingIsKeptBackOutsideAndOnOtherThreads() {
        let kept = held {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [clock, queue, log] in
                Self.deliver("other", clock, queue, log)
                done.signal()
            }
            done.wait()
        }
        XCTAssertNil(kept)
        deliver("after")
        queue.sync {}
        XCTAssertEqual(log.withLock { $0 }, ["other", "other finished", "after", "after finished"])
    }

    func testOneKeepingInsideAnotherKeepsItsOwn() {
        var inner: DeliveryHold?
        let outer = held {
            inner = held { deliver("inner") }
            deliver("outer")
        }
        queue.sync { inner?.makeHeld() }
        queue.sync { outer?.makeHeld() }
        XCTAssertEqual(log.withLock { $0 }, ["inner", "inner finished", "outer", "outer finished"])
    }

    func testOthersDependWhereSeveralCallbacksComeOrSomeoneSaysSo() {
        let hold = DeliveryHold()
        for (names, isNoted) in [(["frame"], false), (["frame"], true), (["lost", "frame"], false)] {
            hold.begin()
            names.forEach(deliver)
            if isNoted { DeliveryHold.noteOthers() }
            XCTAssertTrue(hold.end())
            XCTAssertTrue(hold.queue === queue)
            XCTAssertEqual(hold.othersDepend, isNoted || names.count > 1, "\(names)")
            hold.send()
        }
        DeliveryHold.noteOthers()
        queue.sync {}
        XCTAssertNil(hold.take(), "it was taken")
    }
}

extension DeliveryHold {
    /// Makes what is held, on its queue.
    fileprivate func makeHeld() {
        let callback = take()
        callback?.make()
        callback?.finish()
    }
}
