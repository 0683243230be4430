@preconcurrency import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import CaptureSimulation

/// Tests uses of Dispatch in which the order of work depends on more than one object.
final class DispatchEdgeCaseTests: XCTestCase {
    private var simulated: SimulatedSystem!
    private let log = Lock<[String]>([])

    override func setUpWithError() throws { simulated = try SimulatedSystem(profile: "webcam") }

    override func tearDown() {
        simulated.close()
        simulated = nil
    }

    /// Uses its queue and its timer when it is deallocated.
    private final class Owner: @unchecked Sendable {
        // SAFETY: both are immutable, and Dispatch's objects are thread-safe.
        let queue = DispatchQueue(label: "owner")
        let timer: any DispatchSourceTimer

        init() {
            timer = DispatchSource.makeTimerSource(queue: queue)
            timer.resume()
        }

        deinit {
            timer.cancel()
            queue.sync {}
        }
    }

    func testClosingTheSystemReleasesBlocksWithObjectsThatUseQueuesInDeinit() {
        weak var released: Owner?
        do {
            let owner = Owner()
            released = owner
            DispatchQueue(label: "client").async { withExtendedLifetime(owner) {} }
        }
        XCTAssertNotNil(released)
        simulated.close()
        XCTAssertNil(released)
    }

    func testASerialQueueRunsNoOtherWorkWhileASynchronousCallWaits() {
        let (queue, semaphore) = (DispatchQueue(label: "queue"), DispatchSemaphore(value: 0))
        DispatchQueue(label: "first").async { [log] in
            queue.sync {
                semaphore.wait()
                log.withLock { $0.append("synchronous") }
            }
        }
        DispatchQueue(label: "second").async { [log] in
            queue.async { log.withLock { $0.append("later") } }
            semaphore.signal()
        }
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["synchronous", "later"])
    }

    func testASuspendedTargetQueueDelaysTheWorkOfItsQueues() {
        let target = DispatchQueue(label: "target")
        let queue = DispatchQueue(label: "queue", target: target)
        target.suspend()
        queue.async { [log] in log.withLock { $0.append("ran") } }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(log.withLock { $0 }, [])
        target.resume()
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["ran"])
    }

    func testASuspendedSourceKeepsItsEventUntilItIsResumed() {
        let queue = DispatchQueue(label: "queue")
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + 1)
        source.setEventHandler { [log, clock = simulated.clock] in
            log.withLock { $0.append("\(clock.now.seconds)") }
        }
        source.resume()
        queue.asyncAfter(deadline: .now() + 0.5) { source.suspend() }
        queue.asyncAfter(deadline: .now() + 3) { source.resume() }
        simulated.advance(by: .seconds(5))
        XCTAssertEqual(log.withLock { $0 }, ["3.0"])
    }

    func testMergedDataArriveTogetherAndZeroHasNoEffect() {
        let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "queue"))
        source.setEventHandler { [log] in
            let data = source.data
            log.withLock { $0.append("\(data)") }
        }
        source.resume()
        source.add(data: 0)
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, [])
        source.add(data: 2)
        source.add(data: 3)
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["5"])
        source.cancel()
    }

    func testATimerWithADateInTheDistantPastFiresImmediately() {
        let timer = Timer(fire: .distantPast, interval: 0, repeats: false) { [log] _ in
            log.withLock { $0.append("fired") }
        }
        RunLoop.main.add(timer, forMode: .common)
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["fired"])
    }

    func testAWorkItemThatHasRunIsReleased() {
        weak var released: NSObject?
        let queue = DispatchQueue(label: "queue")
        do {
            let object = NSObject()
            released = object
            queue.async(execute: DispatchWorkItem { withExtendedLifetime(object) {} })
        }
        let kept = DispatchWorkItem {}
        queue.async(execute: kept)
        XCTAssertNotNil(released)
        simulated.advance(by: .zero)
        XCTAssertNil(released)
        XCTAssertEqual(kept.wait(timeout: .now() + 1), .success, "an item that is still used has been performed")
    }

    func testWorkOfAnInactiveQueueRunsWhenItIsActivated() {
        let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
        queue.async { [log] in log.withLock { $0.append("first") } }
        queue.async { [log] in log.withLock { $0.append("second") } }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(log.withLock { $0 }, [])
        XCTAssertEqual(simulated.pendingWork.count, 2)
        queue.activate()
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["first", "second"])
        // Active queues are suspended and resumed as usual.
        queue.suspend()
        queue.async { [log] in log.withLock { $0.append("third") } }
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock(\.count), 2)
        queue.resume()
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock(\.count), 3)
    }

    func testPendingWorkListsWorkThatIsDueLater() {
        let queue = DispatchQueue(label: "worker")
        queue.asyncAfter(deadline: .now() + 2) {}
        let display = DispatchSource.makeTimerSource(queue: queue)
        display.schedule(deadline: .now() + 1, repeating: 5)
        display.resume()
        let paused = DispatchSource.makeTimerSource(queue: queue)
        paused.schedule(deadline: .now() + 4)
        let timer = Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { _ in }
        let expected = [
            "a timer on queue \"worker\" is due at 1.0 seconds",
            "a block on queue \"worker\" is due at 2.0 seconds",
            "a timer of the main run loop is due at 3.0 seconds",
            "a timer on queue \"worker\" is suspended, and due at 4.0 seconds",
        ]
        simulated.advance(by: .zero)
        XCTAssertEqual(simulated.pendingWork, expected)
        simulated.advance(by: .seconds(3.5))
        XCTAssertEqual(
            simulated.pendingWork, [expected[3], "a timer on queue \"worker\" is due at 6.0 seconds"])
        paused.activate()
        display.cancel()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(simulated.pendingWork, [])
        timer.invalidate()
    }

    func testWorkThatDoesNotEndIsReportedWithItsCallStack() throws {
        Scheduler.shared.itemTimeout.withLock { $0 = 1_000_000_000 }
        defer { Scheduler.shared.itemTimeout.withLock { $0 = 10_000_000_000 } }
        DispatchQueue(label: "endless").async { [simulated] in loopUntilReported(simulated!) }
        simulated.advance(by: .zero)
        let report = try XCTUnwrap(simulated.dequeueMisuses().first?.message)
        XCTAssertTrue(report.contains("a block on queue \"endless\" is running for 1 s"), report)
        // The thread sanitizer delays signals while code runs without system calls.
        if dlsym(nil, "__tsan_init") == nil {
            XCTAssertTrue(report.contains("loopUntilReported(_:) at \(#filePath):"), report)
        }
    }
}

/// Runs, without waiting, until misuse of a system is recorded.
@inline(never) private func loopUntilReported(_ simulated: SimulatedSystem) {
    while simulated.misuses.isEmpty {}
}
