// swift-format-ignore-file: AlwaysUseLowerCamelCase
// A function has the name of the C library.

@preconcurrency import Dispatch
import Foundation
import XCTest

/// Compares conditions, operations and threads in a world with those outside of all worlds. `CI/entry-points.tsv` names
/// the functions that each test covers.
final class ConditionScheduleTests: XCTestCase {
    /// A condition with the number of events that threads can wait for.
    private final class Events: @unchecked Sendable {
        // SAFETY: the count is protected by the condition.
        private let condition = NSCondition()
        private var count = 0

        func wait(for count: Int) {
            condition.withLock { while self.count < count { condition.wait() } }
        }

        /// Waits until a date at most, and returns whether the number of events was reached.
        func wait(for count: Int, until date: Date) -> Bool {
            condition.withLock {
                while self.count < count { if !condition.wait(until: date) { return self.count >= count } }
                return true
            }
        }

        func signal() {
            condition.withLock {
                count += 1
                condition.signal()
            }
        }

        func broadcast() {
            condition.withLock {
                count += 1
                condition.broadcast()
            }
        }
    }

    func testConditionsAreSignalledAndTimeOut() throws {
        let expected = ["0 waits", "0 signalled", "100 timed out", "200 in time", "300 later"]
        try ScheduleRecorder.compare(seconds: 0.5, expected) { log in
            let (queue, other, events) = (DispatchQueue(label: "client"), DispatchQueue(label: "other"), Events())
            queue.async {
                log.add("waits")
                other.async { events.signal() }
                events.wait(for: 1)
                log.add("signalled")
                if !events.wait(for: 2, until: Date() + 0.1) { log.add("timed out") }
                other.asyncAfter(deadline: .now() + 0.1) { events.broadcast() }
                if events.wait(for: 2, until: Date() + 5) { log.add("in time") }
                if events.wait(for: 2, until: Date() - 1) { Thread.sleep(forTimeInterval: 0.1) }
                log.add("later")
            }
        }
    }

    func testASignalEndsTheFirstWaitAndABroadcastAll() throws {
        let expected = ["100 first", "200 second", "200 third"]
        try ScheduleRecorder.compare(seconds: 0.4, expected) { log in
            let events = Events()
            let serial = DispatchQueue(label: "log")
            let queues = (1...3).map { DispatchQueue(label: "\($0)") }
            // The second and third wait for an event that only the broadcast counts.
            queues[0].async {
                events.wait(for: 1)
                log.add("first")
            }
            queues[1].asyncAfter(deadline: .now() + 0.02) {
                events.wait(for: 2)
                serial.sync { log.add("second") }
            }
            queues[2].asyncAfter(deadline: .now() + 0.04) {
                events.wait(for: 2)
                // The two threads are woken at the same time.
                if !Self.isVirtual { Thread.sleep(forTimeInterval: 0.02) }
                serial.sync { log.add("third") }
            }
            let other = DispatchQueue(label: "other")
            other.asyncAfter(deadline: .now() + 0.1) { events.signal() }
            other.asyncAfter(deadline: .now() + 0.2) { events.broadcast() }
        }
    }

    /// Whether the calling code runs in a world, whose clocks do not advance while it computes.
    private static var isVirtual: Bool {
        let start = DispatchTime.now()
        poll(nil, 0, 1)
        return DispatchTime.now() == start
    }

    /// The lock of the condition is free when the thread continues, though another item that waits has held it.
    func testAThreadContinuesWhenTheLockOfItsConditionIsFree() throws {
        try ScheduleRecorder.compare(seconds: 0.3, ["0 signalled", "100 unlocked", "100 continued"]) { log in
            let condition = NSCondition()
            let (queue, other) = (DispatchQueue(label: "client"), DispatchQueue(label: "other"))
            queue.async {
                condition.withLock {
                    other.async {
                        condition.withLock {
                            condition.signal()
                            log.add("signalled")
                            Thread.sleep(forTimeInterval: 0.1)
                            log.add("unlocked")
                        }
                    }
                    condition.wait()
                    log.add("continued")
                }
            }
        }
    }

    func testConditionLocksWaitForTheirCondition() throws {
        try ScheduleRecorder.compare(seconds: 0.4, ["100 locked", "200 timed out"]) { log in
            let lock = NSConditionLock(condition: 0)
            DispatchQueue(label: "client").async {
                // `lock(whenCondition:)` has a date too late for Foundation on Linux, which traps if it must wait.
                if lock.lock(whenCondition: 1, before: Date() + 5) { log.add("locked") }
                lock.unlock(withCondition: 2)
                if !lock.lock(whenCondition: 3, before: Date() + 0.1) { log.add("timed out") }
            }
            DispatchQueue(label: "other").asyncAfter(deadline: .now() + 0.1) {
                lock.lock()
                lock.unlock(withCondition: 1)
            }
        }
    }

    func testOperationsAreWaitedFor() throws {
        let expected = [
            "0 first", "0 finished", "0 dependency", "0 dependent", "0 all finished", "100 slept",
            "100 added and finished",
        ]
        try ScheduleRecorder.compare(seconds: 0.4, expected) { log in
            DispatchQueue(label: "client").async {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                let first = BlockOperation { log.add("first") }
                queue.addOperation(first)
                first.waitUntilFinished()
                log.add("finished")
                let (dependency, dependent) = (
                    BlockOperation { log.add("dependency") }, BlockOperation { log.add("dependent") }
                )
                dependent.addDependency(dependency)
                queue.addOperation(dependent)
                queue.addOperation(dependency)
                queue.waitUntilAllOperationsAreFinished()
                log.add("all finished")
                let slow = BlockOperation {
                    Thread.sleep(forTimeInterval: 0.1)
                    log.add("slept")
                }
                queue.addOperations([slow], waitUntilFinished: true)
                log.add("added and finished")
            }
        }
    }

    /// The main thread runs the world while it waits.
    func testTheMainThreadWaitsForOperations() throws {
        try ScheduleRecorder.compare(seconds: 0.2, ["100 operation", "100 finished"]) { log in
            let queue = OperationQueue()
            queue.addOperation {
                Thread.sleep(forTimeInterval: 0.1)
                log.add("operation")
            }
            queue.waitUntilAllOperationsAreFinished()
            log.add("finished")
        }
    }

    func testAPostWaitsForAnObserverOnTheMainQueue() throws {
        let name = Notification.Name("testAPostWaitsForAnObserverOnTheMainQueue")
        try ScheduleRecorder.compare(seconds: 0.2, ["0 observer", "0 true", "0 posted"]) { log in
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                log.add("observer")
                log.add("\(Thread.isMainThread)")
            }
            // SAFETY: the observer is only removed.
            nonisolated(unsafe) let added = observer
            DispatchQueue(label: "client").async {
                NotificationCenter.default.post(name: name, object: nil)
                log.add("posted")
                NotificationCenter.default.removeObserver(added)
            }
        }
    }

    func testConditionsOfCTimeOut() throws {
        try ScheduleRecorder.compare(seconds: 0.5, ["100 monotonic", "200 given clock", "300 wall"]) { log in
            DispatchQueue(label: "client").async {
                var attributes = pthread_condattr_t()
                pthread_condattr_init(&attributes)
                pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
                let monotonic = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)
                let wall = monotonic + 1
                let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
                pthread_cond_init(monotonic, &attributes)
                pthread_cond_init(wall, nil)
                pthread_mutex_init(mutex, nil)
                func end(_ clock: clockid_t) -> timespec {
                    var time = timespec()
                    clock_gettime(clock, &time)
                    time.tv_nsec += 100_000_000
                    if time.tv_nsec >= 1_000_000_000 {
                        time.tv_sec += 1
                        time.tv_nsec -= 1_000_000_000
                    }
                    return time
                }
                pthread_mutex_lock(mutex)
                var time = end(CLOCK_MONOTONIC)
                if pthread_cond_timedwait(monotonic, mutex, &time) == ETIMEDOUT { log.add("monotonic") }
                time = end(CLOCK_MONOTONIC)
                if pthread_cond_clockwait(wall, mutex, CLOCK_MONOTONIC, &time) == ETIMEDOUT { log.add("given clock") }
                time = end(CLOCK_REALTIME)
                if pthread_cond_timedwait(wall, mutex, &time) == ETIMEDOUT { log.add("wall") }
                time.tv_nsec = -1
                if pthread_cond_timedwait(wall, mutex, &time) != EINVAL { log.add("invalid time") }
                pthread_mutex_unlock(mutex)
                pthread_mutex_destroy(mutex)
                pthread_cond_destroy(monotonic)
                pthread_cond_destroy(wall)
                monotonic.deallocate()
                mutex.deallocate()
            }
        }
    }

    /// The threads belong to no world and run in real time; virtual time does not advance meanwhile.
    func testThreadsOfTheClientEndWaits() throws {
        try ScheduleRecorder.compare(seconds: 0.3, ["0 signalled", "0 joined", "100 later"]) { log in
            let (queue, events) = (DispatchQueue(label: "client"), Events())
            queue.asyncAfter(deadline: .now() + 0.1) { log.add("later") }
            queue.async {
                Thread.detachNewThread {
                    poll(nil, 0, 20)
                    events.signal()
                }
                events.wait(for: 1)
                log.add("signalled")
                var thread = pthread_t()
                pthread_create(
                    &thread, nil,
                    { _ in
                        poll(nil, 0, 20)
                        return UnsafeMutableRawPointer(bitPattern: 1)
                    }, nil)
                var result: UnsafeMutableRawPointer?
                if pthread_join(thread, &result) == 0, result == UnsafeMutableRawPointer(bitPattern: 1) {
                    log.add("joined")
                }
            }
        }
    }
}

// Glibc's module does not have the function.
@_silgen_name("pthread_cond_clockwait")
private func pthread_cond_clockwait(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    _ clock: clockid_t, _ end: UnsafePointer<timespec>
) -> Int32
