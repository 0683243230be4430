@preconcurrency import Dispatch
import Foundation
import XCTest

/// Compares Dispatch in a world with Dispatch outside of all worlds. `CI/entry-points.tsv` names the functions that
/// each test covers.
final class DispatchScheduleTests: XCTestCase {
    func testNotificationsOfOneGroupRunInOrder() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 A", "0 B", "0 C"]) { log in
            let (group, queue) = (DispatchGroup(), DispatchQueue(label: "client"))
            group.enter()
            for name in ["A", "B", "C"] { group.notify(queue: queue) { log.add(name) } }
            queue.async { group.leave() }
        }
    }

    func testNotificationsOfGroupsRunInTheOrderInWhichTheGroupsAreLeft() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 second", "0 between", "0 first", "0 last"]) { log in
            let (first, second, queue) = (DispatchGroup(), DispatchGroup(), DispatchQueue(label: "client"))
            first.enter()
            second.enter()
            first.notify(queue: queue) { log.add("first") }
            second.notify(queue: queue) { log.add("second") }
            queue.async {
                second.leave()
                queue.async { log.add("between") }
                first.leave()
                queue.async { log.add("last") }
            }
        }
    }

    func testAGroupThatIsEnteredAgainHasNotified() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 notified"]) { log in
            let (group, queue) = (DispatchGroup(), DispatchQueue(label: "client"))
            group.enter()
            group.notify(queue: queue) { log.add("notified") }
            queue.async {
                group.leave()
                group.enter()
                queue.async { group.leave() }
            }
        }
    }

    func testANotificationOfAnEmptyGroupIsSubmittedImmediately() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 notified", "0 later"]) { log in
            let queue = DispatchQueue(label: "client")
            DispatchGroup().notify(queue: queue) { log.add("notified") }
            queue.async { log.add("later") }
        }
    }

    func testAWorkItemThatIsPerformedDirectlyNotifiesAndEndsWaits() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 item", "0 waited", "0 later", "0 notified"]) { log in
            let queue = DispatchQueue(label: "client")
            let item = DispatchWorkItem { log.add("item") }
            item.notify(queue: queue) { log.add("notified") }
            queue.async {
                queue.async { log.add("later") }
                item.perform()
                if item.wait(timeout: .now() + 0.05) == .success { log.add("waited") }
            }
        }
    }

    func testWorkRunsInTheOrderOfQueuesBarriersAndDelays() throws {
        let expected = [
            "0 first", "0 group", "0 sync", "0 barrier", "0 barrier sync", "0 item", "0 item ended", "0 iterations 3",
            "100 delayed", "200 wall", "300 group ended",
        ]
        try ScheduleRecorder.compare(seconds: 0.5, expected) { log in
            let (serial, group) = (DispatchQueue(label: "serial"), DispatchGroup())
            let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let item = DispatchWorkItem { log.add("item") }
            item.notify(queue: serial) { log.add("item ended") }
            group.enter()
            group.notify(queue: serial) { log.add("group ended") }
            serial.asyncAfter(deadline: .now() + 0.1) { log.add("delayed") }
            serial.asyncAfter(wallDeadline: .now() + 0.2) { log.add("wall") }
            serial.asyncAfter(deadline: .now() + 0.3) { group.leave() }
            serial.async { log.add("first") }
            serial.async(group: group) {
                log.add("group")
                concurrent.sync { log.add("sync") }
                concurrent.async(flags: .barrier) { log.add("barrier") }
                concurrent.sync(flags: .barrier) { log.add("barrier sync") }
                serial.async(execute: item)
                serial.async {
                    let count = ScheduleCounter()
                    DispatchQueue.concurrentPerform(iterations: 3) { _ in count.increment() }
                    serial.async { log.add("iterations \(count.value)") }
                }
            }
        }
    }

    func testWaitsEndWithASignalOrATimeout() throws {
        let expected = [
            "0 signalled", "100 timed out", "200 group timed out", "300 item timed out", "300 group", "300 item",
        ]
        try ScheduleRecorder.compare(seconds: 0.5, expected) { log in
            let (queue, other) = (DispatchQueue(label: "client"), DispatchQueue(label: "other"))
            let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
            let item = DispatchWorkItem {}
            other.async { semaphore.signal() }
            group.enter()
            queue.async {
                semaphore.wait()
                log.add("signalled")
                if semaphore.wait(timeout: .now() + 0.1) == .timedOut { log.add("timed out") }
                if group.wait(timeout: .now() + 0.1) == .timedOut { log.add("group timed out") }
                if item.wait(timeout: .now() + 0.1) == .timedOut { log.add("item timed out") }
                group.leave()
                if group.wait(timeout: .now()) == .success { log.add("group") }
                other.async(execute: item)
                item.wait()
                log.add("item")
            }
        }
    }

    func testSleepsEndInTime() throws {
        try ScheduleRecorder.compare(seconds: 0.5, ["100 Thread.sleep", "200 usleep", "300 nanosleep"]) { log in
            DispatchQueue(label: "client").async {
                Thread.sleep(forTimeInterval: 0.1)
                log.add("Thread.sleep")
                usleep(100_000)
                log.add("usleep")
                var duration = timespec(tv_sec: 0, tv_nsec: 100_000_000)
                nanosleep(&duration, nil)
                sleep(0)
                log.add("nanosleep")
            }
        }
    }

    func testClocksAdvanceUntilADelayedBlock() throws {
        let names = ["realtime", "monotonic", "boot time", "raw", "gettimeofday"]
        try ScheduleRecorder.compare(seconds: 0.3, names.map { "100 \($0) has advanced" }) { log in
            let read = { @Sendable () -> [Double] in
                let clocks = [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_MONOTONIC_RAW]
                let times = clocks.map { clock in
                    var time = timespec()
                    clock_gettime(clock, &time)
                    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                }
                var time = timeval()
                gettimeofday(&time, nil)
                return times + [Double(time.tv_sec) + Double(time.tv_usec) / 1e6]
            }
            let queue = DispatchQueue(label: "client")
            queue.async {
                let start = read()
                queue.asyncAfter(deadline: .now() + 0.1) {
                    for (name, (start, end)) in zip(names, zip(start, read())) {
                        log.add("\(name) \(end - start > 0.098 ? "has advanced" : "has not advanced")")
                    }
                }
            }
        }
    }

    func testQueuesAreSuspendedTargetedAndActivated() throws {
        let expected = ["0 target", "0 child", "100 resumed", "200 activated"]
        try ScheduleRecorder.compare(seconds: 0.4, expected) { log in
            let target = DispatchQueue(label: "target")
            let suspended = DispatchQueue(label: "suspended", attributes: .initiallyInactive)
            let inactive = DispatchQueue(label: "inactive", attributes: .initiallyInactive, target: target)
            let child = DispatchQueue(label: "child", target: target)
            suspended.setTarget(queue: target)
            suspended.activate()
            suspended.suspend()
            suspended.async { log.add("resumed") }
            inactive.async { log.add("activated") }
            target.async { log.add("target") }
            child.async { log.add("child") }
            target.asyncAfter(deadline: .now() + 0.1) { suspended.resume() }
            target.asyncAfter(deadline: .now() + 0.2) { inactive.activate() }
        }
    }

    func testSourcesRunTheirHandlers() throws {
        let expected = [
            "0 registered", "0 added 3", "100 timer", "200 timer", "300 cancelled", "400 replaced 2", "400 or 3",
        ]
        try ScheduleRecorder.compare(seconds: 0.6, expected) { log in
            let queue = DispatchQueue(label: "client")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
            timer.setRegistrationHandler { log.add("registered") }
            timer.setEventHandler { log.add("timer") }
            timer.setCancelHandler { log.add("cancelled") }
            timer.activate()
            queue.asyncAfter(deadline: .now() + 0.29) {
                timer.cancel()
                queue.suspend()
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { queue.resume() }
            let add = DispatchSource.makeUserDataAddSource(queue: queue)
            let or = DispatchSource.makeUserDataOrSource(queue: queue)
            let replace = DispatchSource.makeUserDataReplaceSource(queue: queue)
            add.setEventHandler { log.add("added \(add.data)") }
            or.setEventHandler { log.add("or \(or.data)") }
            replace.setEventHandler { log.add("replaced \(replace.data)") }
            queue.async {
                add.activate()
                add.add(data: 1)
                add.add(data: 2)
            }
            queue.asyncAfter(deadline: .now() + 0.4) {
                replace.activate()
                replace.replace(data: 1)
                replace.replace(data: 2)
                or.activate()
                or.or(data: 1)
                or.or(data: 2)
            }
            queue.asyncAfter(deadline: .now() + 0.5) { withExtendedLifetime((timer, add, or, replace)) {} }
        }
    }

    func testARegistrationHandlerRunsWhenASuspendedSourceIsResumed() throws {
        try ScheduleRecorder.compare(seconds: 0.3, ["100 registered", "100 event"]) { log in
            let queue = DispatchQueue(label: "client")
            let source = DispatchSource.makeUserDataAddSource(queue: queue)
            source.setRegistrationHandler {
                log.add("registered")
                source.add(data: 1)
            }
            source.setEventHandler { log.add("event") }
            queue.asyncAfter(deadline: .now() + 0.1) { source.resume() }
            queue.asyncAfter(deadline: .now() + 0.2) { withExtendedLifetime(source) {} }
        }
    }

    func testTasksRunInOrder() throws {
        let expected = ["0 actor", "0 main actor", "100 slept", "200 nanoseconds", "200 group 6", "300 resumed"]
        try ScheduleRecorder.compare(seconds: 0.5, expected) { log in
            let queue = DispatchQueue(label: "client")
            Task.detached {
                let counter = ScheduleActor()
                await counter.increment()
                log.add("actor")
                await MainActor.run { log.add("main actor") }
                try await Task.sleep(for: .milliseconds(100))
                log.add("slept")
                try await Task.sleep(nanoseconds: 100_000_000)
                log.add("nanoseconds")
                let sum = await withTaskGroup(of: Int.self) { group in
                    for index in 1...3 { group.addTask { index } }
                    return await group.reduce(0, +)
                }
                log.add("group \(sum)")
                await withCheckedContinuation { continuation in
                    queue.asyncAfter(deadline: .now() + 0.1) { continuation.resume() }
                }
                log.add("resumed")
            }
        }
    }
}

private actor ScheduleActor {
    private var count = 0

    func increment() { count += 1 }
}

private final class ScheduleCounter: @unchecked Sendable {
    // SAFETY: the count is protected by the lock.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func increment() { lock.withLock { count += 1 } }
}
