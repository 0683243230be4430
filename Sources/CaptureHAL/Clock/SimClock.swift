public import Dispatch
public import Foundation
public import MediaTypes

/// A clock with virtual time, which advances only by calls, from one scheduled action to the next.
///
/// After each action the clock runs the callbacks that the action submitted, one at a time, each on the queue of its
/// receiver, and drains the registered queues. Time advances after that. Between calls of `advance` nothing runs:
/// submitted work waits for the next call, or for `settle()`.
///
/// - Important: Thread-safe. Only one thread at a time may advance. A thread must not advance in a callback or on a
///   queue to which the clock delivers, because the clock would wait for itself. Such calls are reported to the misuse
///   handler. While a thread other than the main thread advances, the main thread must run its run loop or
///   `dispatchMain()`.
public final class SimClock: CaptureClock {
    struct State {
        var now: Int64
        var timers = TimerQueue()
        var deliveries: [Delivery] = []
        var registered: [DispatchQueue] = []
        /// Whether a thread is inside `advance` or `run`.
        var isAdvancing = false
        /// The threads that run actions, innermost last.
        var actionThreads: [pthread_t] = []
        /// Whether a main thread that does not run its queue was reported.
        var isMainThreadReported = false
        /// Runs the work of clients, if the clock belongs to a simulated world.
        var scheduler: (any WorkScheduler)?
        /// The system that was created with the clock.
        weak var owner: CaptureSystem?
    }

    let state: Lock<State>
    let misuse: MisuseHandler
    /// The key that is set on each queue that the clock waits for.
    let queueKey = DispatchSpecificKey<Bool>()
    let mainQueueTimeout: Duration
    private let epoch: Date

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - start: The initial time.
    ///   - epoch: The date of time zero; by default noon of 1 January 2026, UTC.
    ///   - misuse: Receives invalid calls; the default prints a message and traps.
    ///   - mainQueueTimeout: The maximum real time that a thread other than the main thread waits for work on the main
    ///     queue while it advances the clock. After that, the main thread is reported once as misuse, and time advances
    ///     without waiting for the main queue.
    public init(
        start: CMTime = .zero, epoch: Date = Date(timeIntervalSince1970: 1_767_268_800),
        misuse: MisuseHandler = .trap, mainQueueTimeout: Duration = .seconds(10)
    ) {
        self.mainQueueTimeout = mainQueueTimeout
        state = Lock(State(now: start.nanoseconds), order: .primitive)
        self.epoch = epoch
        self.misuse = misuse
    }

    public var now: CMTime { CMTime(nanoseconds: state.withLock { $0.now }) }

    public var isVirtual: Bool { true }

    public func date(at time: CMTime) -> Date {
        epoch.addingTimeInterval(Double(time.nanoseconds) / 1e9)
    }

    /// The system in which the clock runs actions and callbacks: the first one that was created with the clock. Nil if
    /// there is none or it was released.
    package var owner: CaptureSystem? { state.withLock { $0.owner } }

    /// Sets the owner, unless the clock has one.
    func setOwner(_ system: CaptureSystem) {
        state.withLock { state in
            if state.owner == nil { state.owner = system }
        }
    }

    /// Runs an action or a callback with the owner as the current system.
    func runInOwner(_ body: () -> Void) {
        if let owner { owner.reference.run(body) } else { body() }
    }

    /// Advances time by `duration` and runs all actions that become due.
    public func advance(by duration: Duration) {
        advance(to: CMTime(nanoseconds: state.withLock { $0.now }.addingWithLimits(duration.nanoseconds)))
    }

    /// Advances time to `time`, which must not be in the past, and runs all actions that become due by then.
    public func advance(to time: CMTime) {
        let limit = time.nanoseconds
        guard limit >= state.withLock({ $0.now }) else {
            reportMisuse(
                "-[SimClock advance(to:)] time cannot go backwards from \(now.seconds) s to \(time.seconds) s")
            return
        }
        whileAdvancing {
            while step(until: limit) {}
            state.withLock { $0.now = max($0.now, limit) }
            settleNow()
        }
    }

    /// Advances time, action by action, until `condition` is true.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to advance.
    ///   - condition: Evaluated between actions, on the calling thread.
    /// - Returns: Whether the condition is true; false if the limit was reached or no action is scheduled.
    @discardableResult
    public func run(until condition: () -> Bool, limit: Duration = .seconds(3600)) -> Bool {
        var isMet = false
        whileAdvancing {
            let end = state.withLock { $0.now }.addingWithLimits(limit.nanoseconds)
            settleNow()
            isMet = condition()
            while !isMet, step(until: end) { isMet = condition() }
        }
        return isMet
    }

    /// Runs pending callbacks and drains the registered queues without advancing time.
    public func settle() {
        advance(to: now)
    }

    /// Adds a queue of the client. Time then advances only after the work on this queue has finished.
    ///
    /// - Parameter queue: A serial queue, the main queue, or a concurrent queue that the client created. Global queues
    ///   are not supported.
    public func register(_ queue: DispatchQueue) {
        state.withLock { state in
            guard !state.registered.contains(where: { $0 === queue }) else { return }
            state.registered.append(queue)
            mark(queue)
        }
    }

    /// The scheduler that runs the work of clients, instead of the clock's own deliveries and registered queues.
    package var scheduler: (any WorkScheduler)? {
        get { state.withLock { $0.scheduler } }
        set { state.withLock { $0.scheduler = newValue } }
    }

    /// Runs the next action if it is due by `limit`, and advances time to its deadline. Work of clients is not run.
    ///
    /// - Returns: Whether an action was run.
    package func runNextAction(by limit: CMTime) -> Bool {
        let limit = limit.nanoseconds
        let (entry, scheduler) = state.withLock { state in
            let entry = state.timers.popDue(by: limit)
            if let entry {
                state.now = max(state.now, entry.due)
                state.actionThreads.append(pthread_self())
            }
            return (entry, state.scheduler)
        }
        guard let entry else { return false }
        defer { state.withLock { _ = $0.actionThreads.popLast() } }
        if let scheduler {
            scheduler.runEvent { runInOwner(entry.action) }
        } else {
            runInOwner(entry.action)
        }
        return true
    }

    /// Whether the calling thread runs an action.
    var isRunningAction: Bool {
        state.withLock { $0.actionThreads.contains { pthread_equal($0, pthread_self()) != 0 } }
    }

    /// The time at which the next action is due, which can be in the past; nil if none is scheduled.
    package var nextActionTime: CMTime? { state.withLock { $0.timers.nextDue.map(CMTime.init(nanoseconds:)) } }

    /// Advances time to `time` without running actions. No action may be due before `time`.
    package func skip(to time: CMTime) {
        state.withLock { $0.now = max($0.now, time.nanoseconds) }
    }

    @discardableResult
    public func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        let order = state.withLock { $0.timers.insert(due: deadline.nanoseconds, action) }
        return ClockTimer { [weak self] in _ = self?.state.withLock { $0.timers.cancel(order) } }
    }

    public func makeWorker(label: String) -> any ClockWorker {
        InlineWorker()
    }

    /// Runs the next action that is due by `limit`, in nanoseconds, and the callbacks that it submits.
    ///
    /// - Returns: Whether an action was run.
    private func step(until limit: Int64) -> Bool {
        settleNow()
        guard runNextAction(by: CMTime(nanoseconds: limit)) else { return false }
        settleNow()
        return true
    }

    private func whileAdvancing(_ body: () -> Void) {
        if let scheduler {
            guard scheduler.canAdvance else {
                reportMisuse(
                    "-[SimClock advance] the clock was advanced from work of its world; advance from the test")
                return
            }
            return scheduler.whileAdvancing(body)
        }
        if DispatchQueue.getSpecific(key: queueKey) == true {
            reportMisuse(
                "-[SimClock advance] the clock was advanced from a queue that it waits on; advance from the test's own thread"
            )
            return
        }
        if Delivery.current?.isInProgress == true {
            reportMisuse(
                "-[SimClock advance] the clock was advanced from inside a callback; advance from the test's own thread")
            return
        }
        let isFirst = state.withLock { state in
            defer { state.isAdvancing = true }
            return !state.isAdvancing
        }
        guard isFirst else {
            reportMisuse(
                "-[SimClock advance] another thread is already advancing the clock; only one thread at a time can advance it"
            )
            return
        }
        body()
        state.withLock { $0.isAdvancing = false }
    }

    func reportMisuse(_ message: String) {
        misuse.report(.internalInconsistency, message)
    }
}

/// Runs the work of clients in a simulated world, one item at a time.
package protocol WorkScheduler: AnyObject, Sendable {
    /// Whether the calling thread may advance the clock: true if it runs the test, false if it runs work of the world.
    var canAdvance: Bool { get }
    /// Runs `body`, which advances the clock.
    func whileAdvancing(_ body: () -> Void)
    /// Submits a callback to a client's queue.
    func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void)
    /// Runs all work that is ready.
    func runReadyWork()
    /// Runs an action of the clock as part of the world.
    func runEvent(_ action: () -> Void)
}

/// Runs work immediately on the calling thread, one thread at a time, because clients call from several threads.
private final class InlineWorker: ClockWorker {
    /// The lock is recursive, because work can submit more work.
    private let lock = NSRecursiveLock()

    func submit(_ work: @escaping @Sendable () -> Void) { lock.withLock { work() } }
}
