import CaptureHAL
import Dispatch
import Glibc
import MediaTypes

/// What one kind of hardware does for a stream; `StreamRunner` decides when.
protocol StreamDriver: AnyObject, Sendable {
    /// The `uniqueID`, for errors.
    var device: String { get }
    /// Wakes the thread inside `pump`.
    var wake: KernelEvent { get }
    /// How long the hardware may deliver nothing.
    var patience: CMTime { get }
    /// Whether the hardware has a reason to deliver nothing, as when consumers hold all buffers.
    var isExcused: Bool { get }

    /// Starts the hardware; where it throws, `end` follows.
    func begin() throws(KernelError)
    /// Waits for the hardware and delivers until the run is stopped or over; on the stream's own thread.
    ///
    /// - Returns: The event that ends the stream, not yet delivered; nil where it was stopped.
    func pump(_ run: StreamRun) throws(KernelError) -> StreamEvent?
    /// Stops the hardware.
    func end()
    /// Gives everything back, after `end`; more calls do nothing.
    func close()
}

/// One span of a stream between start and stop.
final class StreamRun: Sendable {
    struct State {
        var isStopped = false
        var isStalled = false
        /// The hardware was stopped; only the last event is still to be delivered.
        var isOver = false
        /// Rises with every sign of life.
        var activity: UInt64 = 0
        var thread: KernelThread?
        /// The thread that tells an event just now; one at a time.
        var teller: pthread_t?
        var watchdog: ClockTimer?
    }

    let state = Lock(State())
    /// Entered until the start has come to its end, well or not.
    let starting = DispatchGroup()
    /// Entered until the hardware has been stopped.
    let streaming = DispatchGroup()
    private let receive: @Sendable (StreamEvent) -> Void

    init(_ receive: @escaping @Sendable (StreamEvent) -> Void) { self.receive = receive }

    /// The run's start is accepted; who begins it leaves `starting`, who stops the hardware leaves `streaming`.
    func accept() {
        starting.enter()
        streaming.enter()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Notes that the hardware lives.
    ///
    /// - Returns: Whether the stream goes on, or was stopped, or had been silent for too long.
    func turn() -> Turn {
        state.withLock { state in
            state.activity += 1
            return state.isStopped ? .stopped : state.isStalled ? .stalled : .goOn
        }
    }

    enum Turn { case goOn, stopped, stalled }

    /// Delivers an event, unless the stream was stopped.
    ///
    /// - Returns: Whether the stream goes on.
    @discardableResult
    func deliver(_ event: StreamEvent) -> Bool {
        let goesOn = state.withLock { state in
            state.activity += 1
            if !state.isStopped { state.teller = pthread_self() }
            return !state.isStopped
        }
        guard goesOn else { return false }
        receive(event)
        return state.withLock { state in
            state.teller = nil
            return !state.isStopped
        }
    }

    /// Waits until the run's thread has ended; returns at once from inside one of its events.
    func join() {
        let (thread, teller) = state.withLock { ($0.thread, $0.teller) }
        if let teller, pthread_equal(teller, pthread_self()) != 0 { return }
        thread?.join()
    }
}
