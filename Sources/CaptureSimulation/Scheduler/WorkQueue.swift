import CWorld

/// A queue of libdispatch that code of worlds has used, with its unfinished work. Used only while the scheduler's
/// monitor is locked.
///
/// An item of the queue is blocked, admitted, or started. It is admitted when no earlier item of the queue excludes it:
/// on a serial queue, any unfinished item excludes later ones; on a concurrent queue, only a barrier does, and a barrier
/// is excluded by any. An item that advances a clock excludes none. Admitted items are ready unless the queue is
/// closed.
final class WorkQueue {
    /// The queue, retained so that no other queue has its address.
    let queue: RetainedObject
    let isConcurrent: Bool
    /// The priority of the items of a serial queue in an order by priorities; nil before the first choice.
    var priority: UInt64?
    /// Whether work was submitted to the queue, and it is not only the target of others.
    var isUsed = false
    /// The queue on which this one runs its work; nil for the default.
    var target: WorkQueue?
    /// The queues that target this one.
    var dependents: [WorkQueue] = []
    /// The number of items that have not ended.
    var itemCount = 0
    /// The items that earlier ones exclude, in the order of submission.
    var blocked = ItemList()
    /// The items that were admitted and not started, in the order of submission.
    var admitted = ItemList()
    /// The number of admitted and started items that exclude later ones.
    var exclusiveCount = 0
    /// The number of barriers among them.
    var exclusiveBarrierCount = 0
    /// The number of started items of this queue, and of those that it is the target of, that exclude others.
    var startedCount = 0
    /// Whether the queue is serial and `startedCount` was positive at the last choice, so that neither the queue nor
    /// those that it is the target of can start another item.
    var isOccupied = false
    /// Whether the admitted items are not ready: the queue or one of its targets is suspended or occupied.
    var isClosed = false

    init(_ queue: RetainedObject) {
        self.queue = queue
        isConcurrent = cworld_queue_is_concurrent(queue.pointer)
    }

    /// The queue, its target, the target of that queue, and so on.
    var chain: UnfoldFirstSequence<WorkQueue> { sequence(first: self, next: \.target) }

    /// Whether an item may be admitted after those that were admitted before.
    func admits(_ item: WorkItem) -> Bool {
        (!isConcurrent || item.isBarrier ? exclusiveCount : exclusiveBarrierCount) == 0
    }

    /// Counts an item that excludes later ones, or counts it no longer.
    func countExclusive(_ item: WorkItem, by change: Int) {
        exclusiveCount += change
        if item.isBarrier { exclusiveBarrierCount += change }
    }
}
