import CWorld
import CaptureHAL
import Foundation
import MediaTypes

/// Runs the work of all simulated worlds of the process, one item at a time.
///
/// At any time, either the test or one item runs. Items run while the test advances a clock, waits in a call that the
/// scheduler intercepts, or is suspended in an `await`. In the first two cases the test's thread chooses the items. In
/// the last case the scheduler's own thread chooses them, and advances time when no item is ready.
///
/// A chosen item is submitted to its queue with libdispatch's own function, so that it runs on a thread of that queue
/// and with the queue's guarantees. No other item is chosen until it ends or its thread waits.
///
/// - Important: Thread-safe.
final class Scheduler: @unchecked Sendable {
    // SAFETY: the state is in `monitor`.
    static let shared = Scheduler()

    struct State {
        /// The items that have not ended, and the queues of the worlds.
        var work = ScheduledWork()
        /// Work that is submitted when a group is empty, by group, in the order of the calls of `notify`.
        var pendingNotifications: [UnsafeMutableRawPointer: [PendingNotification]] = [:]
        /// The open worlds, in the order of opening. Code that belongs to no world uses the last one.
        var worlds: [SimulatedWorld] = []
        var sources: [UnsafeMutableRawPointer: WeakReference<SimulatedSource>] = [:]
        /// The timers of the main run loop, by their Core Foundation timers.
        var timers: [UnsafeMutableRawPointer: ScheduledTimer] = [:]
        /// The waits of worlds for conditions, by `pthread_cond_t`, in the order in which they began.
        var conditionWaits: [UnsafeMutableRawPointer: [ConditionWait]] = [:]
        /// The real times until which threads of no world are given time to end a wait, in nanoseconds.
        var externalWaits: [ObjectIdentifier: (wait: WorkItem.Wait, end: Int64)] = [:]
        /// The items that become ready later.
        var delayedItems: [ObjectIdentifier: WorkItem] = [:]

        /// Whether the test runs on the main thread, outside of any wait.
        var isMainThreadBusy = false
        /// Whether the Swift concurrency job that created the last world is running: an asynchronous test before its
        /// first suspension.
        var isBodyJobRunning = false
        /// Whether a test framework was woken and is about to continue the test.
        var isTestWaking = false
        /// The number of threads that advance a clock, or run other items while they wait.
        var advancing = 0
        /// Whether the scheduler's own thread runs an item or an event.
        var isThreadBusy = false
        /// The waits of the test, innermost last.
        var testWaits: [TestWait] = []
        /// The wait of an asynchronous test that is suspended, or of a test that waits in its framework.
        var suspension: TestWait?
        /// The Swift task of an asynchronous test: the one that created the last world, or that its framework created.
        var bodyTask: RetainedTask?
        /// The kernel's ID of the thread that created the last world.
        var testThreadID: Int32?
        /// The wait of that thread that the scheduler does not see.
        var blockedTest: BlockedTest?
        /// The item that the scheduler's own thread has chosen for the main thread, until the main thread runs it.
        var mainItem: WorkItem?

        /// Whether the scheduler's own thread may run items.
        var mayThreadRun: Bool {
            !worlds.isEmpty && !isMainThreadBusy && !isBodyJobRunning && !isTestWaking && advancing == 0
        }

        /// Whether the thread that created the last world runs code of the test, and no work of the world.
        var isTestRunning: Bool { !worlds.isEmpty && (isMainThreadBusy || isBodyJobRunning) && advancing == 0 }
    }

    /// Work that is submitted when a group is empty.
    struct PendingNotification {
        let item: WorkItem
        let group: RetainedObject
    }

    /// The real time after which an item that neither ends nor waits is reported, in nanoseconds.
    let itemTimeout = Lock<Int64>(10_000_000_000, order: .primitive)

    let monitor = Monitor(State())
    /// Whether the scheduler's own threads were started.
    let areThreadsStarted = Lock(false)

    // MARK: Worlds

    /// Opens a world, so that the scheduler receives the work that its code submits.
    func open(_ world: SimulatedWorld) {
        installInterposition()
        let current = cworld_current_thread()
        let isJob = current.pointee.is_in_job
        if isJob { current.pointee.is_body_job = true }
        if current.pointee.is_main_job { enterMainQueue() }
        let task = cworld_current_task()
        let isMain = cworld_is_main_thread()
        let item = currentItem
        monitor.update { state in
            // While several worlds are open, time passes in all of them at the same rate.
            for other in state.worlds { other.timePassed = 0 }
            world.isOpen = true
            state.worlds.append(world)
            item?.world = world
            if let task {
                state.bodyTask = RetainedTask(task)
                world.tasks.insert(task)
            }
            state.isTestWaking = false
            state.suspension = nil
            if item == nil { state.testThreadID = cworld_thread_id() }
            if isJob {
                state.isBodyJobRunning = true
            } else if isMain, item == nil {
                state.isMainThreadBusy = true
            }
            cworld_set_open_worlds(Int32(state.worlds.count))
        }
        startThreads()
    }

    /// Closes a world and discards its work. Work that threads outside of the world have submitted, such as that of a
    /// test in real time, runs in real time. Threads that wait in the world continue to wait in real time.
    func close(_ world: SimulatedWorld) {
        var external: [(item: WorkItem, delay: Int64)] = []
        let now = world.clock.now.nanoseconds
        // Release discarded work outside the monitor: objects that a block has captured may call the scheduler.
        let discarded = monitor.update { state -> [Any] in
            guard world.isOpen else { return [] }
            world.isOpen = false
            state.worlds.removeAll { $0 === world }
            let all = state.work.all
            var items = all.filter { $0.world === world && $0.phase != .running }
            for item in items { state.work.remove(item) }
            items += state.delayedItems.values.filter { $0.world === world }
            for item in items { state.delayedItems[ObjectIdentifier(item)] = nil }
            external = items.filter { $0.isExternal && $0.phase == .ready }.map { ($0, max(0, ($0.due ?? now) - now)) }
            items.removeAll { $0.isExternal && $0.phase == .ready }
            var discarded: [Any] = [items, state.pendingNotifications]
            state.pendingNotifications = state.pendingNotifications.compactMapValues { notifications in
                let others = notifications.filter { $0.item.world !== world }
                return others.isEmpty ? nil : others
            }
            discarded.append(state.timers.filter { $0.value.world === world })
            state.timers = state.timers.filter { $0.value.world !== world }
            world.tasks = []
            state.testWaits.removeAll { $0.world === world }
            state.suspension = nil
            if state.worlds.isEmpty {
                // The task can refer to objects of the client.
                if let task = state.bodyTask { discarded.append(task) }
                state.bodyTask = nil
                state.testThreadID = nil
                discarded.append(state.work.removeQueues())
                state.isMainThreadBusy = false
                state.isBodyJobRunning = false
                state.sources = [:]
            }
            cworld_set_open_worlds(Int32(state.worlds.count))
            for item in items where item.phase == .ready { leaveGroup(of: item, &state) }
            world.releaseClock()
            for item in all { item.wakeup?.wake() }
            return discarded
        }
        // The rest of the job that opened the world belongs to no world, also if another test opens one meanwhile.
        if monitor.read(\.worlds.isEmpty) { cworld_current_thread().pointee.is_body_job = false }
        withExtendedLifetime(discarded) {}
        for (item, delay) in external { runInRealTime(item, after: delay) }
    }

    /// The world of the code that the calling thread runs; nil if no world is open, if its world is closed, or if its
    /// system is not simulated.
    var currentWorld: SimulatedWorld? {
        if let system = CaptureSystem.innermostRun {
            return monitor.read { state in state.worlds.last { $0.system === system } }
        }
        if let item = currentItem { return item.world.isOpen ? item.world : nil }
        return monitor.read { $0.worlds.last }
    }

    /// The item that the calling thread runs.
    var currentItem: WorkItem? {
        cworld_current_thread().pointee.item.map { Unmanaged<WorkItem>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the calling thread runs work of a world or an asynchronous test that created one, or is the main thread
    /// outside of Swift jobs.
    var isWorldThread: Bool {
        let thread = cworld_current_thread().pointee
        return thread.item != nil || thread.is_body_job || (cworld_is_main_thread() && !thread.is_in_job)
    }

    /// The world of work that the calling thread submits to a queue; nil if libdispatch runs it in real time.
    func worldOfSubmission(to queue: UnsafeMutableRawPointer) -> SimulatedWorld? {
        if isWorldThread || CaptureSystem.innermostRun != nil { return currentWorld }
        // A task outside of all worlds, such as a test in real time.
        if cworld_current_thread().pointee.is_in_job { return nil }
        // The thread belongs to the client or a library, outside of all worlds. Work that it submits to a queue of a
        // world runs in that world.
        let isUsed =
            monitor.read { $0.work.isUsed(queue) } && !cworld_queue_is_global(queue)
            || queue == cworld_main_queue()
        guard isUsed, let world = currentWorld else { return nil }
        reportExternalWork(on: queue, in: world)
        return world
    }

    /// Reports, once for each world, that a thread outside of the world submits work to it.
    private func reportExternalWork(on queue: UnsafeMutableRawPointer, in world: SimulatedWorld) {
        let isFirst = monitor.update { _ in
            defer { world.isExternalWorkReported = true }
            return !world.isExternalWorkReported
        }
        guard isFirst else { return }
        let label = cworld_queue_label(queue).map { String(cString: $0) } ?? ""
        FileHandle.standardError.write(
            Data(
                """
                obscura: a thread outside of the simulated world submits work to the queue "\(label)"; the virtual \
                time at which the work arrives is not repeatable

                """.utf8))
    }

    /// Whether work of a world, or a timer of the main run loop, is due at a later time.
    func hasDelayedWork(of world: SimulatedWorld) -> Bool {
        monitor.read { state in
            state.delayedItems.values.contains { $0.world === world }
                || state.timers.values.contains { $0.world === world }
        }
    }

    /// Returns descriptions of the items, notifications and timers that have not ended, for reports: first ready and
    /// waiting work, then work that is due later, in the order of time.
    func pendingWork(of world: SimulatedWorld) -> [String] {
        monitor.read { state in
            let items = state.work.all.filter { $0.world === world && !($0.phase == .running && $0.isAdvancing) }
            let notifications = state.pendingNotifications.values.joined().filter { $0.item.world === world }.sorted {
                $0.item.number < $1.item.number
            }.map { "a notification on \($0.item.queueName) waits for a dispatch group" }
            var later = state.delayedItems.values.filter { $0.world === world }.map {
                (due: $0.due ?? 0, text: $0.description)
            }
            later += state.timers.values.filter { $0.world === world }.map {
                ($0.due, "a timer of the main run loop is due at \(Duration.nanoseconds($0.due))")
            }
            later += state.sources.values.compactMap { $0.object?.nextFiring(in: world) }
            later.sort { ($0.due, $0.text) < ($1.due, $1.text) }
            return items.map(\.description) + notifications + later.map(\.text)
        }
    }
}
