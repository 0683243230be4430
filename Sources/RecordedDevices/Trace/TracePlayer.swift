import CaptureHAL
import MediaTypes

/// Performs the events of a trace at their times, one at a time. Events with the same time are performed in the order
/// of the trace.
final class TracePlayer: Sendable {
    /// Events of the trace that are waiting for their times.
    private struct Sequence {
        var id: Int
        /// Nanoseconds that are added to the trace's times to get the clock's times.
        var offset: Int64
        /// Indices in the trace.
        var events: [Int]
        var cursor = 0
        var perform: @Sendable (Int) -> Void
    }

    private struct State {
        /// Invariant: each sequence has at least one event left.
        var sequences: [Sequence] = []
        var nextID = 0
        /// The timer of the earliest event.
        var scheduled: (due: Int64, timer: ClockTimer)?
        /// Increases when the timer is replaced or fires. A timer of an earlier generation has no effect.
        var generation = 0
    }

    private let trace: Trace
    private let clock: any CaptureClock
    private let state = Lock(State())

    init(_ trace: Trace, clock: any CaptureClock) {
        self.trace = trace
        self.clock = clock
    }

    deinit { state.withLock { $0.scheduled?.timer }?.cancel() }

    /// Schedules a sequence of events.
    ///
    /// - Parameters:
    ///   - events: Indices in the trace, in ascending order.
    ///   - offset: Nanoseconds that are added to the trace's times.
    ///   - perform: Called with the index of each event at its time, on the clock.
    /// - Returns: An identifier for `cancel`.
    @discardableResult
    func play(_ events: [Int], offset: Int64, perform: @escaping @Sendable (Int) -> Void) -> Int {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            if !events.isEmpty {
                state.sequences.append(Sequence(id: state.nextID, offset: offset, events: events, perform: perform))
            }
            return state.nextID
        }
        scheduleTimer()
        return id
    }

    /// Cancels a sequence. An event that is being performed is not interrupted.
    func cancel(_ id: Int) {
        state.withLock { $0.sequences.removeAll { $0.id == id } }
        scheduleTimer()
    }

    /// Returns the sequence with the earliest event and the time of that event.
    private func first(_ state: State) -> (index: Int, due: Int64)? {
        var best: (index: Int, due: Int64, event: Int)?
        for (index, sequence) in state.sequences.enumerated() {
            let event = sequence.events[sequence.cursor]
            let due = trace.events[event].time + sequence.offset
            if let best, (best.due, best.event) <= (due, event) { continue }
            best = (index, due, event)
        }
        return best.map { ($0.index, $0.due) }
    }

    /// Sets the timer for the earliest event.
    private func scheduleTimer() {
        enum Step {
            case keep
            case replace(ClockTimer?, due: Int64?, generation: Int)
        }
        let step = state.withLock { state -> Step in
            let due = first(state)?.due
            if let scheduled = state.scheduled, scheduled.due == due { return .keep }
            if state.scheduled == nil, due == nil { return .keep }
            let old = state.scheduled?.timer
            state.scheduled = nil
            state.generation += 1
            return .replace(old, due: due, generation: state.generation)
        }
        guard case .replace(let old, let due, let generation) = step else { return }
        old?.cancel()
        guard let due else { return }
        let timer = clock.schedule(at: CMTime(nanoseconds: due)) { [weak self] in self?.fire(generation) }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.scheduled = (due, timer)
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    private func fire(_ generation: Int) {
        let action = state.withLock { state -> (event: Int, perform: @Sendable (Int) -> Void)? in
            guard state.generation == generation, let (index, _) = first(state) else { return nil }
            state.scheduled = nil
            state.generation += 1
            let sequence = state.sequences[index]
            state.sequences[index].cursor += 1
            if state.sequences[index].cursor == sequence.events.count { state.sequences.remove(at: index) }
            return (sequence.events[sequence.cursor], sequence.perform)
        }
        guard let action else { return }
        action.perform(action.event)
        scheduleTimer()
    }
}
