import MediaTypes

/// The life cycle of a stream: it starts, delivers events and stops, any number of times, until another stream of the
/// device replaces it or the device is closed.
///
/// A run of a stream is the time from a start to the next stop, or to the delivery of `.failed` or `.ended`. An event of
/// a run is delivered only while the run is in progress, so that code that the stream scheduled during an earlier run
/// has no effect.
///
/// - Important: Thread-safe. `stop()` waits for an event that another thread is delivering, with two exceptions. Inside
///   an event it returns immediately, and that event is the last one. In virtual time it never waits: one action runs
///   at a time, so a thread that stops the stream during an event was started by the receiver, which may wait for it.
///   No lock is held while the receiver handles an event.
public final class StreamLifeCycle: Sendable {
    /// One run of a stream.
    public struct Run: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private enum Phase {
        case stopped
        case running(any StreamReceiver)
        /// The stream was replaced, or its device was closed.
        case retired
    }

    private struct State {
        var phase = Phase.stopped
        /// The number of starts.
        var number: UInt64 = 0
    }

    private let device: String
    private let gate: DeliveryGate
    private let state = Lock(State(), order: .primitive)

    /// Creates the life cycle of a stopped stream.
    ///
    /// - Parameters:
    ///   - device: The `uniqueID` of the device, for errors.
    ///   - clock: The clock of the host, which determines whether `stop()` waits.
    public init(device: String, clock: any CaptureClock) {
        self.device = device
        gate = DeliveryGate(clock: clock)
    }

    /// Whether a run is in progress.
    public var isRunning: Bool { currentRun != nil }

    /// The run in progress; nil if the stream is stopped.
    public var currentRun: Run? {
        state.withLock { state in
            if case .running = state.phase { Run(number: state.number) } else { nil }
        }
    }

    /// Begins a run. Does not wait.
    ///
    /// - Parameter receiver: Receives the events; retained until the run ends.
    /// - Throws: `.invalidState` if the stream is running, was replaced, or its device is closed.
    public func start(_ receiver: any StreamReceiver) throws(DeviceError) -> Run {
        try state.withLock { state throws(DeviceError) in
            switch state.phase {
            case .running:
                throw DeviceError(.invalidState, device: device, "the stream is already running; stop it first")
            case .retired:
                throw DeviceError(
                    .invalidState, device: device,
                    "another stream has replaced this one, or the device was closed; create a new stream")
            case .stopped:
                state.number += 1
                state.phase = .running(receiver)
                return Run(number: state.number)
            }
        }
    }

    /// Ends the run in progress, if any. See the class for when this waits.
    ///
    /// - Returns: The run that was in progress.
    @discardableResult
    public func stop() -> Run? {
        // The receiver is released outside the lock.
        let ended = state.withLock { state in Self.endRun(&state).map { (Run(number: state.number), $0) } }
        gate.wait()
        return ended?.0
    }

    /// Ends a run without an event and without waiting, for example because the hardware could not be started. Has no
    /// effect if the run is over.
    public func end(_ run: Run) {
        // The receiver is released outside the lock.
        _ = state.withLock { state in state.number == run.number ? Self.endRun(&state) : nil }
    }

    /// Prevents further starts, unless a run is in progress.
    ///
    /// - Returns: Whether no run can start any more.
    public func retire() -> Bool {
        state.withLock { state in
            if case .running = state.phase { return false }
            state.phase = .retired
            return true
        }
    }

    /// Delivers an event of a run, on this thread. Has no effect if the run is over. `.failed` and `.ended` end the run
    /// before the receiver handles them, so that it can start the stream again.
    ///
    /// Deliver the events of a stream one at a time, also those of successive runs, and do not hold a lock that the
    /// receiver could acquire.
    ///
    /// - Returns: Whether the run is still in progress.
    @discardableResult
    public func deliver(_ event: consuming StreamEvent, of run: Run) -> Bool {
        // The delivery begins before the run is checked: a stop that ends the run after the check waits.
        gate.begin()
        defer { gate.end() }
        let isLast =
            switch event {
            case .failed, .ended: true
            case .video, .audio, .dropped: false
            }
        let receiver = state.withLock { state -> (any StreamReceiver)? in
            guard state.number == run.number, case .running(let receiver) = state.phase else { return nil }
            if isLast { state.phase = .stopped }
            return receiver
        }
        guard let receiver else { return false }
        receiver.receive(event)
        return currentRun == run
    }

    /// Ends the run in progress; returns its receiver, which the caller releases outside the lock.
    private static func endRun(_ state: inout State) -> (any StreamReceiver)? {
        guard case .running(let receiver) = state.phase else { return nil }
        state.phase = .stopped
        return receiver
    }
}
