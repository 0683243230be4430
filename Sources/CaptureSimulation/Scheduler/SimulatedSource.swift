import CWorld
import CaptureHAL
import MediaTypes

/// The simulation of a dispatch source that world code created.
///
/// The real source never fires. Each event of the simulated source submits an item to the scheduler, which runs the
/// handler.
/// - Important: Thread-safe.
final class SimulatedSource: @unchecked Sendable {
    // SAFETY: all mutable state is in the lock `state`; the pointer is only passed to libdispatch.
    private struct State {
        var handler: RetainedWork?
        var registration: RetainedWork?
        var cancellation: RetainedWork?
        var timer: ClockTimer?
        /// The time of the timer's next firing, in nanoseconds; nil if it is not set.
        var due: Int64?
        /// The merged data that no handler has received yet.
        var merged: UInt?
        /// The data that the running handler can read.
        var data: UInt = 0
        var isInactive = true
        var suspensions = 0
        var isCancelled = false
        /// Whether a submitted item has not run yet.
        var isSubmitted = false
        /// Whether an event happened while the source was suspended.
        var isEventPending = false
        /// Whether the source was cancelled while it was suspended.
        var isCancellationPending = false
        /// The queue of the handlers.
        var queue: RetainedObject

        /// Whether handlers may run.
        var isActive: Bool { !isInactive && suspensions == 0 }
    }

    private let world: SimulatedWorld
    private let pointer: UnsafeMutableRawPointer
    private let kind: cworld_source_kind
    private let state: Lock<State>

    init(
        world: SimulatedWorld, pointer: UnsafeMutableRawPointer, kind: cworld_source_kind,
        queue: UnsafeMutableRawPointer
    ) {
        self.world = world
        self.pointer = pointer
        self.kind = kind
        state = Lock(State(queue: RetainedObject(queue)))
    }

    /// Sets the queue of the handlers.
    func setQueue(_ queue: UnsafeMutableRawPointer) {
        let new = RetainedObject(queue)
        let old = state.withLock { state in
            defer { state.queue = new }
            return state.queue
        }
        withExtendedLifetime(old) {}
    }

    /// Sets a handler; work without a block and a function removes it.
    ///
    /// The registration handler runs once, when the source is active.
    func setHandler(_ work: cworld_work, _ kind: cworld_source_handler) {
        let retained = work.block == nil && work.function == nil ? nil : RetainedWork(work)
        let (old, registration) = state.withLock { state -> (RetainedWork?, WorkItem?) in
            switch kind {
            case CWORLD_REGISTRATION:
                let old = state.registration
                state.registration = retained
                return (old, state.isActive ? registrationItem(&state) : nil)
            case CWORLD_CANCELLATION:
                defer { state.cancellation = retained }
                return (state.cancellation, nil)
            default:
                defer { state.handler = retained }
                return (state.handler, nil)
            }
        }
        withExtendedLifetime(old) {}
        if let registration { Scheduler.shared.submit(registration) }
    }

    /// Removes the registration handler and returns an item that runs it.
    private func registrationItem(_ state: inout State) -> WorkItem? {
        guard let handler = state.registration, !state.isCancelled else { return nil }
        state.registration = nil
        return item(for: handler, on: state.queue)
    }

    /// Returns an item that runs a handler.
    private func item(for handler: RetainedWork, on queue: RetainedObject) -> WorkItem {
        let source = RetainedObject(pointer)
        return WorkItem(
            world: world, queue: queue.pointer, action: .call { [self] in perform(handler.work, of: source) })
    }

    /// Runs a handler. The context of the source is the argument of a handler that is a function.
    private func perform(_ work: cworld_work, of source: RetainedObject) {
        var work = work
        if work.block == nil { work.context = cworld_get_context(source.pointer) }
        cworld_run(work)
    }

    /// Sets the timer.
    ///
    /// - Parameters:
    ///   - start: The time of the first firing, as a `dispatch_time_t`.
    ///   - interval: The interval in nanoseconds. With 0 or more than `Int64.max`, the timer fires once.
    func setTimer(start: UInt64, interval: UInt64) {
        state.withLock { state in
            defer {
                state.timer = nil
                state.due = nil
            }
            return state.timer
        }?.cancel()
        guard let due = DispatchDeadline(start, in: world).due else { return }
        schedule(at: due, every: interval == 0 || interval > UInt64(Int64.max) ? nil : Int64(interval))
    }

    private func schedule(at due: Int64, every interval: Int64?) {
        // Weak, so that the timer does not retain the source after its client has released it.
        let timer = world.clock.schedule(at: CMTime(nanoseconds: due)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.due = nil }
            if let interval { schedule(at: due.addingWithLimits(interval), every: interval) }
            signal()
        }
        state.withLock { state in
            state.timer = timer
            state.due = due
        }
    }

    /// Returns the time of the timer's next firing in nanoseconds, and a description for reports; nil if the timer does
    /// not fire or belongs to another world.
    func nextFiring(in world: SimulatedWorld) -> (due: Int64, text: String)? {
        guard world === self.world else { return nil }
        return state.withLock { state in
            guard let due = state.due, !state.isCancelled else { return nil }
            let name = WorkItem.name(of: state.queue.pointer)
            return (
                due,
                "a timer on \(name) is \(state.isActive ? "" : "suspended, and ")due at \(Duration.nanoseconds(due))"
            )
        }
    }

    /// Merges data into the data of the next event: adds, combines with OR, or replaces it, depending on the kind.
    ///
    /// 0 causes no event. For a kind that replaces data, 0 discards the data of the next event.
    func merge(_ value: UInt) {
        if value == 0 {
            if kind == CWORLD_DATA_REPLACE { state.withLock { $0.merged = nil } }
            return
        }
        state.withLock { state in
            switch (kind, state.merged) {
            case (CWORLD_DATA_ADD, let merged?): state.merged = merged &+ value
            case (CWORLD_DATA_OR, let merged?): state.merged = merged | value
            default: state.merged = value
            }
        }
        signal()
    }

    /// The data of the current event. For a timer, it is the number of firings, always 1.
    var data: UInt { state.withLock { kind == CWORLD_TIMER ? 1 : $0.data } }

    /// Suspends, resumes, activates or cancels the source. Events and a cancellation that occurred while it was
    /// suspended are handled when it becomes active.
    func change(_ change: cworld_change) {
        let (hasEvent, handlers, timer) = state.withLock { state -> (Bool, [WorkItem], ClockTimer?) in
            var timer: ClockTimer?
            switch change {
            case CWORLD_SUSPEND: state.suspensions += 1
            case CWORLD_CANCEL:
                guard !state.isCancelled else { return (false, [], nil) }
                state.isCancelled = true
                state.isCancellationPending = true
                timer = state.timer
                state.timer = nil
            default:
                if state.isInactive {
                    state.isInactive = false
                } else if change == CWORLD_RESUME {
                    state.suspensions -= 1
                }
            }
            guard state.isActive else { return (false, [], timer) }
            let hasEvent = state.isEventPending
            state.isEventPending = false
            var handlers: [WorkItem] = []
            if let registration = registrationItem(&state) { handlers.append(registration) }
            if state.isCancellationPending, let handler = state.cancellation {
                handlers.append(item(for: handler, on: state.queue))
            }
            state.isCancellationPending = false
            return (hasEvent, handlers, timer)
        }
        timer?.cancel()
        for handler in handlers { Scheduler.shared.submit(handler) }
        if hasEvent { signal() }
    }

    /// Submits an item that runs the handler, unless one is already pending. If the source is suspended, records the
    /// event.
    private func signal() {
        let queue = state.withLock { state -> RetainedObject? in
            guard !state.isCancelled, !state.isSubmitted else { return nil }
            guard state.isActive else {
                state.isEventPending = true
                return nil
            }
            state.isSubmitted = true
            return state.queue
        }
        guard let queue else { return }
        let retained = RetainedObject(pointer)
        Scheduler.shared.submit(
            WorkItem(world: world, queue: queue.pointer, action: .call { [self] in handle(retained) }))
    }

    /// Runs the handler, unless the source has been cancelled. If it is suspended, records the event.
    private func handle(_ source: RetainedObject) {
        let handler = state.withLock { state -> RetainedWork? in
            state.isSubmitted = false
            guard !state.isCancelled else { return nil }
            guard state.isActive else {
                state.isEventPending = true
                return nil
            }
            state.data = state.merged ?? 0
            state.merged = nil
            return state.handler
        }
        if let handler { perform(handler.work, of: source) }
    }
}
