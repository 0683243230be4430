import CWorld
import CaptureHAL
import Foundation
import MediaTypes

/// The watchdog: a thread that reports, in real time, what a test waits for, and ends a wait without end.
///
/// A test that waits for 10 s is reported on standard error. A wait without a limit in virtual time fails the test after
/// the limit of its system in real time, and cancels the task of a test that is suspended. If the test does not continue
/// then, the process ends. Worlds without a limit, which belong to no test, are not watched.
extension Scheduler {
    /// A wait of the test. Used only while the monitor is locked.
    final class TestWait: @unchecked Sendable {
        // SAFETY: the variables are accessed only while the monitor is locked.

        /// What ends a wait.
        enum End {
            /// A virtual time. The duration of the wait in real time is not limited.
            case time
            /// A condition that the test evaluates. The test fails itself if the wait reaches the limit.
            case condition
            /// Other work. The watchdog fails the test if the wait reaches the limit.
            case work
        }

        /// What the test waits for, such as "a semaphore".
        let description: String
        let world: SimulatedWorld
        let end: End
        /// The real time at which the wait, or its part without an end in virtual time, began, in nanoseconds.
        var start = cworld_real_time()
        /// Whether the watchdog has reported the wait.
        var isReported = false
        /// Whether the test is suspended until a virtual time.
        var isSleep = false
        /// The real time at which the wait was ended because it had reached its limit, in nanoseconds; nil before.
        var limitTime: Int64?
        /// Whether the duration of the wait in real time is limited.
        var isLimited: Bool { end != .time && !isSleep }
        /// Whether the wait has reached its limit in real time, and must end.
        var isOverLimit: Bool { limitTime != nil }

        init(_ description: String, in world: SimulatedWorld, endsWith end: End) {
            self.description = description
            self.world = world
            self.end = end
        }
    }

    /// A thread of a test that the kernel has suspended in a wait that the scheduler does not see.
    struct BlockedTest {
        let thread: BlockedThread
        let start = cworld_real_time()
        var isReported = false
    }

    /// What the watchdog does after a check.
    private enum Finding {
        /// A test has waited for 10 s.
        case longWait(TestWait)
        /// A test has waited for the limit of its system.
        case overLimit(TestWait)
        /// A test does not continue after its wait has ended.
        case endless(TestWait)
        /// A work item neither ends nor waits.
        case busyItem(WorkItem, isOverLimit: Bool)
        /// The test itself is suspended in a wait that the scheduler does not see.
        case blocked(BlockedTest, isOverLimit: Bool)
    }

    private static let intervalMilliseconds: Int32 = 100
    /// The real time in which a test must continue after its wait has ended, in nanoseconds.
    private static let grace: Int64 = 5_000_000_000

    /// Begins a wait of the test.
    func beginTestWait(
        _ description: String, in world: SimulatedWorld, endsWith end: TestWait.End
    ) -> TestWait {
        let wait = TestWait(description, in: world, endsWith: end)
        monitor.update { $0.testWaits.append(wait) }
        return wait
    }

    func end(_ wait: TestWait) {
        monitor.update { state in state.testWaits.removeAll { $0 === wait } }
    }

    /// Whether a wait of the test has reached its limit in real time.
    func isOverLimit(_ wait: TestWait) -> Bool { monitor.read { _ in wait.isOverLimit } }

    /// Checks the waits of tests until the process ends.
    func runWatchdog() {
        cworld_current_thread().pointee.bypass = 1
        while true {
            monitor.wait { !$0.worlds.isEmpty }
            poll(nil, 0, Self.intervalMilliseconds)
            if let finding = find() { report(finding) }
        }
    }

    private func find() -> Finding? {
        let now = cworld_real_time()
        let testThread = monitor.read { state in
            // A test that computes is not reported.
            state.isTestRunning ? state.testThreadID.flatMap(BlockedThread.init) : nil
        }
        return monitor.update { state in
            guard let realTimeLimit = state.worlds.last?.realTimeLimit else { return nil }
            let reportTime = min(itemTimeout.withLock { $0 }, realTimeLimit / 2)
            // The item that waits for a synchronous item runs on the same thread.
            let items = state.work.started.all
            let callers = items.filter { $0.phase == .running }.compactMap(\.caller)
            for item in items
            where item.phase == .running && !item.isAdvancing && !callers.contains(where: { $0 === item }) {
                let duration = now - item.runningSince
                let isOverLimit = duration > realTimeLimit
                guard duration > reportTime, isOverLimit || !item.isReported else { continue }
                item.isReported = true
                return .busyItem(item, isOverLimit: isOverLimit)
            }
            if let testThread {
                if state.blockedTest?.thread != testThread { state.blockedTest = BlockedTest(thread: testThread) }
                if let blocked = state.blockedTest {
                    let isOverLimit = now - blocked.start > realTimeLimit
                    if now - blocked.start > reportTime, isOverLimit || !blocked.isReported {
                        state.blockedTest?.isReported = true
                        return .blocked(blocked, isOverLimit: isOverLimit)
                    }
                }
            } else {
                state.blockedTest = nil
            }
            guard let wait = state.testWaits.last ?? (state.mayThreadRun ? state.suspension : nil) else { return nil }
            let (duration, limit) = (now - wait.start, wait.world.realTimeLimit ?? .max)
            // A suspended test that sleeps continues at a virtual time.
            wait.isSleep = wait === state.suspension && state.delayedItems.values.contains(where: \.isDelayOfTest)
            if duration > limit, wait.isLimited, !wait.isOverLimit { return .overLimit(wait) }
            if let limitTime = wait.limitTime, now > limitTime + Self.grace { return .endless(wait) }
            guard duration > reportTime, !wait.isReported else { return nil }
            wait.isReported = true
            return .longWait(wait)
        }
    }

    private func report(_ finding: Finding) {
        switch finding {
        case .longWait(let wait):
            let limit = wait.isLimited ? wait.world.realTimeLimit : nil
            let rule = limit.map { "; the test fails after \(Duration.nanoseconds($0))" } ?? ""
            printReport("\(description(of: wait))\(rule)\n\(situation(of: wait.world))")
        case .overLimit(let wait):
            if wait.end == .work {
                wait.world.report("\(description(of: wait)), the limit\n\(situation(of: wait.world))")
            }
            // After the report, which the test must not miss.
            let task = monitor.update { state in
                wait.limitTime = cworld_real_time()
                return state.suspension === wait ? state.bodyTask : nil
            }
            if let task { cancel(task) }
        case .endless(let wait):
            endProcess("\(description(of: wait))\n\(situation(of: wait.world))", in: wait.world)
        case .busyItem(let item, let isOverLimit):
            let message = description(of: item)
            if isOverLimit { endProcess(message, in: item.world) }
            printReport(message)
            item.world.report(message)
        case .blocked(let blocked, let isOverLimit):
            guard let world = monitor.read({ $0.worlds.last }) else { return }
            let seconds = (cworld_real_time() - blocked.start) / 1_000_000_000
            let message =
                "the test has been blocked for \(seconds) s of real time: \(description(of: blocked.thread))"
                + calls(ofThread: blocked.thread.id)
            if isOverLimit { endProcess(message, in: world) }
            printReport("\(message)\n\(situation(of: world))")
        }
    }

    /// Cancels the task of a test. Many waits end then, such as those for the next element of an `AsyncStream`.
    private func cancel(_ task: RetainedTask) {
        let thread = cworld_current_thread()
        let bypass = thread.pointee.bypass
        // What the cancellation handlers resume is work of the world.
        thread.pointee.bypass = 0
        cworld_cancel_task(task.pointer)
        thread.pointee.bypass = bypass
    }

    /// Writes a report to standard error.
    private func printReport(_ message: String) {
        FileHandle.standardError.write(Data("obscura: \(message)\n".utf8))
    }

    /// Fails the test, and ends the process, because the thread of the test does not continue.
    private func endProcess(_ message: String, in world: SimulatedWorld) -> Never {
        printReport(message)
        world.report(message)
        if let record = world.record { TestReporting.reporter?.didRecordMisuse(record) }
        fflush(nil)
        let name = TestReporting.reporter?.runningTest.map { "the test \($0)" } ?? "a test"
        let reason = message.split(separator: "\n").first ?? ""
        printReport("\(reason)\nobscura: \(name) cannot continue, and the process ends")
        _exit(1)
    }

    private func description(of wait: TestWait) -> String {
        let seconds = (cworld_real_time() - wait.start) / 1_000_000_000
        return "the test has waited for \(wait.description) for \(seconds) s of real time"
    }

    /// The virtual time, the pending work, the last events and the state of the sessions of a world.
    private func situation(of world: SimulatedWorld) -> String {
        func list(_ title: String, _ lines: [String]) -> String {
            lines.isEmpty ? "" : "\n  \(title):" + lines.map { "\n    \($0)" }.joined()
        }
        let pending = pendingWork(of: world)
        return "  virtual time: \(Duration.nanoseconds(world.clock.now.nanoseconds))"
            + list("pending work", pending.isEmpty ? ["none"] : pending)
            + list("last events", Array((world.record?.events ?? []).suffix(5)))
            + list("objects", world.system?.reference.lifetimes.states ?? [])
    }

    private func description(of item: WorkItem) -> String {
        let (text, threadID, start) = monitor.read { _ in (item.description, item.threadID, item.runningSince) }
        var message = "\(text) for \((cworld_real_time() - start) / 1_000_000_000) s of real time: "
        guard let threadID else {
            return message
                + (item.queue.pointer == cworld_main_queue()
                    ? "the main thread does not run its queue" : "its queue does not run it")
        }
        if let blocked = BlockedThread(threadID) {
            message += description(of: blocked)
        } else {
            message += "it does not end, or waits for something that the scheduler does not control (I/O)"
        }
        return message + calls(ofThread: threadID)
    }

    /// The names of a thread that waits and of the thread that must end the wait.
    private func description(of blocked: BlockedThread) -> String {
        func name(_ id: Int32) -> String {
            let work = monitor.read { state in
                state.work.started.all.last { $0.threadID == id }?.description
            }
            return "the thread \(id) (\(BlockedThread.name(id)))" + (work.map { ", in which \($0)," } ?? "")
        }
        guard let owner = blocked.owner else {
            return "\(name(blocked.id)) waits for a lock or a condition that the scheduler does not control"
        }
        return "\(name(blocked.id)) waits for a lock that \(name(owner)) holds"
    }

    private func calls(ofThread id: Int32) -> String {
        let calls = CallStack(ofThread: id).description
        return calls.isEmpty ? "" : ". Its calls, innermost first:\n\(calls)"
    }
}
