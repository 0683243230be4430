import CaptureHAL
import Dispatch
import Glibc
import MediaTypes
import Synchronization

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
        /// The hardware was stopped; only the last event is still to be delivered.
        var isOver = false
        var thread: KernelThread?
        var watchdog: ClockTimer?
    }

    let state = Lock(State())
    private let stopped = Atomic(false)
    private let stalled = Atomic(false)
    private let signsOfLife = Atomic<UInt64>(0)
    /// The thread that tells an event just now, 0 where none does; one at a time.
    private let teller = Atomic<pthread_t>(0)
    /// Entered until the start has come to its end, well or not.
    let starting = DispatchGroup()
    /// Entered until the hardware has been stopped.
    let streaming = DispatchGroup()
    private let receiver: any StreamReceiver
    /// The same, where it takes lent memory.
    private let lentReceiver: (any LentMemoryReceiver)?

    init(_ receiver: any StreamReceiver) {
        self.receiver = receiver
        lentReceiver = receiver as? any LentMemoryReceiver
    }

    /// The run's start is accepted; who begins it leaves `starting`, who stops the hardware leaves `streaming`.
    func accept() {
        starting.enter()
        streaming.enter()
    }

    var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }
    /// Rises with every sign of life.
    var activity: UInt64 { signsOfLife.load(ordering: .relaxed) }

    /// No event is told from now on, but for the one that may be under way.
    func stop() { stopped.store(true, ordering: .sequentiallyConsistent) }

    /// Says whether the hardware has been silent for too long.
    func setStalled(_ isStalled: Bool) { stalled.store(isStalled, ordering: .releasing) }

    /// Notes that the hardware lives.
    ///
    /// - Returns: Whether the stream goes on, or was stopped, or had been silent for too long.
    func turn() -> Turn {
        signsOfLife.add(1, ordering: .relaxed)
        return isStopped ? .stopped : stalled.load(ordering: .acquiring) ? .stalled : .goOn
    }

    enum Turn { case goOn, stopped, stalled }

    /// Delivers an event, unless the stream was stopped.
    ///
    /// - Returns: Whether the stream goes on.
    @discardableResult
    func deliver(_ event: StreamEvent) -> Bool {
        guard beginTelling() else { return false }
        receiver.receive(event)
        return endTelling()
    }

    /// Delivers a picture, as `deliver(.video(frame))`.
    func deliver(_ frame: VideoFrame) -> Bool {
        guard beginTelling() else { return false }
        receiver.receive(frame)
        return endTelling()
    }

    /// Delivers a picture in lent memory, which is given back in any case.
    ///
    /// - Returns: Whether the stream goes on.
    func deliver(
        _ memory: LentMemory, _ timing: CMSampleTimingInfo, sequenceNumber: UInt64, _ settings: FrameSettings
    ) -> Bool {
        guard beginTelling() else {
            memory.giveBack()
            return false
        }
        if let lentReceiver, lentReceiver.take(memory, timing, settings) { return endTelling() }
        receiver.receive(
            VideoFrame(
                payload: .pixels(memory.makePicture()), presentationTime: timing.presentationTimeStamp,
                duration: timing.duration, sequenceNumber: sequenceNumber, settings: settings))
        return endTelling()
    }

    private func beginTelling() -> Bool {
        guard !isStopped else { return false }
        signsOfLife.add(1, ordering: .relaxed)
        // It matters to this thread alone, which finds its own number or another.
        teller.store(pthread_self(), ordering: .relaxed)
        return true
    }

    private func endTelling() -> Bool {
        teller.store(0, ordering: .relaxed)
        return !isStopped
    }

    /// Waits until the run's thread has ended; returns at once from inside one of its events.
    func join() {
        if pthread_equal(teller.load(ordering: .relaxed), pthread_self()) != 0 { return }
        state.withLock(\.thread)?.join()
    }
}
