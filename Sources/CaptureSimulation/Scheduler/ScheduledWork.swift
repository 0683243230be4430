import CWorld

/// The unfinished items of all worlds, by queue, and the choice of the next one.
///
/// Each world has a list of its ready items. Changes of an item or a queue update it, so that the cost of an item does
/// not depend on the number of others. There are two exceptions. Each choice examines the items with a waiting thread. The
/// admitted items of a queue are examined when it is suspended or resumed, or when its target becomes occupied or free.
struct ScheduledWork {
    /// The number of the last submitted or resumed item.
    private var lastNumber: UInt64 = 0
    private var items: [ObjectIdentifier: WorkItem] = [:]
    /// The items that threads run or wait in, in the order of submission.
    private(set) var started = ItemList()
    /// The queues that code of worlds has used.
    private var queues: [UnsafeMutableRawPointer: WorkQueue] = [:]
    /// The suspension count of each suspended queue.
    private var suspensions: [UnsafeMutableRawPointer: Int] = [:]
    /// The queues that were created inactive and not activated. They are not retained: releasing such a queue is a fatal
    /// error in libdispatch.
    private var inactiveQueues: Set<UnsafeMutableRawPointer> = []
    /// The queues with a `startedCount` that has become zero or positive since the last choice.
    private var changedQueues: [WorkQueue] = []
    /// The number of items that were examined, for tests of the cost.
    private(set) var examinedCount = 0

    // MARK: Items

    /// Returns the next position in the order of submission.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// All unfinished items, in the order of submission.
    var all: [WorkItem] { items.values.sorted { $0.submission < $1.submission } }

    /// Adds an item, which becomes ready when no other work excludes it.
    mutating func add(_ item: WorkItem) {
        item.number = nextNumber()
        item.submission = item.number
        item.world.itemCount += 1
        item.ordinal = item.world.itemCount
        if item.world.order.recordsCalls, item.callStack == nil { item.callStack = .unwound() }
        let queue = queue(item.queue)
        queue.isUsed = true
        queue.itemCount += 1
        item.workQueue = queue
        items[ObjectIdentifier(item)] = item
        queue.blocked.insert(item, item.submission)
        admit(queue)
    }

    /// Removes an item that has ended or is discarded, so that it no longer excludes others.
    mutating func remove(_ item: WorkItem) {
        guard let queue = item.workQueue else { return }
        item.workQueue = nil
        items[ObjectIdentifier(item)] = nil
        queue.itemCount -= 1
        queue.blocked.remove(item.submission)
        queue.admitted.remove(item.submission)
        item.world.readyItems.remove(item.number)
        started.remove(item.submission)
        if item.isAdmitted, !item.isAdvancing {
            queue.countExclusive(item, by: -1)
            if item.phase != .ready { countStarted(on: queue, by: -1) }
        }
        admit(queue)
    }

    /// Marks an item as running.
    mutating func run(_ item: WorkItem) {
        if let queue = item.workQueue {
            item.world.readyItems.remove(item.number)
            if item.phase == .ready {
                if item.world.history != nil { item.startTime = item.world.clock.now.nanoseconds }
                if !item.isAdmitted { admit(item, to: queue) }
                queue.admitted.remove(item.submission)
                item.world.readyItems.remove(item.number)
                started.insert(item, item.submission)
                countStarted(on: queue, by: 1)
            }
        }
        item.phase = .running
        item.wakeup?.wake()
    }

    /// Records whether an item's thread advances a clock. The item then excludes no other work.
    mutating func setAdvancing(_ isAdvancing: Bool, _ item: WorkItem) {
        guard item.isAdvancing != isAdvancing else { return }
        item.isAdvancing = isAdvancing
        guard let queue = item.workQueue else { return }
        queue.countExclusive(item, by: isAdvancing ? -1 : 1)
        countStarted(on: queue, by: isAdvancing ? -1 : 1)
        if !isAdvancing { block(after: item, on: queue) }
        admit(queue)
    }

    /// Moves the admitted items of a queue that an earlier item excludes again back to the blocked ones.
    private mutating func block(after item: WorkItem, on queue: WorkQueue) {
        for later in queue.admitted.all where later.submission > item.submission {
            examinedCount += 1
            guard !queue.isConcurrent || item.isBarrier || later.isBarrier else { continue }
            queue.admitted.remove(later.submission)
            later.world.readyItems.remove(later.number)
            later.isAdmitted = false
            queue.countExclusive(later, by: -1)
            queue.blocked.insert(later, later.submission)
        }
    }

    /// Admits the items of a queue that no earlier item excludes.
    private mutating func admit(_ queue: WorkQueue) {
        while let item = queue.blocked.first, queue.admits(item) { admit(item, to: queue) }
    }

    private mutating func admit(_ item: WorkItem, to queue: WorkQueue) {
        examinedCount += 1
        queue.blocked.remove(item.submission)
        item.isAdmitted = true
        queue.countExclusive(item, by: 1)
        queue.admitted.insert(item, item.submission)
        if !queue.isClosed { item.world.readyItems.insert(item, item.number) }
    }

    // MARK: Choice

    /// Chooses the next item and marks it as running; nil if none is ready.
    mutating func choose(in worlds: [SimulatedWorld]) -> WorkItem? {
        openAndCloseChangedQueues()
        for item in started.all where item.phase == .waiting {
            examinedCount += 1
            guard item.wait?.isOver() == true else { continue }
            item.number = nextNumber()
            item.phase = .resumable
            item.world.readyItems.insert(item, item.number)
        }
        guard var chosen = worlds.compactMap(\.readyItems.first).min(by: { $0.number < $1.number }) else { return nil }
        let world = chosen.world
        let isOnlyChoice = worlds.reduce(0) { $0 + $1.readyItems.count } == 1
        let position = world.order.position(in: world.readyItems, isOnlyChoice: isOnlyChoice)
        if position > 0, let item = world.readyItems[position] { chosen = item }
        run(chosen)
        return chosen
    }

    /// Whether an item is ready, or its wait is over.
    mutating func canChoose(in worlds: [SimulatedWorld]) -> Bool {
        openAndCloseChangedQueues()
        return worlds.contains { !$0.readyItems.isEmpty }
            || started.all.contains { $0.phase == .waiting && $0.wait?.isOver() == true }
    }

    // MARK: Queues

    /// Whether a queue has no items, is not suspended and has no target, so that a synchronous block can run
    /// immediately.
    func isIdle(_ queue: UnsafeMutableRawPointer) -> Bool {
        !isSuspended(queue) && queues[queue].map { $0.itemCount == 0 && $0.target == nil } ?? true
    }

    /// Whether work of a world was submitted to a queue.
    func isUsed(_ queue: UnsafeMutableRawPointer) -> Bool { queues[queue]?.isUsed ?? false }

    /// Sets the target of a queue.
    mutating func setTarget(of queue: RetainedObject, to target: RetainedObject) {
        let (queue, target) = (self.queue(queue), self.queue(target))
        let count = queue.startedCount
        if let old = queue.target {
            countStarted(on: old, by: -count)
            old.dependents.removeAll { $0 === queue }
        }
        queue.target = target
        target.dependents.append(queue)
        countStarted(on: target, by: count)
        changedQueues += target.chain
        openOrClose(queue)
    }

    /// Records that a queue was created inactive. Its target can have been set before.
    mutating func addInactive(_ queue: UnsafeMutableRawPointer) {
        inactiveQueues.insert(queue)
        openOrCloseQueue(queue)
    }

    mutating func suspend(_ queue: UnsafeMutableRawPointer) {
        suspensions[queue, default: 0] += 1
        openOrCloseQueue(queue)
    }

    /// Resumes a queue, or activates it if it is inactive.
    mutating func resume(_ queue: UnsafeMutableRawPointer) {
        if inactiveQueues.remove(queue) == nil, let count = suspensions[queue] {
            suspensions[queue] = count > 1 ? count - 1 : nil
        }
        openOrCloseQueue(queue)
    }

    mutating func activate(_ queue: UnsafeMutableRawPointer) {
        inactiveQueues.remove(queue)
        openOrCloseQueue(queue)
    }

    /// Forgets all queues but those of items that have not ended.
    ///
    /// - Returns: Objects to release outside the monitor.
    mutating func removeQueues() -> [Any] {
        let old = Array(queues.values)
        suspensions = [:]
        inactiveQueues = []
        changedQueues = []
        queues = queues.filter { $0.value.itemCount > 0 }
        for queue in old {
            (queue.target, queue.dependents, queue.startedCount, queue.priority) = (nil, [], 0, nil)
        }
        for item in started.all where !item.isAdvancing { item.workQueue?.startedCount += 1 }
        for queue in queues.values {
            queue.isOccupied = !queue.isConcurrent && queue.startedCount > 0
            openOrClose(queue)
        }
        return old
    }

    private mutating func queue(_ object: RetainedObject) -> WorkQueue {
        if let queue = queues[object.pointer] { return queue }
        let queue = WorkQueue(object)
        queues[object.pointer] = queue
        queue.isClosed = isSuspended(object.pointer)
        return queue
    }

    /// Whether a queue is suspended, or inactive and not yet activated.
    private func isSuspended(_ queue: UnsafeMutableRawPointer) -> Bool {
        suspensions[queue] != nil || inactiveQueues.contains(queue)
    }

    /// Counts started items of a queue and of its targets. Whether those are occupied is determined at the next choice,
    /// because most items end before it.
    private mutating func countStarted(on queue: WorkQueue, by change: Int) {
        for queue in queue.chain {
            let wasStarted = queue.startedCount > 0
            queue.startedCount += change
            let isTarget = !queue.dependents.isEmpty || queue.isOccupied
            if isTarget, wasStarted != (queue.startedCount > 0) { changedQueues.append(queue) }
        }
    }

    private mutating func openAndCloseChangedQueues() {
        guard !changedQueues.isEmpty else { return }
        for queue in changedQueues {
            let isOccupied = !queue.isConcurrent && queue.startedCount > 0
            guard isOccupied != queue.isOccupied else { continue }
            queue.isOccupied = isOccupied
            openOrClose(queue)
        }
        changedQueues = []
    }

    private mutating func openOrCloseQueue(_ queue: UnsafeMutableRawPointer) {
        if let queue = queues[queue] { openOrClose(queue) }
    }

    /// Opens or closes a queue, and those that it is the target of.
    private mutating func openOrClose(_ queue: WorkQueue) {
        examinedCount += 1
        let isClosed = queue.chain.contains { $0.isOccupied || isSuspended($0.queue.pointer) }
        if isClosed != queue.isClosed {
            queue.isClosed = isClosed
            for item in queue.admitted.all {
                examinedCount += 1
                if isClosed {
                    item.world.readyItems.remove(item.number)
                } else {
                    item.world.readyItems.insert(item, item.number)
                }
            }
        }
        for dependent in queue.dependents { openOrClose(dependent) }
    }
}
