public import CaptureHAL
public import MediaTypes

/// A stream of a simulated device. It schedules its generator on the clock of the capture system and applies faults.
///
/// Event n occurs at start + n × duration, computed from n. If the frame duration changes, or the exposure becomes
/// longer than it, n is counted from the next event. On a real clock, a late timer does not shift later events; events
/// in the past are reported as dropped.
public final class SimStream: DeviceStream {
    private enum Phase {
        case idle, running
        /// The stream was replaced by another one.
        case retired
        /// The stream has ended with an error that has not been delivered yet.
        case failing
    }

    /// Invariant: `receiver` is non-nil exactly while running or failing. `generation` increases with every start and
    /// stop.
    private struct State {
        var configuration: StreamConfiguration
        var phase = Phase.idle
        var generation = 0
        var receiver: (any StreamReceiver)?
        var schedule = PeriodicSchedule(first: 0, firstIndex: 0, value: 1, timescale: 1)
        /// The index of the next event.
        var next: UInt64 = 0
        var timer: ClockTimer?
        var faultState = StreamFaultState()
        /// Events up to this time, in nanoseconds, are not reported as dropped if they are late, because a fault delays
        /// them.
        var backlogEnd: Int64 = .min
        /// The last frame, while a fault may show it again.
        var previous: VideoFrame?
    }

    private let state: Lock<State>
    /// The generation for which the generator was started. The lock is held during the generator's calls, so that the
    /// start of a new run does not overlap with the last event of the previous one on another thread. Lock order:
    /// before `state`.
    private let generatorRun = Lock(0, order: .frameDelivery)
    private let gate = DeliveryGate()
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

    var isRunning: Bool { state.withLock { $0.phase == .running || $0.phase == .failing } }

    /// Marks the stream as replaced by another. It must not be running.
    func retire() { state.withLock { $0.phase = .retired } }

    public var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    public func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try check()
        let delay = try startLatency + faults.startDelay(device: deviceID, atNanoseconds: clock.now.nanoseconds)
        let generation = state.withLock { state -> Int? in
            guard state.phase == .idle else { return nil }
            state.phase = .running
            state.generation += 1
            state.receiver = receiver
            return state.generation
        }
        guard let generation else {
            throw DeviceError(
                .invalidState, device: deviceID, "the stream is already running or was replaced by another one")
        }
        let first = generatorRun.withLock { begun -> Int64? in
            guard state.withLock({ $0.generation == generation }) else { return nil }
            generator.prepare(at: clock.now.nanoseconds + delay)
            let interval = interval
            // Read the clock again: on a real clock, preparing takes time.
            let first = clock.now.nanoseconds + delay
            generator.begin(at: first)
            begun = generation
            state.withLock { state in
                guard state.generation == generation else { return }
                state.schedule = PeriodicSchedule(
                    first: first, firstIndex: 0, value: interval.value, timescale: interval.timescale)
                state.next = 0
                state.faultState = StreamFaultState()
                state.backlogEnd = .min
                state.previous = nil
            }
            return first
        }
        guard let first else { return }
        history.didStart(deviceID, configuration)
        arm(generation, at: first)
    }

    public func stop() {
        let (wasRunning, timer) = state.withLock { state in
            defer {
                if state.phase != .retired { state.phase = .idle }
                state.generation += 1
                state.receiver = nil
                state.timer = nil
                state.previous = nil
            }
            let isRunning = state.phase == .running || state.phase == .failing
            return (isRunning, state.phase == .idle ? nil : state.timer)
        }
        timer?.cancel()
        if wasRunning { history.didStop(deviceID) }
        // On a virtual clock, events are delivered one at a time: `stop()` during a delivery is called from within it.
        if !clock.isVirtual { gate.wait() }
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

    /// Ends the stream with an error, which is delivered on the clock. Does nothing if the stream is not running.
    func fail(_ error: DeviceError) {
        let now = clock.now
        let failing = state.withLock { state -> (generation: Int, timer: ClockTimer?)? in
            guard state.phase == .running else { return nil }
            state.phase = .failing
            return (state.generation, state.timer)
        }
        guard let failing else { return }
        failing.timer?.cancel()
        clock.schedule(at: now) { [self] in deliverFailure(error, time: now, generation: failing.generation) }
    }

    /// The interval between events, as a fraction of a second, limited by the generator and the device's thermal state.
    private var interval: (value: Int64, timescale: Int64) {
        faults.thermalState.limitedInterval(generator.interval(for: configuration.frameDuration))
    }

    /// Schedules the timer for the event at a time.
    private func arm(_ generation: Int, at nanoseconds: Int64) {
        schedule(generation, at: nanoseconds + deliveryLatency) { $0.fire(generation) }
    }

    /// Schedules an action on the clock, which is canceled when the stream stops.
    private func schedule(
        _ generation: Int, at nanoseconds: Int64, _ action: @escaping @Sendable (SimStream) -> Void
    ) {
        let timer = clock.schedule(at: CMTime(nanoseconds: nanoseconds)) { [weak self] in
            if let self { action(self) }
        }
        state.withLock { state in
            if state.generation == generation { state.timer = timer }
        }
    }

    /// The events for which one firing of the timer is responsible: the one that is due, and those that were missed.
    private struct Iteration {
        var missed: Range<UInt64>
        var index: UInt64
        var time: Int64
        var duration: CMTime
        var schedule: PeriodicSchedule
        let receiver: any StreamReceiver
    }

    /// The action after an event.
    private enum NextStep {
        /// Schedule the timer for the next event.
        case scheduleNext
        /// Deliver the event at a later time.
        case deliverLater(StreamEvent, at: Int64)
        /// Disconnect the device at a time, during the transfer of the event's frame.
        case disconnect(StreamEvent?, at: Int64)
        /// The stream has ended, or delivers nothing more.
        case stop
    }

    /// Delivers the events that are due when the timer fires.
    private func fire(_ generation: Int) {
        let interval = interval
        let now = clock.now.nanoseconds - deliveryLatency - generator.lateness
        let iteration = state.withLock { state -> Iteration? in
            guard state.generation == generation, state.phase == .running, let receiver = state.receiver else {
                return nil
            }
            let due = state.next
            if state.schedule.value != interval.value || state.schedule.timescale != interval.timescale {
                state.schedule = PeriodicSchedule(
                    first: state.schedule.time(of: due), firstIndex: due, value: interval.value,
                    timescale: interval.timescale)
            }
            let isDelayed = state.schedule.time(of: due) <= state.backlogEnd
            let index = isDelayed ? due : state.schedule.lastIndex(atOrBefore: now, from: due)
            state.next = index + 1
            return Iteration(
                missed: due..<index, index: index, time: state.schedule.time(of: index),
                duration: CMTime(value: interval.value, timescale: Int32(clamping: interval.timescale)),
                schedule: state.schedule, receiver: receiver)
        }
        guard let iteration else { return }
        var next = NextStep.stop
        gate.deliver { next = perform(iteration, generation) }
        switch next {
        case .scheduleNext: armNext(generation)
        case .deliverLater(let event, let time):
            state.withLock { $0.backlogEnd = time - deliveryLatency }
            schedule(generation, at: time) { stream in
                stream.gate.deliver { _ = stream.deliver(event, generation, iteration.receiver) }
                stream.armNext(generation)
            }
        case .disconnect(let event, let time):
            schedule(generation, at: time) { stream in
                stream.gate.deliver { _ = event.map { stream.deliver($0, generation, iteration.receiver) } }
                stream.faults.applyToDevice(.disconnect(inFrame: false))
            }
        case .stop: break
        }
    }

    /// Schedules the timer for the next event unless the stream has been stopped.
    private func armNext(_ generation: Int) {
        let next = state.withLock { state in
            state.generation == generation && state.phase == .running ? state.schedule.time(of: state.next) : nil
        }
        if let next { arm(generation, at: next) }
    }

    /// Delivers the events of an iteration.
    private func perform(_ iteration: Iteration, _ generation: Int) -> NextStep {
        for index in iteration.missed {
            let time = iteration.schedule.time(of: index)
            let event = generator.loss(
                at: time, index: index, duration: iteration.duration,
                message: "the simulation was too slow for real time")
            if let event {
                guard deliver(event, generation, iteration.receiver) else { return .stop }
            }
        }
        let due = faults.consumeDueFaults(index: iteration.index, atNanoseconds: iteration.time)
        for fault in due where fault.target == .device { faults.applyToDevice(fault) }
        let isShutDown = faults.thermalState.level == .shutdown
        // Another thread, or a client that learns of a fault of the device, can have stopped the stream.
        let action = state.withLock { state -> StreamFaultState.Action? in
            guard state.generation == generation, state.phase == .running else { return nil }
            for fault in due { state.faultState.activate(fault, at: iteration.time) }
            let action = state.faultState.action(
                at: iteration.time, duration: iteration.duration.nanoseconds, followsLoss: !iteration.missed.isEmpty,
                isShutDown: isShutDown)
            if case .end(.failure) = action { state.phase = .failing }
            return action
        }
        guard let action else { return .stop }
        switch action {
        case .stall: return .scheduleNext
        case .halt: return .stop
        case .drop:
            let event = generator.loss(
                at: iteration.time, index: iteration.index, duration: iteration.duration,
                message: "dropped because of a scheduled fault")
            return event.map { deliver($0, generation, iteration.receiver) } ?? true ? .scheduleNext : .stop
        case .end(.failure(let code)):
            finish(
                DeviceError(code, device: deviceID, "the simulated device failed because of a scheduled fault"),
                time: CMTime(nanoseconds: iteration.time), generation: generation)
            return .stop
        case .end(.unpluggedInFrame):
            let event = generator.loss(
                at: iteration.time, index: iteration.index, duration: iteration.duration,
                message: "the device was unplugged in the middle of the frame")
            return .disconnect(
                event?.damaged, at: iteration.time + deliveryLatency + iteration.duration.nanoseconds / 2)
        case .deliver(let delivery):
            return perform(delivery, iteration, generation)
        }
    }

    /// Generates and delivers the event of an iteration.
    private func perform(_ delivery: StreamFaultState.Delivery, _ iteration: Iteration, _ generation: Int) -> NextStep {
        let generated = generatorRun.withLock { begun in
            begun == generation
                ? generator.event(
                    at: iteration.time, index: iteration.index, duration: iteration.duration,
                    followsLoss: delivery.followsLoss) : nil
        }
        guard let generated else { return .stop }
        generator.reportChanges()
        let event = corrupted(generated, by: delivery, iteration.time, generation).delayed(
            by: delivery.time - iteration.time)
        let dueTime = iteration.time + deliveryLatency + delivery.delay
        if delivery.delay > 0, dueTime > clock.now.nanoseconds { return .deliverLater(event, at: dueTime) }
        for _ in 0..<(delivery.isDuplicated ? 2 : 1) {
            guard deliver(event, generation, iteration.receiver) else { return .stop }
        }
        return .scheduleNext
    }

    /// Applies faults to an event. Retains its frame if a later fault can show it again.
    private func corrupted(
        _ event: StreamEvent, by delivery: StreamFaultState.Delivery, _ time: Int64, _ generation: Int
    ) -> StreamEvent {
        let previous = state.withLock { $0.previous }
        let result = delivery.corruption.applied(to: event, time: time, previous: previous, seed: faults.seed)
        guard case .video(let frame) = result else { return result }
        let isNeeded = faults.needsPreviousFrame
        state.withLock { state in
            guard state.generation == generation else { return }
            state.previous = isNeeded || state.faultState.needsPreviousFrame ? frame : nil
        }
        return result
    }

    /// Delivers an event unless the stream has been stopped; returns false if it has.
    private func deliver(
        _ event: StreamEvent, _ generation: Int, _ receiver: any StreamReceiver
    ) -> Bool {
        guard state.withLock({ $0.generation == generation && $0.phase == .running }) else { return false }
        history.didDeliver(event, deviceID)
        receiver.receive(event)
        return state.withLock { $0.generation == generation }
    }

    private func deliverFailure(_ error: DeviceError, time: CMTime, generation: Int) {
        gate.deliver { finish(error, time: time, generation: generation) }
    }

    /// Delivers the last event. Called inside `gate.deliver`.
    private func finish(_ error: DeviceError, time: CMTime, generation: Int) {
        let receiver = state.withLock { state -> (any StreamReceiver)? in
            guard state.generation == generation, state.phase == .failing else { return nil }
            defer {
                state.phase = .idle
                state.generation += 1
                state.receiver = nil
                state.timer = nil
                state.previous = nil
            }
            return state.receiver
        }
        guard let receiver else { return }
        history.didDeliver(.failed(error, time: time), deviceID)
        receiver.receive(.failed(error, time: time))
    }
}
