import CWorld
import CaptureHAL
import MediaTypes

extension Scheduler {
    /// Waits on the calling thread until a condition is true, while other items run.
    ///
    /// - Parameters:
    ///   - world: The world of the calling code.
    ///   - description: What the thread waits for, such as "a semaphore", for reports.
    ///   - deadline: The virtual time at which the wait ends, in nanoseconds; nil for no limit.
    ///   - isExternal: Whether a thread that belongs to no world can end the wait. Such threads are given some real time
    ///     to do so before virtual time advances. The wait does not end at the limit in real time.
    ///   - runsMainQueue: Whether the calling thread, which runs an item of the main queue, runs later ones meanwhile.
    ///   - isBlocked: Returns whether the thread cannot continue although the wait is over. Called while the monitor is
    ///     locked.
    ///   - condition: Returns whether the wait has succeeded. Called while the monitor is locked.
    /// - Returns: Whether the wait succeeded; nil if the world is closed during the wait, or if no pending work can end
    ///   it.
    func wait(
        in world: SimulatedWorld, for description: String, until deadline: Int64?, isExternal: Bool = false,
        runsMainQueue: Bool = false, isBlocked: @escaping () -> Bool = { false }, _ condition: @escaping () -> Bool
    ) -> Bool? {
        if monitor.update({ _ in condition() }) { return true }
        let limit = mainThreadLimit(in: world)
        // A wait that exceeds the limit is reported and ends, so that a deadlock of the main thread does not stop the
        // test.
        let isEndless = deadline == nil
        let isLimited = isEndless && limit != nil
        let start = world.clock.now.nanoseconds
        let deadline = isLimited ? limit.map { start + $0.nanoseconds + 1 } : deadline
        defer { report(description, since: start, limit, in: world) }
        if let deadline, deadline <= world.clock.now.nanoseconds { return false }
        let hasTimedOut = Lock(false, order: .primitive)
        let timer = deadline.map { deadline in
            world.clock.schedule(at: CMTime(nanoseconds: deadline)) { hasTimedOut.withLock { $0 = true } }
        }
        defer { timer?.cancel() }
        let wait = WorkItem.Wait(
            description: description, hasTimedOut: { hasTimedOut.withLock { $0 } }, condition: condition)
        wait.isBlocked = isBlocked
        wait.isEndless = isEndless
        if isExternal { beginExternal(wait) }
        defer { if isExternal { endExternal(wait) } }
        // A thread without an item or with an inline item runs other items itself. The thread of any other item blocks
        // until the scheduler, on another thread, chooses the item again.
        if let item = currentItem, !item.isInline {
            let wakeup = ConditionVariable()
            monitor.update { _ in
                item.wait = wait
                item.wakeup = wakeup
                item.phase = .waiting
                // The items that wait for this synchronous item do not run either.
                for caller in sequence(first: item, next: \.caller).dropFirst() where caller.phase == .running {
                    caller.wait = WorkItem.Wait(description: item.queueName) { false }
                    caller.phase = .waiting
                }
            }
            if runsMainQueue { runMainItems(in: world, during: wait, of: item) }
            monitor.wait(until: { _ in item.phase == .running || !world.isOpen }, on: wakeup)
            if wait.hasSucceeded { return true }
            guard world.isOpen else { return nil }
            return isLimited
        }
        guard runWork(in: world, until: wait, isEndless: deadline == nil, endsAtLimit: !isExternal) else { return nil }
        return wait.hasSucceeded || isLimited
    }

    /// The limit of waits if the calling code is work of the world on the main thread; nil otherwise.
    func mainThreadLimit(in world: SimulatedWorld) -> SimulatedWorld.MainThreadLimit? {
        guard let limit = world.mainThreadLimit, let item = currentItem, !item.isEvent,
            cworld_is_main_thread_of_code()
        else { return nil }
        return limit
    }

    /// Reports a wait of the main thread that has exceeded its limit.
    private func report(
        _ description: String, since start: Int64, _ limit: SimulatedWorld.MainThreadLimit?, in world: SimulatedWorld
    ) {
        guard let limit, world.clock.now.nanoseconds - start > limit.nanoseconds else { return }
        limit.report(description)
    }

    /// Runs the items of the main queue that other threads choose, until the item of the calling thread is chosen again.
    private func runMainItems(in world: SimulatedWorld, during wait: WorkItem.Wait, of item: WorkItem) {
        while true {
            var mainItem: WorkItem?
            monitor.wait { state in
                mainItem = state.mainItem
                state.mainItem = nil
                wait.isRunningItem = mainItem != nil
                return mainItem != nil || item.phase == .running || !world.isOpen
            }
            guard let mainItem else { return }
            run(mainItem)
            monitor.update { _ in wait.isRunningItem = false }
        }
    }

    /// Runs items and events on the calling thread until a wait is over: its condition is true, or it has timed out.
    ///
    /// - Parameters:
    ///   - isEndless: Whether the wait has no limit in virtual time.
    ///   - endsAtLimit: Whether the wait counts as timed out when it reaches its limit in real time.
    /// - Returns: Whether the wait is over; false if no remaining work can end it.
    private func runWork(
        in world: SimulatedWorld, until wait: WorkItem.Wait, isEndless: Bool, endsAtLimit: Bool
    ) -> Bool {
        let item = currentItem.flatMap { $0.isEvent ? nil : $0 }
        monitor.update { _ in
            item?.wait = wait
            item?.phase = .waiting
        }
        defer {
            monitor.update { state in
                guard let item else { return }
                item.wait = nil
                state.work.run(item)
            }
        }
        let testWait = beginTestWait(wait.description, in: world, endsWith: isEndless ? .work : .time)
        defer { end(testWait) }
        var isOver = false
        // The test does not advance a clock here, so an item that waits still blocks its queue.
        whileAdvancing(isAdvance: false) {
            repeat {
                isOver = monitor.update { _ in
                    item?.phase == .running || wait.isOver() || (endsAtLimit && testWait.isOverLimit)
                }
            } while !isOver && (runNextItem() || world.clock.runNextAction(by: CMTime(nanoseconds: .max)))
            if !isOver { isOver = monitor.update { _ in wait.isOver() } }
        }
        return isOver
    }

    /// Runs a block on a queue after the earlier work of the queue has ended, and waits until it has ended.
    ///
    /// The block runs on the calling thread; on the main queue, it runs on the main thread.
    /// - Returns: False if libdispatch must perform the call.
    func sync(on queue: UnsafeMutableRawPointer, _ work: cworld_work, isBarrier: Bool, in world: SimulatedWorld) -> Bool
    {
        let caller = currentItem.flatMap { $0.isEvent ? nil : $0 }
        // A queue that waits for itself is a deadlock. libdispatch stops the program with its own message.
        let isDeadlock = sequence(first: caller, next: { $0?.caller }).contains {
            $0?.queue.pointer == queue && $0?.isConcurrent == false
        }
        if isDeadlock { return false }
        if queue == cworld_main_queue() {
            if cworld_is_main_thread_of_code() { return false }
            // SAFETY: the block may be nonescaping, and is therefore not copied. It stays valid, because the calling
            // thread waits until it has run.
            nonisolated(unsafe) let work = work
            let item = WorkItem(world: world, queue: queue, action: .call { cworld_run(work) })
            submit(item)
            let result = wait(in: world, for: "a synchronous block on the main queue", until: nil) {
                item.phase == .finished
            }
            if result != nil { return true }
            let hasStarted = monitor.update { state in
                if item.phase == .ready { state.work.remove(item) }
                return item.phase != .ready
            }
            if hasStarted { monitor.wait { _ in item.phase == .finished } }
            return hasStarted
        }
        let item = WorkItem(world: world, queue: queue, action: .sync, isBarrier: isBarrier)
        item.isInline = caller?.isInline ?? true
        if !item.isInline { item.caller = caller }
        let wakeup = ConditionVariable()
        let limit = mainThreadLimit(in: world)
        let isIdle = monitor.update { state in
            item.wakeup = wakeup
            let isIdle = state.work.isIdle(queue)
            add(item, to: &state)
            if isIdle { state.work.run(item) }
            return isIdle
        }
        if isIdle {
            // The item already blocks later work of the queue. The block runs below.
        } else if item.isInline {
            _ = wait(in: world, for: item.queueName, until: nil) { item.phase == .running }
        } else {
            waitForTurn(of: item, caller: caller, limit, wakeup)
        }
        let isBlocked = monitor.update { state in
            guard item.phase != .running, world.isOpen else { return false }
            // The main thread has waited longer than its limit. The block runs without the queue, because a deadlock
            // cannot end otherwise.
            state.work.remove(item)
            item.phase = .running
            return true
        }
        asItem(item) { isBlocked ? cworld_run(work) : cworld_sync(queue, work, isBarrier) }
        monitor.update { state in
            if let caller, !item.isInline {
                caller.wait = nil
                state.work.run(caller)
            }
            state.work.remove(item)
            item.phase = .finished
        }
        return true
    }

    /// Blocks the thread of a synchronous block until its item is chosen, or the limit of the main thread has passed.
    private func waitForTurn(
        of item: WorkItem, caller: WorkItem?, _ limit: SimulatedWorld.MainThreadLimit?, _ wakeup: ConditionVariable
    ) {
        let world = item.world
        let start = world.clock.now.nanoseconds
        let hasTimedOut = Lock(false, order: .primitive)
        let timer = limit.map { limit in
            world.clock.schedule(at: CMTime(nanoseconds: start + limit.nanoseconds + 1)) {
                hasTimedOut.withLock { $0 = true }
            }
        }
        defer { timer?.cancel() }
        monitor.update { _ in
            caller?.wait = WorkItem.Wait(
                description: item.queueName, hasTimedOut: { hasTimedOut.withLock { $0 } }, condition: { false })
            caller?.wait?.isEndless = true
            caller?.phase = .waiting
            if limit != nil { caller?.wakeup = wakeup }
        }
        monitor.wait(
            until: { _ in item.phase == .running || caller?.phase == .running || !world.isOpen }, on: wakeup)
        report(item.queueName, since: start, limit, in: world)
    }

    /// Waits for a semaphore, group or work item.
    ///
    /// - Parameters:
    ///   - timeout: A `dispatch_time_t`.
    ///   - result: Receives 0, or 1 after a timeout.
    /// - Returns: False if libdispatch must perform the wait; `result` is then unchanged.
    func wait(
        for kind: cworld_wait_kind, _ object: UnsafeRawPointer, until timeout: UInt64, in world: SimulatedWorld,
        result: UnsafeMutablePointer<Int>
    ) -> Bool {
        let name =
            switch kind {
            case CWORLD_SEMAPHORE: "a semaphore"
            case CWORLD_GROUP: "a dispatch group"
            default: "a work item"
            }
        let condition: () -> Bool
        if kind == CWORLD_BLOCK, let group = cworld_work_item_group(object) {
            // Only one wait on a work item is permitted, so the condition polls the group that it leaves.
            condition = { cworld_try(CWORLD_GROUP, group) == 0 }
        } else {
            condition = { cworld_try(kind, object) == 0 }
        }
        let deadline = DispatchDeadline(timeout, in: world).due
        guard let succeeded = wait(in: world, for: name, until: deadline, condition) else {
            reportEndlessWait(for: name, in: world)
            return false
        }
        if succeeded, kind == CWORLD_BLOCK { _ = cworld_try(kind, object) }
        result.pointee = succeeded ? 0 : 1
        return true
    }

    private func reportEndlessWait(for name: String, in world: SimulatedWorld) {
        guard world.isOpen else { return }
        let pending = pendingWork(of: world)
        world.report(
            "a thread waits for \(name), but nothing is ready that could end the wait"
                + (pending.isEmpty ? "" : "; pending: " + pending.joined(separator: "; ")))
    }
}

/// A `dispatch_time_t` as a time of a world's clock.
struct DispatchDeadline {
    /// The virtual time in nanoseconds; nil for never.
    let due: Int64?

    /// Converts a time of libdispatch.
    ///
    /// All bits set mean never. 0, bit 63 alone, and all bits except bit 0 mean now, each on another clock. Bits 63 and
    /// 62 together mark a time of the wall clock: the negative of the nanoseconds since 1970. Bit 63 without bit 62
    /// marks a time of the clock that continues during sleep, which is the same as uptime here.
    init(_ time: UInt64, in world: SimulatedWorld) {
        let sign: UInt64 = 1 << 63
        let wall: UInt64 = 1 << 62
        if time == UInt64.max {
            due = nil
        } else if time == 0 || time == sign || time == UInt64.max - 1 {
            due = world.clock.now.nanoseconds
        } else if time & sign != 0, time & wall != 0 {
            due = -Int64(bitPattern: time) - world.epoch
        } else {
            due = Int64(time & ~sign) - SimulatedWorld.uptimeAtZero
        }
    }
}
