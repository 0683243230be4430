import CaptureSimulation
import Dispatch
import Foundation
import MediaTypes
import XCTest

/// Tests that work on dispatch queues runs in the client's simulated world, in virtual time.
final class DispatchTests: XCTestCase {
    /// Events in the order in which they happened, each with the virtual time in milliseconds before it.
    private final class Log: Sendable {
        private let events = Lock<[String]>([])
        private let start = DispatchTime.now().uptimeNanoseconds

        func add(_ event: String) {
            let milliseconds = Int((Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6).rounded())
            events.withLock { $0.append("\(milliseconds) \(event)") }
        }

        var all: [String] { events.withLock { $0 } }
    }

    private var simulated: SimulatedSystem!
    private var log: Log!

    override func setUpWithError() throws {
        simulated = try SimulatedSystem(profile: "webcam")
        log = Log()
    }

    override func tearDown() {
        simulated.close()
        simulated = nil
    }

    func testBlocksRunInTheirWorldWhenTheTestAdvancesTime() {
        let queue = DispatchQueue(label: "client")
        let system = simulated.system
        queue.async { [log] in
            XCTAssertTrue(CaptureSystemProbe.current === system)
            log?.add("first")
            DispatchQueue.main.async {
                XCTAssertTrue(Thread.isMainThread)
                dispatchPrecondition(condition: .onQueue(.main))
                XCTAssertTrue(CaptureSystemProbe.current === system)
                log?.add("main")
                queue.async { log?.add("third") }
            }
        }
        queue.async { [log] in log?.add("second") }
        XCTAssertEqual(log.all, [])
        simulated.advance(by: .zero)
        XCTAssertEqual(log.all, ["0 first", "0 second", "0 main", "0 third"])
    }

    func testDelaysAndTimersUseVirtualTime() {
        let queue = DispatchQueue(label: "client")
        queue.asyncAfter(deadline: .now() + 5) { [log] in log?.add("after 5 s") }
        queue.asyncAfter(wallDeadline: .now() + 4) { [log] in log?.add("wall") }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + 1, repeating: .milliseconds(1500))
        source.setEventHandler { [log] in log?.add("timer") }
        source.setCancelHandler { [log] in log?.add("cancelled") }
        source.resume()
        let timer = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { [log] _ in log?.add("Timer") }
        simulated.advance(by: .milliseconds(4500))
        source.cancel()
        timer.invalidate()
        simulated.advance(by: .seconds(10))
        XCTAssertEqual(
            log.all,
            [
                "1000 timer", "2000 Timer", "2500 timer", "4000 wall", "4000 Timer", "4000 timer", "4500 cancelled",
                "5000 after 5 s",
            ])
    }

    func testClocksAreVirtual() {
        let date = Date()
        let instant = ContinuousClock.now
        let uptime = ProcessInfo.processInfo.systemUptime
        simulated.advance(by: .seconds(3))
        XCTAssertEqual(Date().timeIntervalSince(date), 3, accuracy: 1e-6)
        XCTAssertEqual(ContinuousClock.now - instant, .seconds(3))
        XCTAssertEqual(ProcessInfo.processInfo.systemUptime - uptime, 3, accuracy: 1e-6)
        Thread.sleep(forTimeInterval: 2)
        XCTAssertEqual(simulated.clock.now.seconds, 5, accuracy: 1e-6)
        RunLoop.main.run(until: Date() + 1)
        XCTAssertEqual(simulated.clock.now.seconds, 6, accuracy: 1e-5)
    }

    func testSleepsWithAFractionOfANanosecondEnd() {
        let queue = DispatchQueue(label: "client")
        queue.async { [log] in
            for milliseconds in [50, 100, 300, 700] {
                Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
                log?.add("\(milliseconds)")
            }
            Thread.sleep(until: Date() + 0.3)
            usleep(0)
            log?.add("end")
        }
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(log.all, ["50 50", "150 100", "450 300", "1150 700", "1450 end"])
    }

    func testOtherWorkRunsWhileABlockWaitsForASemaphore() {
        let semaphore = DispatchSemaphore(value: 0)
        let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
        first.async { [log] in
            log?.add("waiting")
            semaphore.wait()
            log?.add("signalled")
            XCTAssertEqual(semaphore.wait(timeout: .now() + 0.5), .timedOut)
            log?.add("timed out")
        }
        second.asyncAfter(deadline: .now() + 1) { [log] in
            log?.add("signalling")
            semaphore.signal()
        }
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(log.all, ["0 waiting", "1000 signalling", "1000 signalled", "1500 timed out"])
    }

    func testTheTestCanWaitForTheWorkOfItsWorld() {
        let queue = DispatchQueue(label: "client")
        let semaphore = DispatchSemaphore(value: 0)
        queue.asyncAfter(deadline: .now() + 1) { semaphore.signal() }
        semaphore.wait()
        XCTAssertEqual(simulated.clock.now.seconds, 1)
        queue.async { [log] in log?.add("async") }
        queue.sync { log.add("sync") }
        XCTAssertEqual(log.all, ["1000 async", "1000 sync"])
        let expectation = expectation(description: "done")
        queue.asyncAfter(deadline: .now() + 1) { DispatchQueue.main.async { expectation.fulfill() } }
        wait(for: [expectation], timeout: 10)
        XCTAssertEqual(simulated.clock.now.seconds, 2)
    }

    func testGroupsWorkItemsAndBarriersRunInOrder() {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let group = DispatchGroup()
        for index in 0..<2 {
            queue.async(group: group) { [log] in
                Thread.sleep(forTimeInterval: 1)
                log?.add("group \(index)")
            }
        }
        group.notify(queue: .main) { [log] in log?.add("notified") }
        queue.async(flags: .barrier) { [log] in log?.add("barrier") }
        queue.async { [log] in log?.add("after barrier") }
        let item = DispatchWorkItem { [log] in log?.add("item") }
        item.notify(queue: .main) { [log] in log?.add("item ended") }
        DispatchQueue.main.async(execute: item)
        let cancelled = DispatchWorkItem { [log] in log?.add("cancelled") }
        DispatchQueue.main.async(execute: cancelled)
        cancelled.cancel()
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(
            log.all,
            [
                "0 item", "0 item ended", "1000 group 0", "1000 group 1", "1000 barrier",
                "1000 after barrier", "1000 notified",
            ])
        DispatchQueue.concurrentPerform(iterations: 3) { [log] in log?.add("iteration \($0)") }
        XCTAssertEqual(log.all.suffix(3), ["2000 iteration 0", "2000 iteration 1", "2000 iteration 2"])
    }

    func testSynchronousCallsWaitForEarlierWork() {
        let queue = DispatchQueue(label: "client")
        let other = DispatchQueue(label: "other")
        queue.async { [log] in
            Thread.sleep(forTimeInterval: 1)
            log?.add("slow")
        }
        other.async { [log] in
            queue.sync { log?.add("sync") }
            DispatchQueue.main.sync { log?.add("main sync") }
            log?.add("other")
        }
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(log.all, ["1000 slow", "1000 sync", "1000 main sync", "1000 other"])
    }

    func testTheSeedDeterminesTheOrder() throws {
        func order(_ interleaving: SimulatedSystem.Interleaving) throws -> [Int] {
            let simulated = try SimulatedSystem(profile: "webcam", interleaving: interleaving)
            defer { simulated.close() }
            let order = Lock<[Int]>([])
            for index in 0..<5 {
                DispatchQueue(label: "\(index)").async { order.withLock { $0.append(index) } }
            }
            simulated.advance(by: .zero)
            return order.withLock { $0 }
        }
        XCTAssertEqual(try order(.submissionOrder), [0, 1, 2, 3, 4])
        let orders = try (0..<20).map { try order(.seeded($0)) }
        XCTAssertEqual(orders, try (0..<20).map { try order(.seeded($0)) })
        XCTAssertGreaterThan(Set(orders).count, 10)
        XCTAssertTrue(orders.allSatisfy { $0.sorted() == [0, 1, 2, 3, 4] })
    }
}
