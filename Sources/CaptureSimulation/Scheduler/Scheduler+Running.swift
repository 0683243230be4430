import CWorld
import Foundation

/// Running items, one at a time.
extension Scheduler {
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
        let item = monitor.update { state in
            let item = state.work.choose(in: state.worlds)
            hasThread = item?.wait != nil || item?.action.isSync == true
            item?.wait = nil
            return item
        }
        guard let item else { return waitForOtherThreads() }
        if item.isInline { return true }
        if !hasThread { start(item) }
        monitor.wait { _ in item.hasEndedOrWaits }
        return true
    }

    /// Starts an item on its queue.
    private func start(_ item: WorkItem) {
        guard item.queue.pointer == cworld_main_queue() else {
            let retained = Unmanaged.passRetained(item).toOpaque()
            cworld_async(item.queue.pointer, item.isBarrier, runItemFromQueue, retained)
            return
        }
        if cworld_is_main_thread_of_code() {
            item.isInline = true
            run(item)
        } else {
            monitor.update { $0.mainItem = item }
            cworld_async(item.queue.pointer, false, { _ in Scheduler.shared.runMainItem() }, nil)
        }
    }

    /// Submits the work of an item to libdispatch, after a delay in nanoseconds of real time.
    func runInRealTime(_ item: WorkItem, after delay: Int64) {
        let retained = Unmanaged.passRetained(item).toOpaque()
        if delay > 0 {
            cworld_after(delay, item.queue.pointer, runItemInRealTime, retained)
        } else {
            cworld_async(item.queue.pointer, item.isBarrier, runItemInRealTime, retained)
        }
    }

    /// Runs the item that waits for the main thread, if any.
    func runMainItem() {
        let item = monitor.update { state in
            defer { state.mainItem = nil }
            return state.mainItem
        }
        if let item { run(item) }
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
        if item.queue.pointer == cworld_main_queue() { enterMainQueue() }
        // The handlers of interposed functions set it while they call the scheduler.
        thread.pointee.bypass = 0
        body()
        thread.pointee.item = saved.item
        thread.pointee.is_on_main_queue = saved.is_on_main_queue
        thread.pointee.bypass = saved.bypass
    }

    /// Makes the calling thread the main thread for the code that it runs; see `cworld_is_main_thread_of_code`.
    func enterMainQueue() {
        // Foundation keeps the result for each thread. Read later, it would be `Thread.main` also when the thread runs
        // work of other queues.
        _ = Thread.current
        cworld_current_thread().pointee.is_on_main_queue = true
    }

    /// Marks an item as ended.
    func end(_ item: WorkItem) {
        monitor.update { state in
            state.work.remove(item)
            item.phase = .finished
            item.world.history?.add(item)
            leaveGroup(of: item, &state)
            // An asynchronous test has run, and is suspended again or has ended.
            if let task = state.bodyTask?.pointer, item.action.isJob(of: task) { state.suspension = nil }
            if case .work = item.action, item.queue.pointer == cworld_main_queue() { item.world.mainBlockCount += 1 }
        }
    }

    /// Runs an event of the clock as part of its world.
    func runEvent(of world: SimulatedWorld, _ action: () -> Void) {
        guard let event = monitor.read({ _ in world.eventItem }) else { return action() }
        asItem(event, action)
    }

    /// Whether the calling thread runs the test: code outside of items, or a Swift task outside of callbacks.
    var canAdvance: Bool {
        currentItem?.action.isTask ?? true
    }

    /// Runs `body`, which runs items on the calling thread.
    ///
    /// - Parameter isAdvance: Whether the test advances a clock. The item that runs the test then does not block its
    ///   queue.
    func whileAdvancing(isAdvance: Bool = true, _ body: () -> Void) {
        let item = currentItem
        monitor.update { state in
            state.advancing += 1
            if isAdvance, let item { state.work.setAdvancing(true, item) }
        }
        // The scheduler's own thread finishes its current work first, unless this item is that work.
        if item == nil { waitForThread() }
        let thread = cworld_current_thread()
        let bypass = thread.pointee.bypass
        thread.pointee.bypass = 0
        body()
        thread.pointee.bypass = bypass
        monitor.update { state in
            state.advancing -= 1
            if isAdvance, let item { state.work.setAdvancing(false, item) }
        }
    }
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

    /// Whether the action is a job of a Swift task: for the global executor, or for the main executor.
    fileprivate func isJob(of task: UnsafeMutableRawPointer) -> Bool {
        switch self {
        case .job(let job): job == task
        case .work(let retained): retained.work.block == nil && retained.work.context == task
        case .call, .sync: false
        }
    }

    var isSync: Bool {
        if case .sync = self { return true }
        return false
    }
}

extension WorkItem {
    /// Whether the scheduler may choose the next item: this item has ended or waits, and its caller, which continues on
    /// the same thread, does not run.
    fileprivate var hasEndedOrWaits: Bool { phase != .running && caller?.phase != .running }
}

/// Runs the work of an item outside of all worlds.
private func runItemInRealTime(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let item = Unmanaged<WorkItem>.fromOpaque(context).takeRetainedValue()
    if case .work(let retained) = item.action { cworld_run(retained.work) }
    Scheduler.shared.monitor.update { Scheduler.shared.leaveGroup(of: item, &$0) }
}

/// Runs an item on the thread of its queue.
private func runItemFromQueue(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let item = Unmanaged<WorkItem>.fromOpaque(context).takeRetainedValue()
    Scheduler.shared.run(item)
}
