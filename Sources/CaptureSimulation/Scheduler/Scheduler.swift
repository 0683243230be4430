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
        var lastNumber: UInt64 = 0
        /// The items that have not ended, in the order of submission.
        var items: [WorkItem] = []
        /// Work that is submitted when a condition becomes true.
        var pendingNotifications: [PendingNotification] = []
        /// The open worlds, in the order of opening. Code that belongs to no world uses the last one.
        var worlds: [SimulatedWorld] = []
        /// The queues that a world's code has used, retained so that no other queue has their addresses.
        var knownQueues: [UnsafeMutableRawPointer: RetainedObject] = [:]
        /// The target queue of each queue that has one.
        var targets: [UnsafeMutableRawPointer: QueueTarget] = [:]
        /// The suspension count of each suspended queue.
        var suspensions: [UnsafeMutableRawPointer: Int] = [:]
        /// The queues that were created inactive and not activated. Releasing such a queue is a fatal error in
        /// libdispatch.
        var inactiveQueues: Set<UnsafeMutableRawPointer> = []
        var sources: [UnsafeMutableRawPointer: WeakReference<SimulatedSource>] = [:]
        /// The next firing of each Core Foundation timer that is scheduled.
        var timers: [UnsafeMutableRawPointer: TimerFiring] = [:]
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
        /// The item that the scheduler's own thread has chosen for the main thread, until the main thread runs it.
        var mainItem: WorkItem?

        /// Whether the scheduler's own thread may run items.
        var mayRunByItself: Bool {
            !worlds.isEmpty && !isMainThreadBusy && !isBodyJobRunning && !isTestWaking && advancing == 0
        }
    }

    /// A queue and its target, both retained, so that no other queue has their addresses.
    struct QueueTarget {
        let queue: RetainedObject
        let target: RetainedObject
    }

    /// Work that is submitted when a condition becomes true.
    struct PendingNotification {
        let item: WorkItem
        let description: String
        let isReady: () -> Bool
    }

    /// A firing of a timer of the main run loop.
    struct TimerFiring {
        let timer: Timer
        let world: SimulatedWorld
        /// The time of the world's clock, in nanoseconds.
        let due: Int64
    }

    /// The real time after which an item that neither ends nor waits is reported, in nanoseconds.
    let itemTimeout = Lock<Int64>(10_000_000_000, order: .primitive)

    let monitor = Monitor(State())
    private let thread = Lock(false)

    // MARK: Worlds

    /// Opens a world. From then on, the scheduler receives the work that its code submits.
    func open(_ world: SimulatedWorld) {
        installInterposition()
        let current = cworld_current_thread()
        let isJob = current.pointee.is_in_job
        if isJob { current.pointee.is_body_job = true }
        let isMain = cworld_is_main_thread()
        let item = currentItem
        monitor.update { state in
            // From now on, time passes in all worlds at the same rate.
            for other in state.worlds { other.timePassed = 0 }
            state.worlds.append(world)
            item?.world = world
            state.isTestWaking = false
            if isJob {
                state.isBodyJobRunning = true
            } else if isMain, item == nil {
                state.isMainThreadBusy = true
            }
            cworld_set_open_worlds(Int32(state.worlds.count))
        }
        startThread()
    }

    /// Closes a world and discards its work. Threads that wait in it continue to wait in real time.
    func close(_ world: SimulatedWorld) {
        // Release discarded work outside the monitor: objects that a block has captured may call the scheduler.
        let discarded = monitor.update { state -> [Any] in
            guard world.isOpen else { return [] }
            world.isOpen = false
            state.worlds.removeAll { $0 === world }
            var items = state.items.filter { $0.world === world && $0.phase != .running }
            state.items.removeAll { item in items.contains { $0 === item } }
            items += state.delayedItems.values.filter { $0.world === world }
            for item in items { state.delayedItems[ObjectIdentifier(item)] = nil }
            var discarded: [Any] = [items, state.pendingNotifications.filter { $0.item.world === world }]
            state.pendingNotifications.removeAll { $0.item.world === world }
            discarded.append(world.performedBlocks)
            world.tasks = []
            world.performedBlocks = [:]
            if state.worlds.isEmpty {
                discarded.append((state.targets, state.knownQueues, state.timers))
                state.isMainThreadBusy = false
                state.isBodyJobRunning = false
                state.knownQueues = [:]
                state.targets = [:]
                state.suspensions = [:]
                state.inactiveQueues = []
                state.sources = [:]
                state.timers = [:]
            }
            cworld_set_open_worlds(Int32(state.worlds.count))
            for item in items where item.phase == .ready {
                if let group = item.group { cworld_group_leave(group.pointer) }
            }
            world.close()
            return discarded
        }
        withExtendedLifetime(discarded) {}
    }

    /// The world of the code that the calling thread runs; nil if no world is open, if its world is closed, or if its
    /// system is not a simulated one.
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

    /// Whether the calling thread runs work of a world, or a test that created one.
    var isWorldThread: Bool {
        let thread = cworld_current_thread().pointee
        return thread.item != nil || thread.is_body_job || cworld_is_main_thread()
    }

    /// The world of work that the calling thread submits to a queue; nil if libdispatch runs it in real time.
    func worldOfSubmission(to queue: UnsafeMutableRawPointer) -> SimulatedWorld? {
        if isWorldThread || CaptureSystem.innermostRun != nil { return currentWorld }
        // The thread belongs to the client or a library, outside of all worlds. Work that it submits to a queue of a
        // world runs in that world.
        let isKnown = monitor.read { $0.knownQueues[queue] != nil } || queue == cworld_main_queue()
        guard isKnown, let world = currentWorld else { return nil }
        reportForeignWork(on: queue, in: world)
        return world
    }

    /// Reports, once for each world, that a thread outside of the world submits work to it.
    private func reportForeignWork(on queue: UnsafeMutableRawPointer, in world: SimulatedWorld) {
        let isFirst = monitor.update { _ in
            defer { world.hasForeignWork = true }
            return !world.hasForeignWork
        }
        guard isFirst else { return }
        let label = cworld_queue_label(queue).map { String(cString: $0) } ?? ""
        FileHandle.standardError.write(
            Data(
                """
                obscura: a thread outside of the simulated world submits work to the queue "\(label)"; when it arrives in \
                virtual time is not repeatable

                """.utf8))
    }

    /// Returns descriptions of the items, notifications and timers that have not ended, for reports: first ready and
    /// waiting work, then work that is due later, in the order of time.
    func pendingWork(of world: SimulatedWorld) -> [String] {
        monitor.read { state in
            let items = state.items.filter { $0.world === world && !($0.phase == .running && $0.isAdvancing) }
            let notifications = state.pendingNotifications.filter { $0.item.world === world }.map {
                "a notification on \($0.item.queueName) waits for \($0.description)"
            }
            var later = state.delayedItems.values.filter { $0.world === world }.map {
                (due: $0.due ?? 0, text: $0.description)
            }
            later += state.timers.values.filter { $0.world === world && $0.timer.isValid }.map {
                ($0.due, "a timer of the main run loop is due at \(Duration.nanoseconds($0.due))")
            }
            later += state.sources.values.compactMap { $0.object?.nextFiring(in: world) }
            later.sort { ($0.due, $0.text) < ($1.due, $1.text) }
            return items.map(\.description) + notifications + later.map(\.text)
        }
    }

    // MARK: Submission

    /// Adds an item.
    func submit(_ item: WorkItem) {
        monitor.update { add(item, to: &$0) }
    }

    /// Adds an item at a time of its world's clock, in nanoseconds.
    func submit(_ item: WorkItem, at due: Int64) {
        monitor.update { state in
            item.due = due
            state.delayedItems[ObjectIdentifier(item)] = item
        }
        item.world.clock.schedule(at: CMTime(nanoseconds: due)) { [self] in
            monitor.update { state in
                guard let item = state.delayedItems.removeValue(forKey: ObjectIdentifier(item)) else { return }
                item.due = nil
                add(item, to: &state)
            }
        }
    }

    /// Adds an item, or drops it if its world is closed.
    func add(_ item: WorkItem, to state: inout State) {
        guard item.world.isOpen else {
            if let group = item.group { cworld_group_leave(group.pointer) }
            return
        }
        state.lastNumber += 1
        item.number = state.lastNumber
        state.items.append(item)
        if state.knownQueues[item.queue.pointer] == nil { state.knownQueues[item.queue.pointer] = item.queue }
    }

    // MARK: Choice

    /// Chooses the next item and marks it as running; nil if none is ready.
    private func chooseItem(_ state: inout State) -> WorkItem? {
        for (index, notification) in state.pendingNotifications.enumerated().reversed() where notification.isReady() {
            state.pendingNotifications.remove(at: index)
            add(notification.item, to: &state)
        }
        for item in state.items where item.phase == .waiting && item.wait?.isOver() == true {
            state.lastNumber += 1
            item.number = state.lastNumber
            item.phase = .resumable
        }
        let ready = state.items.indices.filter { isReady($0, state) }.map { state.items[$0] }
        guard var chosen = ready.min(by: { $0.number < $1.number }) else { return nil }
        if ready.count > 1, chosen.world.generator != nil {
            let others = ready.filter { $0.world === chosen.world }.sorted { $0.number < $1.number }
            chosen = chosen.world.generator?.pick(others) ?? chosen
        }
        chosen.phase = .running
        return chosen
    }

    /// Whether an item may run. False while its queue is suspended, or an earlier item or barrier of the queue has not
    /// ended.
    private func isReady(_ index: Int, _ state: State) -> Bool {
        let item = state.items[index]
        if item.phase == .resumable { return true }
        guard item.phase == .ready else { return false }
        let queue = item.queue.pointer
        if state.isSuspended(queue) { return false }
        for earlier in state.items[..<index] where earlier.queue.pointer == queue && !earlier.isAdvancing {
            if !item.isConcurrent || item.isBarrier || earlier.isBarrier { return false }
        }
        // Queues with the same serial target queue do not run their work at the same time.
        var target = state.targets[queue]?.target.pointer
        while let current = target {
            if state.isSuspended(current) { return false }
            if !cworld_queue_is_concurrent(current) {
                let isOccupied = state.items.contains {
                    $0 !== item && $0.hasStarted && !$0.isAdvancing && state.chain(of: $0).contains(current)
                }
                if isOccupied { return false }
            }
            target = state.targets[current]?.target.pointer
        }
        return true
    }

    // MARK: Running

    /// Runs all items that are ready, including those that they submit.
    func runReadyWork() {
        while runNextItem() {}
    }

    /// Runs the next item until it ends or its thread waits.
    ///
    /// - Returns: Whether an item was ready.
    @discardableResult
    func runNextItem() -> Bool {
        var hasThread = false
        let (item, unused) = monitor.update { state -> (WorkItem?, [RetainedWork]) in
            let item = chooseItem(&state)
            hasThread = item?.wait != nil || item?.action.isSync == true
            item?.wait = nil
            return (item, state.worlds.flatMap { $0.removeUnusedBlocks() })
        }
        // Release unused blocks outside the monitor: objects that a block has captured may call the scheduler.
        withExtendedLifetime(unused) {}
        guard let item else { return false }
        if item.isInline { return true }
        if !hasThread { start(item) }
        waitForEndOrWait(of: item)
        return true
    }

    /// Starts an item on its queue.
    private func start(_ item: WorkItem) {
        guard item.queue.pointer == cworld_main_queue() else {
            let retained = Unmanaged.passRetained(item).toOpaque()
            cworld_async(item.queue.pointer, item.isBarrier, runItemFromQueue, retained)
            return
        }
        if cworld_is_main_thread() {
            item.isInline = true
            run(item)
        } else {
            monitor.update { $0.mainItem = item }
            cworld_async(item.queue.pointer, false, { _ in Scheduler.shared.runMainItem() }, nil)
        }
    }

    /// Runs the item that waits for the main thread, if it still does.
    private func runMainItem() {
        let item = monitor.update { state in
            defer { state.mainItem = nil }
            return state.mainItem
        }
        if let item { run(item) }
    }

    /// Waits until an item has ended or its thread waits. Reports an item that does neither within `itemTimeout`.
    private func waitForEndOrWait(of item: WorkItem) {
        let timeout = itemTimeout.withLock { $0 }
        let hasEnded = monitor.wait(until: { _ in item.hasEndedOrWaits }, deadline: cworld_real_time() + timeout)
        guard !hasEnded else { return }
        var message = "\(item.description) for \(timeout / 1_000_000_000) s of real time: "
        if let thread = monitor.read({ _ in item.threadID }) {
            message += "it does not end, or waits in a way that the scheduler does not see (a lock, a condition, I/O)"
            let calls = CallStack(ofThread: thread).description
            if !calls.isEmpty { message += ". Its calls, innermost first:\n\(calls)" }
        } else if item.queue.pointer == cworld_main_queue() {
            message += "the main thread does not run its queue"
        } else {
            message += "its queue does not run it"
        }
        item.world.report(message)
        monitor.wait { _ in item.hasEndedOrWaits }
    }

    /// Runs an item on the calling thread.
    func run(_ item: WorkItem) {
        asItem(item) {
            switch item.action {
            case .work(let retained): cworld_run(retained.work)
            case .call(let body): body()
            case .job(let job): cworld_run_job(job)
            case .sync: break
            }
        }
        end(item)
    }

    /// Runs `body` with `item` as the item of the calling thread. The scheduler intercepts the calls of `body`.
    func asItem(_ item: WorkItem, _ body: () -> Void) {
        let thread = cworld_current_thread()
        let saved = thread.pointee
        monitor.read { _ in item.threadID = cworld_thread_id() }
        thread.pointee.item = Unmanaged.passUnretained(item).toOpaque()
        thread.pointee.bypass = 0
        body()
        thread.pointee.item = saved.item
        thread.pointee.bypass = saved.bypass
    }

    /// Marks an item as ended.
    func end(_ item: WorkItem) {
        if let group = item.group { cworld_group_leave(group.pointer) }
        monitor.update { state in
            if case .work(let retained) = item.action, let block = retained.work.block, cworld_is_work_item(block) {
                item.world.performedBlocks[block] = retained
            }
            item.phase = .finished
            state.items.removeAll { $0 === item }
        }
    }

    /// Runs an event of the clock as part of its world.
    func runEvent(of world: SimulatedWorld, _ action: () -> Void) {
        guard let event = monitor.read({ _ in world.eventItem }) else { return action() }
        asItem(event, action)
    }

    // MARK: Advancing

    /// Whether the calling thread runs the test: code outside of items, or a Swift task outside of callbacks.
    var canAdvance: Bool {
        currentItem?.action.isTask ?? true
    }

    /// Runs `body`, which runs items on the calling thread.
    ///
    /// - Parameter isAdvance: Whether the test advances a clock. Its own item then does not block the item's queue.
    func whileAdvancing(isAdvance: Bool = true, _ body: () -> Void) {
        let item = currentItem
        // The scheduler's own thread finishes its current work first, unless this item is that work.
        monitor.update { state in
            state.advancing += 1
            if isAdvance { item?.isAdvancing = true }
        }
        if item == nil { waitForThread() }
        let thread = cworld_current_thread()
        let bypass = thread.pointee.bypass
        thread.pointee.bypass = 0
        body()
        thread.pointee.bypass = bypass
        monitor.update { state in
            state.advancing -= 1
            if isAdvance { item?.isAdvancing = false }
        }
    }

    // MARK: The scheduler's own thread

    private func startThread() {
        let isRunning = thread.withLock { isRunning in
            defer { isRunning = true }
            return isRunning
        }
        guard !isRunning else { return }
        let thread = Thread {
            // The kernel receives the name only if the thread itself sets it. Leak checks identify the thread by it.
            Thread.current.name = "obscura.world"
            self.runThread()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Runs items while the test is suspended; advances time when none is ready.
    private func runThread() {
        cworld_current_thread().pointee.bypass = 1
        while true {
            monitor.wait { state in
                guard state.mayRunByItself else { return false }
                state.isThreadBusy = true
                return true
            }
            let didRun = runNextItem() || runNextEvent()
            monitor.update { $0.isThreadBusy = false }
            if !didRun { waitForArrival() }
        }
    }

    /// Runs the next event of all worlds' clocks.
    private func runNextEvent() -> Bool {
        let next = monitor.read(\.worlds).compactMap { world in
            world.clock.nextActionTime.map {
                (world: world, duration: max(0, $0.nanoseconds - world.clock.now.nanoseconds))
            }
        }.min { $0.world.timePassed + $0.duration < $1.world.timePassed + $1.duration }
        guard let (world, duration) = next else { return false }
        world.timePassed += duration
        return world.clock.runNextAction(by: CMTime(nanoseconds: .max))
    }

    /// Waits until work arrives or the test continues.
    private func waitForArrival() {
        let isPending = { (state: inout State) in
            let state = state
            return !state.mayRunByItself || state.items.indices.contains { self.isReady($0, state) }
                || state.items.contains { $0.phase == .waiting && $0.wait?.isOver() == true }
                || state.pendingNotifications.contains { $0.isReady() }
        }
        // Other threads can signal what an item waits for without notifying the scheduler, so poll.
        let interval: Int64 = 10_000_000
        let deadline = cworld_real_time() + itemTimeout.withLock { $0 }
        var isReported = false
        while !monitor.wait(until: isPending, deadline: cworld_real_time() + interval) {
            guard !isReported, cworld_real_time() > deadline, let world = monitor.read({ $0.worlds.last }) else {
                continue
            }
            isReported = true
            let pending = pendingWork(of: world)
            world.report(
                "the test waits, but nothing of its world is ready and no timer is set"
                    + (pending.isEmpty ? "" : ": " + pending.joined(separator: "; ")))
        }
    }

    /// Called when the test on the main thread begins or ends waiting. The scheduler's own thread runs items only while
    /// the test waits.
    func testWaits(_ isWaiting: Bool) {
        monitor.update { state in
            state.isMainThreadBusy = !isWaiting
            state.isTestWaking = false
        }
        if !isWaiting { waitForThread() }
    }

    /// Waits until the scheduler's own thread is idle. On the main thread, runs the item that the scheduler's own
    /// thread waits for.
    private func waitForThread() {
        let isMain = cworld_is_main_thread()
        while true {
            monitor.wait { !$0.isThreadBusy || (isMain && $0.mainItem != nil) }
            guard isMain, monitor.read({ $0.mainItem != nil }) else { return }
            let thread = cworld_current_thread()
            let bypass = thread.pointee.bypass
            runMainItem()
            thread.pointee.bypass = bypass
        }
    }

    /// Stops the scheduler's own thread until the test waits again.
    func testWakes() {
        monitor.update { $0.isTestWaking = true }
    }

    /// Called when the job that created a world has returned.
    func bodyJobEnded() {
        monitor.update { $0.isBodyJobRunning = false }
    }
}

extension Scheduler.State {
    /// Whether a queue runs no work for now.
    func isSuspended(_ queue: UnsafeMutableRawPointer) -> Bool {
        (suspensions[queue] ?? 0) > 0 || inactiveQueues.contains(queue)
    }

    /// Returns the queue of an item, its target queue, the target of that queue, and so on.
    fileprivate func chain(of item: WorkItem) -> [UnsafeMutableRawPointer] {
        var chain = [item.queue.pointer]
        while let last = chain.last, let next = targets[last]?.target.pointer { chain.append(next) }
        return chain
    }
}

extension WorkItem {
    /// Whether a thread runs the item, or waits in it.
    fileprivate var hasStarted: Bool { phase == .running || phase == .waiting || phase == .resumable }

    /// Whether the item is not running, and neither is the item on the thread that it used.
    fileprivate var hasEndedOrWaits: Bool { phase != .running && caller?.phase != .running }
}

extension WorkItem.Action {
    /// Whether the item is part of a Swift task: a job, or a function, which only Swift concurrency submits.
    fileprivate var isTask: Bool {
        switch self {
        case .job: true
        case .work(let retained): retained.work.block == nil
        case .call, .sync: false
        }
    }

    var isSync: Bool {
        if case .sync = self { return true }
        return false
    }
}

/// Runs an item on the thread of its queue.
private func runItemFromQueue(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let item = Unmanaged<WorkItem>.fromOpaque(context).takeRetainedValue()
    Scheduler.shared.run(item)
}
