import CWorld
import CaptureHAL
import MediaTypes

/// Submission of work to the scheduler, and the choice of the item that runs next.
extension Scheduler {
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

    /// Adds an item, or discards it if its world is closed.
    func add(_ item: WorkItem, to state: inout State) {
        guard item.world.isOpen else {
            if let group = item.group { cworld_group_leave(group.pointer) }
            return
        }
        state.lastNumber += 1
        item.number = state.lastNumber
        state.items.append(item)
        if state.usedQueues[item.queue.pointer] == nil { state.usedQueues[item.queue.pointer] = item.queue }
    }

    /// Submits an item when a group is empty: now, or when it is left.
    func notify(_ item: WorkItem, of group: UnsafeMutableRawPointer) {
        let notification = PendingNotification(item: item, group: RetainedObject(group))
        monitor.update { state in
            state.pendingNotifications.append(notification)
            submitNotifications(to: &state)
        }
    }

    /// Submits the items that wait for groups that are empty now, in the order of the calls of `notify`.
    func submitNotifications(to state: inout State) {
        guard !state.pendingNotifications.isEmpty else { return }
        let pending = state.pendingNotifications
        state.pendingNotifications.removeAll()
        for notification in pending {
            if notification.isReady {
                add(notification.item, to: &state)
            } else {
                state.pendingNotifications.append(notification)
            }
        }
    }

    /// Chooses the next item and marks it as running; nil if none is ready.
    func chooseItem(_ state: inout State) -> WorkItem? {
        submitNotifications(to: &state)
        for item in state.items where item.phase == .waiting && item.wait?.isOver() == true {
            state.lastNumber += 1
            item.number = state.lastNumber
            item.phase = .resumable
        }
        let ready = state.items.indices.filter { isReady($0, state) }.map { state.items[$0] }
        guard var chosen = ready.min(by: { $0.number < $1.number }) else { return nil }
        if ready.count > 1, chosen.world.generator != nil {
            let candidates = ready.filter { $0.world === chosen.world }.sorted { $0.number < $1.number }
            chosen = chosen.world.generator?.pick(candidates) ?? chosen
        }
        chosen.phase = .running
        return chosen
    }

    /// Whether the item at an index of `state.items` may run. False while its queue or a target of the queue is
    /// suspended, or earlier work that excludes the item has not ended.
    func isReady(_ index: Int, _ state: State) -> Bool {
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
}

extension Scheduler.State {
    /// Whether a queue is suspended, or inactive and not yet activated.
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

    /// Whether the scheduler may choose the next item: this item has ended or waits, and its caller, which continues on
    /// the same thread, does not run.
    var hasEndedOrWaits: Bool { phase != .running && caller?.phase != .running }
}
