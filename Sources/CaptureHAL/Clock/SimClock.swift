public import Dispatch
public import Foundation
public import MediaTypes

/// Virtual time: it stands still until someone advances it, and then jumps from one scheduled action to the next.
///
/// One thing happens at a time. After each action the clock hands out the callbacks that the action asked for, one
/// after the other, each on the queue that its receiver gave, and drains the registered queues; only then does time
/// move on. Between calls of `advance` nothing happens: what was asked for then waits for the next call, or for
/// `settle()`.
///
/// - Important: Thread-safe. One thread at a time may advance; not one that runs a callback, and not one on a queue
///   that the clock delivers to, because the clock would wait for itself: such calls go to the misuse handler.
public final class SimClock: CaptureClock {
    struct State {
        var now: Int64
        var timers = TimerQueue()
        var deliveries: [Delivery] = []
        var registered: [DispatchQueue] = []
        /// Whether a thread is inside `advance` or `run`.
        var isAdvancing = false
    }

    let state: Lock<State>
    let misuse: MisuseHandler
    /// Set on each queue that the clock waits for.
    let queueKey = DispatchSpecificKey<Bool>()
    private let epoch: Date

    /// - Parameters:
    ///   - start: The clock's reading at the beginning.
    ///   - epoch: The date at which the clock reads zero; by default noon of 1 January 2026, UTC.
    ///   - misuse: Told when an advance is refused; the default prints and traps.
    public init(
        start: CMTime = .zero, epoch: Date = Date(timeIntervalSince1970: 1_767_268_800),
        misuse: MisuseHandler = .trap
    ) {
        state = Lock(State(now: start.nanoseconds), order: .primitive)
        self.epoch = epoch
        self.misuse = misuse
    }

    public var now: CMTime { CMTime(nanoseconds: state.withLock { $0.now }) }

    public var isVirtual: Bool { true }

    public func date(at time: CMTime) -> Date {
        epoch.addingTimeInterval(Double(time.nanoseconds) / 1e9)
    }

    /// Moves time on by `duration` and does all that falls due.
    public func advance(by duration: Duration) {
        advance(to: CMTime(nanoseconds: state.withLock { $0.now } + duration.nanoseconds))
    }

    /// Moves time on to `time`, which may not lie in the past, and does all that falls due up to and including it.
    public func advance(to time: CMTime) {
        let limit = time.nanoseconds
        guard limit >= state.withLock({ $0.now }) else {
            refuse(
                "-[SimClock advance(to:)] time does not run backwards: it is \(now.seconds) s, not \(time.seconds) s")
            return
        }
        whileAdvancing {
            while step(by: limit) {}
            state.withLock { $0.now = max($0.now, limit) }
            settleNow()
        }
    }

    /// Moves time on, action by action, until `condition` holds.
    ///
    /// - Parameters:
    ///   - limit: The most time that may pass.
    ///   - condition: Read between actions, on the calling thread.
    /// - Returns: Whether the condition holds; false where the limit was reached or nothing is scheduled any more.
    @discardableResult
    public func run(until condition: () -> Bool, limit: Duration = .seconds(3600)) -> Bool {
        var holds = false
        whileAdvancing {
            let end = state.withLock { $0.now } + limit.nanoseconds
            settleNow()
            holds = condition()
            while !holds, step(by: end) { holds = condition() }
        }
        return holds
    }

    /// Hands out what is waiting and drains the registered queues, without moving time.
    public func settle() {
        advance(to: now)
    }

    /// Lets time wait for a queue of the user's own, on which work for the system is done.
    ///
    /// - Parameter queue: A serial queue, a concurrent queue of the user's or the main queue.
    public func register(_ queue: DispatchQueue) {
        state.withLock { state in
            guard !state.registered.contains(where: { $0 === queue }) else { return }
            state.registered.append(queue)
            mark(queue, &state)
        }
    }

    @discardableResult
    public func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        let order = state.withLock { $0.timers.insert(due: deadline.nanoseconds, action) }
        return ClockTimer { [weak self] in _ = self?.state.withLock { $0.timers.cancel(order) } }
    }

    public func makeWorker(label: String) -> any ClockWorker {
        InlineWorker()
    }

    /// Does the next action that is due at `limit` or before, with all that follows from it at that moment.
    private func step(by limit: Int64) -> Bool {
        settleNow()
        let entry = state.withLock { state in
            let entry = state.timers.popDue(by: limit)
            if let entry { state.now = max(state.now, entry.due) }
            return entry
        }
        guard let entry else { return false }
        entry.action()
        settleNow()
        return true
    }

    private func whileAdvancing(_ body: () -> Void) {
        if DispatchQueue.getSpecific(key: queueKey) == true {
            refuse(
                "-[SimClock advance] the clock was advanced from a queue that it waits on; advance from the test's own thread"
            )
            return
        }
        if Delivery.current?.isOpen == true {
            refuse(
                "-[SimClock advance] the clock was advanced from inside a callback; advance from the test's own thread")
            return
        }
        let isFirst = state.withLock { state in
            defer { state.isAdvancing = true }
            return !state.isAdvancing
        }
        guard isFirst else {
            refuse("-[SimClock advance] the clock is being advanced already; one thread at a time may do so")
            return
        }
        body()
        state.withLock { $0.isAdvancing = false }
    }

    private func refuse(_ message: String) {
        misuse.report(.internalInconsistency, message)
    }
}

/// Does the work at once; one thread at a time, because clients call from threads of their own.
private final class InlineWorker: ClockWorker {
    /// Recursive, because work may hand over more work.
    private let turn = NSRecursiveLock()

    func submit(_ work: @escaping @Sendable () -> Void) { turn.withLock { work() } }
}
