public import CaptureHAL
public import MediaTypes

/// A stream of a simulated device. It schedules its generator on the clock of the capture system and applies faults.
///
/// Event n occurs at start + n × duration, computed from n. If the frame duration changes, or the exposure becomes
/// longer than it, n is counted from the next event. On a real clock, a late timer does not shift later events; events
/// in the past are reported as dropped.
public final class SimStream: ReplaceableStream {
    private typealias Run = StreamLifeCycle.Run

    /// The state of a run, from its start to its end.
    private struct RunState {
        let run: Run
        /// Nil while the stream is being started.
        var plan: StreamPlan?
        var timer: ClockTimer?
        /// Whether the run ends with an error that has not been delivered yet. No other event is delivered.
        var isFailing = false
        /// The last frame, while a fault may show it again.
        var previous: VideoFrame?
        var stills = StillQueue()
    }

    private struct State {
        var configuration: StreamConfiguration
        /// The last run that was started; nil after its end.
        var running: RunState?
    }

    public let lifeCycle: StreamLifeCycle
    private let state: Lock<State>
    /// The run that started the generator last. The lock is held during the generator's calls, so that the start
    /// of a new run does not overlap with the last event of the previous one on another thread. Lock order: before
    /// `state`.
    private let generatorRun = Lock<Run?>(nil, order: .frameGeneration)
    private let clock: any CaptureClock
    private let deviceID: String
    let generator: any StreamGenerator
    private let faults: FaultList
    private let history: StreamHistory
    /// Nanoseconds from starting the stream to the first event.
    private let startLatency: Int64
    /// Nanoseconds from the time of an event to its delivery.
    private let deliveryLatency: Int64
    /// Throws `.disconnected` if the device is disconnected, `.invalidState` if it is closed.
    private let check: @Sendable () throws(DeviceError) -> Void
    /// Whether the format supports a frame duration.
    private let accepts: @Sendable (CMTime) -> Bool

    init(
        configuration: StreamConfiguration, deviceID: String, clock: any CaptureClock, generator: any StreamGenerator,
        faults: FaultList, history: StreamHistory, startLatency: Int64, deliveryLatency: Int64,
        check: @escaping @Sendable () throws(DeviceError) -> Void, accepts: @escaping @Sendable (CMTime) -> Bool
    ) {
        lifeCycle = StreamLifeCycle(device: deviceID, clock: clock)
        state = Lock(State(configuration: configuration), order: .stream)
        self.deviceID = deviceID
        self.clock = clock
        self.generator = generator
        self.faults = faults
        self.history = history
        self.startLatency = startLatency
        self.deliveryLatency = deliveryLatency
        self.check = check
        self.accepts = accepts
    }

    public var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    public func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try check()
        let delay = try startLatency + faults.startDelay(device: deviceID, atNanoseconds: clock.now.nanoseconds)
        let run = try lifeCycle.start(receiver)
        state.withLock { $0.running = RunState(run: run) }
        let first = generatorRun.withLock { generatorRun -> Int64? in
            guard lifeCycle.currentRun == run else { return nil }
            generator.prepare(at: clock.now.nanoseconds + delay)
            let interval = interval
            // Read the clock again: on a real clock, preparing takes time.
            let first = clock.now.nanoseconds + delay
            generator.begin(at: first)
            generatorRun = run
            update(run) { $0.plan = StreamPlan(first: first, interval: interval) }
            return first
        }
        guard let first else { return }
        history.didStart(deviceID, configuration)
        scheduleTimer(run, at: first)
    }

    public func stop() {
        guard let run = lifeCycle.stop() else { return }
        removeState(of: run)?.timer?.cancel()
        history.didStop(deviceID)
    }

    public func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        try check()
        guard accepts(duration) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "the format does not support a frame duration of \(duration.seconds) s; see its frameDurations")
        }
        state.withLock { $0.configuration.frameDuration = duration }
    }

    /// Adds a still to the requested ones. Its size and the capabilities that it needs were checked.
    ///
    /// - Returns: Whether the stream is running.
    func addStill(_ request: StillRequest) -> Bool {
        guard let run = lifeCycle.currentRun else { return false }
        return update(run) { $0.stills.add(request) } != nil
    }

    /// Ends the stream with an error, which is delivered on the clock. Does nothing if the stream is not running.
    func fail(_ error: DeviceError) {
        let now = clock.now
        guard let run = lifeCycle.currentRun else { return }
        var timer: ClockTimer?
        let isFirstFailure: Void? = update(run) { state in
            state.isFailing = true
            timer = state.timer
        }
        guard isFirstFailure != nil else { return }
        timer?.cancel()
        clock.schedule(at: now) { [self] in end(run, with: error, at: now) }
    }

    // MARK: The state of a run

    /// Accesses the state of a run; returns nil if the run has ended or is about to fail.
    @discardableResult
    private func update<Result>(_ run: Run, _ body: (inout RunState) -> Result) -> Result? {
        guard lifeCycle.currentRun == run else { return nil }
        return state.withLock { state in
            guard state.running?.run == run, state.running?.isFailing == false else { return nil }
            return body(&state.running!)
        }
    }

    /// Accesses the plan of a run; returns nil also while the run is being started.
    private func updatePlan<Result>(_ run: Run, _ body: (inout StreamPlan) -> Result) -> Result? {
        update(run) { state in state.plan == nil ? nil : body(&state.plan!) } ?? nil
    }

    private func removeState(of run: Run) -> RunState? {
        state.withLock { state in
            guard let running = state.running, running.run == run else { return nil }
            state.running = nil
            return running
        }
    }

    /// The interval between events, as a fraction of a second, limited by the generator and the device's thermal state.
    private var interval: (value: Int64, timescale: Int64) {
        faults.thermalState.limitedInterval(generator.interval(for: configuration.frameDuration))
    }

    // MARK: On the clock

    /// Schedules the timer for an event.
    ///
    /// - Parameter time: The time of the event, in nanoseconds.
    private func scheduleTimer(_ run: Run, at time: Int64) {
        schedule(run, at: time) { $0.timerFired(run) }
    }

    /// Schedules the timer for the next event, unless the run has ended.
    private func scheduleNextTimer(_ run: Run) {
        if let next = updatePlan(run, { $0.nextTime }) { scheduleTimer(run, at: next) }
    }

    /// Schedules an action for the time at which the device delivers what it captured at `time`, in nanoseconds. It is
    /// canceled when the stream stops.
    private func schedule(_ run: Run, at time: Int64, _ action: @escaping @Sendable (SimStream) -> Void) {
        let timer = clock.schedule(at: CMTime(nanoseconds: time + deliveryLatency)) { [weak self] in
            if let self { action(self) }
        }
        update(run) { $0.timer = timer }
    }

    /// Processes the event that is due when the timer fires, and those that were missed.
    private func timerFired(_ run: Run) {
        let interval = interval
        let now = clock.now.nanoseconds - deliveryLatency
        let lateness = generator.lateness
        let due = updatePlan(run) { $0.takeDueEvent(at: now - lateness, interval: interval) }
        guard let event = due else { return }
        for index in event.missed {
            let loss = loss(
                event, index, at: event.time(ofMissed: index), "the simulation was too slow for real time")
            guard send(loss, run) else { return }
        }
        let newFaults = faults.consumeDueFaults(index: event.index, atNanoseconds: event.time)
        for fault in newFaults where fault.target == .device { faults.applyToDevice(fault) }
        let isShutDown = faults.thermalState.level == .shutdown
        // Another thread, or a client that learns of a fault of the device, can have stopped the stream.
        let fate = updatePlan(run) {
            $0.fate(of: event, newFaults: newFaults, isShutDown: isShutDown, now: now)
        }
        if let fate { process(event, fate, run) }
    }

    private func process(_ event: DueEvent, _ fate: EventFate, _ run: Run) {
        switch fate {
        case .skipped: scheduleNextTimer(run)
        case .halted: break
        case .lost:
            let loss = loss(event, event.index, at: event.time, "dropped because of a scheduled fault")
            if send(loss, run) { scheduleNextTimer(run) }
        case .delivered(let delivery):
            guard let generated = generate(event, delivery, run) else { return }
            guard delivery.delay == 0 else {
                return schedule(run, at: event.time + delivery.delay) { stream in
                    if stream.send(generated, run) { stream.scheduleNextTimer(run) }
                }
            }
            for _ in 0..<delivery.count {
                guard send(generated, run) else { return }
            }
            scheduleNextTimer(run)
        case .failed(let code):
            end(
                run,
                with: DeviceError(code, device: deviceID, "the simulated device failed because of a scheduled fault"),
                at: CMTime(nanoseconds: event.time))
        case .unplugged(let time):
            let loss = loss(event, event.index, at: event.time, "the device was unplugged in the middle of the frame")
            schedule(run, at: time) { stream in
                stream.send(loss?.damaged, run)
                stream.faults.applyToDevice(.disconnect(inFrame: false))
            }
        }
    }

    /// Returns the report of a lost event; nil if the device does not report losses.
    private func loss(_ event: DueEvent, _ index: UInt64, at time: Int64, _ message: String) -> StreamEvent? {
        generator.loss(at: time, index: index, duration: event.duration, message: message)
    }

    /// Generates an event and applies its faults. Returns nil if the run has ended.
    private func generate(_ event: DueEvent, _ delivery: EventDelivery, _ run: Run) -> StreamEvent? {
        let generated = generatorRun.withLock { generatorRun in
            generatorRun == run ? generateWithStill(event, followsLoss: delivery.followsLoss, run) : nil
        }
        guard let generated else { return nil }
        generator.reportChanges()
        let previous = state.withLock { $0.running?.previous }
        let corrupted = delivery.corruption.applied(
            to: generated, time: event.time, previous: previous, seed: faults.seed)
        if case .video(var frame) = corrupted {
            frame.stills = []
            let isNeeded = faults.needsPreviousFrame
            // A later fault can show this frame again.
            update(run) { [frame] in $0.previous = isNeeded || $0.plan?.needsPreviousFrame == true ? frame : nil }
        }
        return corrupted.delayed(by: delivery.timestamp - event.time)
    }

    /// Generates an event, with the still that is captured beside it.
    private func generateWithStill(_ event: DueEvent, followsLoss: Bool, _ run: Run) -> StreamEvent {
        let shot = update(run) { $0.stills.begin(at: event.time) } ?? nil
        if let shot { generator.prepareStill(shot) }
        let generated = generator.event(
            at: event.time, index: event.index, duration: event.duration, followsLoss: followsLoss)
        guard case .video(var frame) = generated else { return generated }
        let frameEnd = event.time + event.duration.nanoseconds
        if let shot, update(run, { $0.stills.mustWait(shot, for: frame) }) == false {
            let still = generator.still(shot, with: frame)
            if let complete = update(run, { $0.stills.record(still, of: shot, frameEnd: frameEnd) }) ?? nil {
                frame.stills = [complete]
            }
        } else if let complete = update(run, { $0.stills.takeCompleted(by: frameEnd) }) ?? nil {
            frame.stills = [complete]
        }
        return .video(frame)
    }

    /// Delivers an event, if there is one, unless the run has ended or is about to fail.
    ///
    /// - Returns: Whether the run continues.
    @discardableResult
    private func send(_ event: StreamEvent?, _ run: Run) -> Bool {
        guard update(run, { _ in }) != nil else { return false }
        guard let event else { return true }
        history.didDeliver(event, deviceID)
        return lifeCycle.deliver(event, of: run)
    }

    /// Delivers the last event of a run, unless the run has ended.
    private func end(_ run: Run, with error: DeviceError, at time: CMTime) {
        guard lifeCycle.currentRun == run else { return }
        _ = removeState(of: run)
        let failure = StreamEvent.failed(error, time: time)
        history.didDeliver(failure, deviceID)
        lifeCycle.deliver(failure, of: run)
    }
}
