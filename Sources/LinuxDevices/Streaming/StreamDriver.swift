import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// The hardware side of a stream; `StreamRunner` decides when its methods run.
protocol StreamDriver: AnyObject, Sendable {
    /// The `uniqueID` of the device, for errors.
    var device: String { get }
    /// The category of the driver's entries in the log.
    var logCategory: CaptureLog.Category { get }
    /// Wakes the thread inside `capture`.
    var wake: KernelEvent { get }
    /// The time without data after which the stream fails.
    var timeout: CMTime { get }
    /// Whether the hardware may deliver nothing now, for example because clients retain all buffers.
    var maySuspendDelivery: Bool { get }

    /// Starts the hardware. If it throws, `stop` is called next.
    func start() throws(KernelError)
    /// Waits for the hardware and delivers its data until the run is stopped or the stream ends.
    ///
    /// Called on the stream's own thread.
    ///
    /// - Returns: The event that ends the stream, not yet delivered; nil if the run was stopped.
    func capture(_ run: StreamRun) throws(KernelError) -> StreamEvent?
    /// Stops the hardware.
    func stop()
    /// Releases all resources, after `stop`. Further calls have no effect.
    func close()
}

/// One run of a stream, from a start to the next stop, failure or end.
final class StreamRun: Sendable {
    struct State {
        /// Whether the hardware was stopped. Only the last event may follow.
        var isOver = false
        var thread: KernelThread?
        var watchdog: ClockTimer?
    }

    /// The result of a check between two events.
    enum Status { case running, stopped, stalled }

    let state = Lock(State())
    private let stalled = Atomic(false)
    private let activityCount = Atomic<UInt64>(0)
    /// The group that is entered until the start has succeeded or failed.
    let starting = DispatchGroup()
    /// The group that is entered until the hardware has been stopped.
    let streaming = DispatchGroup()
    private let lifeCycle: StreamLifeCycle
    private let run: StreamLifeCycle.Run

    /// Starts the life cycle of a stream.
    ///
    /// The starting thread leaves `starting`. The thread that stops the hardware leaves `streaming`.
    init(_ lifeCycle: StreamLifeCycle, _ receiver: any StreamReceiver) throws(DeviceError) {
        self.lifeCycle = lifeCycle
        run = try lifeCycle.start(receiver)
        starting.enter()
        streaming.enter()
    }

    /// Whether the run has ended; then no event is delivered.
    var isStopped: Bool { lifeCycle.currentRun != run }
    /// A count that increases with each activity of the hardware.
    var activity: UInt64 { activityCount.load(ordering: .relaxed) }

    /// Ends the run without waiting.
    func end() { lifeCycle.end(run) }

    /// Sets whether the hardware has delivered nothing for too long.
    func setStalled(_ isStalled: Bool) { stalled.store(isStalled, ordering: .releasing) }

    /// Counts an activity of the hardware and returns whether the stream continues.
    func checkStatus() -> Status {
        activityCount.add(1, ordering: .relaxed)
        if isStopped { return .stopped }
        return stalled.load(ordering: .acquiring) ? .stalled : .running
    }

    /// Delivers an event, unless the stream was stopped.
    ///
    /// - Returns: Whether the stream continues.
    @discardableResult
    func deliver(_ event: consuming StreamEvent) -> Bool {
        activityCount.add(1, ordering: .relaxed)
        return lifeCycle.deliver(event, of: run)
    }

    /// Waits until the run's thread has ended; returns immediately on that thread.
    func join() { state.withLock(\.thread)?.join() }
}
