import CWorld

/// A block or function of libdispatch that a client submitted, retained.
final class RetainedWork: @unchecked Sendable {
    // SAFETY: blocks that are submitted to queues may run on any thread.
    let work: cworld_work

    init(_ work: cworld_work) { self.work = cworld_retain_work(work) }

    deinit { cworld_release_work(work) }
}

/// A libdispatch object, retained.
final class RetainedObject: @unchecked Sendable {
    // SAFETY: libdispatch objects are thread-safe.
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) {
        cworld_retain(pointer)
        self.pointer = pointer
    }

    deinit { cworld_release(pointer) }
}

/// A Swift task, retained.
final class RetainedTask: Sendable {
    // SAFETY: the pointer is only compared, and passed to functions of the runtime, which are thread-safe.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) {
        cworld_retain_task(pointer)
        self.pointer = pointer
    }

    deinit { cworld_release_task(pointer) }
}

/// Work of a simulated world that the scheduler runs: a block, a job of Swift concurrency, a timer firing, or a
/// callback.
final class WorkItem: @unchecked Sendable {
    // SAFETY: the variables are accessed only while the scheduler's monitor is locked; `world` and `isInline` also by
    // the threads that choose and run the item.

    /// The work of an item.
    enum Action {
        /// A block or function that a client submitted.
        case work(RetainedWork)
        /// A function of the scheduler, such as a firing of a timer, or a synchronous block on the main queue.
        case call(@Sendable () -> Void)
        /// A job of Swift concurrency for the global executor.
        case job(UnsafeMutableRawPointer)
        /// A thread waits to run a block synchronously; the block runs on that thread.
        case sync
    }

    /// The state of an item.
    enum Phase {
        /// It waits to be chosen.
        case ready
        /// It was chosen and has not ended.
        case running
        /// Its thread waits for `wait`.
        case waiting
        /// The wait is over, and the item waits to be chosen.
        case resumable
        case finished
    }

    /// A wait of the item's thread. Used only while the scheduler's monitor is locked.
    final class Wait {
        /// What the item waits for, such as "a semaphore", for reports.
        let description: String
        /// Whether the condition has been true.
        private(set) var hasSucceeded = false
        /// Whether the thread cannot continue although the wait is over.
        var isBlocked: () -> Bool = { false }
        /// Whether the wait has no deadline.
        var isEndless = false
        /// Whether the thread runs an item of the main queue during the wait.
        var isRunningItem = false
        private let condition: () -> Bool
        private let hasTimedOut: () -> Bool

        /// - Parameter condition: Returns whether the wait has succeeded. It can have the effect of the wait, such as
        ///   decrementing a semaphore, and is therefore not called again after it has returned true.
        init(description: String, hasTimedOut: @escaping () -> Bool = { false }, condition: @escaping () -> Bool) {
            self.description = description
            self.hasTimedOut = hasTimedOut
            self.condition = condition
        }

        /// Returns whether the wait has succeeded or has timed out, and the thread can continue.
        func isOver() -> Bool {
            if !hasSucceeded { hasSucceeded = condition() }
            return (hasSucceeded || hasTimedOut()) && !isRunningItem && !isBlocked()
        }
    }

    /// The world that the item belongs to. It changes when the item creates another system.
    var world: SimulatedWorld
    let queue: RetainedObject
    let isConcurrent: Bool
    let isBarrier: Bool
    let action: Action
    /// The dispatch group that the item leaves when it ends.
    let group: RetainedObject?
    /// The position in the order in which items became ready: that of its submission, or of the end of its wait.
    var number: UInt64 = 0
    /// The position in the order of submission.
    var submission: UInt64 = 0
    /// The position in the order of submission in its world, from 1.
    var ordinal = 0
    /// The priority of an item on a concurrent queue in an order by priorities; nil before the first choice.
    var priority: UInt64?
    /// The calls that submitted the item; nil if they are not recorded.
    var callStack: CallStack?
    /// The queue of the item, from its submission to its end.
    var workQueue: WorkQueue?
    /// Whether no earlier item of its queue excludes the item.
    var isAdmitted = false
    var phase = Phase.ready {
        didSet {
            if phase == .running { runningSince = cworld_real_time() }
        }
    }
    /// The real time at which the item began to run or continued after a wait, in nanoseconds.
    private(set) var runningSince: Int64 = 0
    /// The virtual time at which the item began, in nanoseconds; nil before, and in a world without a history.
    var startTime: Int64?
    /// Whether the watchdog has reported that the item neither ends nor waits.
    var isReported = false
    /// The time at which a delayed item becomes ready, in nanoseconds; nil if it is ready immediately.
    var due: Int64?
    var wait: Wait?
    /// Wakes the item's thread when the item is chosen or its world is closed; nil if no thread has waited in the item.
    var wakeup: ConditionVariable?
    /// Whether the item's thread advances the clock. Other items then run at the same time.
    var isAdvancing = false
    /// Whether the item runs on a thread that also chooses items. Such an item must not block.
    var isInline = false
    /// Whether the main run loop calls the item, as it does with timers and blocks of `RunLoop.perform`. Unlike a block of
    /// the main queue, such an item does not prevent a run loop in it from running the main queue.
    var isRunLoopCallout = false
    /// Whether the item is delayed and an asynchronous test submitted it, as `Task.sleep` does.
    var isDelayOfTest = false
    /// Whether a thread outside of the world submitted the item. It then runs in real time when the world is closed.
    var isExternal = false
    /// Whether the item represents the events of a clock. Such an item is never chosen.
    var isEvent = false
    /// The kernel's ID of the thread that runs the item; nil before it has started.
    var threadID: Int32?
    /// The item that waits for this synchronous item and continues on the same thread.
    var caller: WorkItem?

    init(
        world: SimulatedWorld, queue: UnsafeMutableRawPointer, action: Action, isBarrier: Bool = false,
        group: UnsafeMutableRawPointer? = nil
    ) {
        self.world = world
        self.queue = RetainedObject(queue)
        self.action = action
        self.isBarrier = isBarrier
        self.group = group.map(RetainedObject.init)
        isConcurrent = cworld_queue_is_concurrent(queue)
    }

    /// The label of the queue, for reports.
    var queueName: String { Self.name(of: queue.pointer) }

    /// The label of a queue, for reports.
    static func name(of queue: UnsafeMutableRawPointer) -> String {
        let label = cworld_queue_label(queue).map { String(cString: $0) } ?? ""
        return label.isEmpty ? "a queue without a label" : "queue \"\(label)\""
    }

    /// The item, its queue and its state, for reports.
    var description: String {
        let kind =
            switch action {
            case .work: "a block"
            case .call: "an event"
            case .job: "a Swift task"
            case .sync: "a synchronous block"
            }
        let state =
            switch phase {
            case .ready where due != nil: "is due at \(Duration.nanoseconds(due ?? 0))"
            case .ready, .resumable: "is ready to run"
            case .running: "is running"
            case .waiting: "waits for \(wait?.description ?? "something")"
            case .finished: "has ended"
            }
        return "\(kind) on \(queueName) \(state)"
    }
}
