public import CaptureHAL
public import MediaTypes

/// A stream of a simulated device: paces its source by the system's clock, honours faults and the stream's contract.
///
/// Event n is at start + n × duration, computed from n; a client's change of the duration, or an exposure longer than
/// it, begins a new count. On a real clock a late timer shifts nothing: the moments that passed are reported as dropped.
public final class SimStream: DeviceStream {
    private enum Phase {
        case idle, running
        /// Another stream has taken its place.
        case retired
        /// Over by an error, which is still to be delivered.
        case failing
    }

    /// Invariant: `receiver` is set exactly while running or failing; `generation` grows with every start and stop.
    private struct State {
        var configuration: StreamConfiguration
        var phase = Phase.idle
        var generation = 0
        var receiver: (any StreamReceiver)?
        var cadence = Cadence(first: 0, firstIndex: 0, value: 1, timescale: 1)
        var next: UInt64 = 0
        var timer: ClockTimer?
        var script = StreamScript()
        /// Moments up to this one are not lost, however late they are: a fault holds them up.
        var backlogEnd: Int64 = .min
        /// From a moment to its event, by the device and by what the source waits for.
        var latency: Int64 = 0
        /// The last picture, while a fault may show it again.
        var previous: CVPixelBuffer?
    }

    private let state: Lock<State>
    /// The generation for which the source has begun. Held while the source works, so that the start of a new run and
    /// the last event of the one before, which another thread may be making, do not meet; taken before `state`.
    private let turn = Lock(0, order: .frameDelivery)
    private let gate = DeliveryGate()
    private let clock: any CaptureClock
    private let deviceID: String
    let source: any StreamSource
    private let faults: FaultList
    private let startLatency: Int64
    private let deliveryLatency: Int64
    /// Throws where the device is gone.
    private let check: @Sendable () throws(DeviceError) -> Void
    /// Whether a duration is on offer.
    private let accepts: @Sendable (CMTime) -> Bool

    init(
        configuration: StreamConfiguration, deviceID: String, clock: any CaptureClock, source: any StreamSource,
        faults: FaultList, startLatency: Int64, deliveryLatency: Int64,
        check: @escaping @Sendable () throws(DeviceError) -> Void, accepts: @escaping @Sendable (CMTime) -> Bool
    ) {
        state = Lock(State(configuration: configuration), order: .stream)
        self.deviceID = deviceID
        self.clock = clock
        self.source = source
        self.faults = faults
        self.startLatency = startLatency
        self.deliveryLatency = deliveryLatency
        self.check = check
        self.accepts = accepts
    }

    var isRunning: Bool { state.withLock { $0.phase == .running || $0.phase == .failing } }

    /// Makes way for another stream; only while it does not run.
    func retire() { state.withLock { $0.phase = .retired } }

    public var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    public func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try check()
        let delay = try startLatency + faults.answerStart(device: deviceID, time: clock.now.nanoseconds)
        let generation = state.withLock { state -> Int? in
            guard state.phase == .idle else { return nil }
            state.phase = .running
            state.generation += 1
            state.receiver = receiver
            return state.generation
        }
        guard let generation else {
            throw DeviceError(
                .invalidState, device: deviceID, "the stream runs already, or another took its place")
        }
        let first = turn.withLock { begun -> Int64? in
            guard state.withLock({ $0.generation == generation }) else { return nil }
            source.prepare(at: clock.now.nanoseconds + delay)
            let spacing = spacing
            // Read now: on a real clock preparing has taken its time.
            let first = clock.now.nanoseconds + delay
            source.begin(at: first)
            begun = generation
            state.withLock { state in
                guard state.generation == generation else { return }
                state.cadence = Cadence(
                    first: first, firstIndex: 0, value: spacing.value, timescale: spacing.timescale)
                state.next = 0
                state.latency = deliveryLatency + source.lookAhead
                state.script = StreamScript()
                state.backlogEnd = .min
                state.previous = nil
            }
            return first
        }
        if let first { arm(generation, at: first) }
    }

    public func stop() {
        let timer = state.withLock { state in
            defer {
                if state.phase != .retired { state.phase = .idle }
                state.generation += 1
                state.receiver = nil
                state.timer = nil
                state.previous = nil
            }
            return state.phase == .idle ? nil : state.timer
        }
        timer?.cancel()
        // On a virtual clock events happen one at a time: a thread that stops while one is under way was called by it.
        if !clock.isVirtual { gate.wait() }
    }

    public func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        try check()
        guard accepts(duration) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "frames \(duration.seconds) s apart are not on offer in this format; see its frameDurations")
        }
        state.withLock { $0.configuration.frameDuration = duration }
    }

    /// Ends the stream by an error, told on the clock; does nothing where it does not run.
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

    /// The time between moments that the client, the source and the device's heat allow.
    private var spacing: (value: Int64, timescale: Int64) {
        faults.heat.limited(source.spacing(for: configuration.frameDuration))
    }

    private func arm(_ generation: Int, at nanoseconds: Int64) {
        let latency = state.withLock { $0.latency }
        schedule(generation, at: nanoseconds + latency) { $0.fire(generation) }
    }

    /// Lets something happen on the clock unless the stream is stopped before.
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

    /// What one moment leads to.
    private struct Turn {
        /// Moments that passed unseen, and the one that is due.
        var missed: Range<UInt64>
        var index: UInt64
        var time: Int64
        var duration: CMTime
        var cadence: Cadence
        var latency: Int64
        let receiver: any StreamReceiver
    }

    /// What comes after a moment.
    private enum Sequel {
        case nextMoment
        /// The event waits for a later time.
        case later(StreamEvent, at: Int64)
        /// The plug is pulled at a time, while the event's frame was on its way.
        case unplugged(StreamEvent?, at: Int64)
        /// The stream is over, or stuck for good.
        case nothing
    }

    private func fire(_ generation: Int) {
        let spacing = spacing
        let latency = deliveryLatency + source.lookAhead
        let now = clock.now.nanoseconds - latency - source.lateness
        let turn = state.withLock { state -> Turn? in
            guard state.generation == generation, state.phase == .running, let receiver = state.receiver else {
                return nil
            }
            // What the source no longer waits for comes at once.
            if latency < state.latency { state.backlogEnd = max(state.backlogEnd, now) }
            state.latency = latency
            let due = state.next
            if state.cadence.value != spacing.value || state.cadence.timescale != spacing.timescale {
                state.cadence = Cadence(
                    first: state.cadence.time(of: due), firstIndex: due, value: spacing.value,
                    timescale: spacing.timescale)
            }
            let isHeldUp = state.cadence.time(of: due) <= state.backlogEnd
            let index = isHeldUp ? due : state.cadence.lastIndex(atOrBefore: now, from: due)
            state.next = index + 1
            return Turn(
                missed: due..<index, index: index, time: state.cadence.time(of: index),
                duration: CMTime(value: spacing.value, timescale: Int32(clamping: spacing.timescale)),
                cadence: state.cadence, latency: latency, receiver: receiver)
        }
        guard let turn else { return }
        var sequel = Sequel.nothing
        gate.deliver { sequel = perform(turn, generation) }
        switch sequel {
        case .nextMoment: armNext(generation)
        case .later(let event, let time):
            state.withLock { $0.backlogEnd = time - $0.latency }
            schedule(generation, at: time) { stream in
                stream.gate.deliver { _ = stream.deliver(event, generation, turn.receiver) }
                stream.armNext(generation)
            }
        case .unplugged(let event, let time):
            schedule(generation, at: time) { stream in
                stream.gate.deliver { _ = event.map { stream.deliver($0, generation, turn.receiver) } }
                stream.faults.strikeDevice(.disconnect(inFrame: false))
            }
        case .nothing: break
        }
    }

    private func armNext(_ generation: Int) {
        let next = state.withLock { state in
            state.generation == generation && state.phase == .running ? state.cadence.time(of: state.next) : nil
        }
        if let next { arm(generation, at: next) }
    }

    /// Delivers what a moment brings.
    private func perform(_ turn: Turn, _ generation: Int) -> Sequel {
        for index in turn.missed {
            let time = turn.cadence.time(of: index)
            if let event = source.loss(at: time, index: index, message: "the simulation was too slow for real time") {
                guard deliver(event, generation, turn.receiver) else { return .nothing }
            }
        }
        let struck = faults.takeDue(index: turn.index, time: turn.time)
        for fault in struck where fault.target == .device { faults.strikeDevice(fault) }
        let isShutDown = faults.heat.level == .shutdown
        let way = state.withLock { state in
            for fault in struck { state.script.strike(fault, at: turn.time) }
            return state.script.way(
                at: turn.time, duration: turn.duration.nanoseconds, lost: !turn.missed.isEmpty, isShutDown: isShutDown)
        }
        switch way {
        case .stall: return .nextMoment
        case .halt: return .nothing
        case .drop:
            let event = source.loss(at: turn.time, index: turn.index, message: "dropped, as the script says")
            return event.map { deliver($0, generation, turn.receiver) } ?? true ? .nextMoment : .nothing
        case .end(.failure(let code)):
            state.withLock { $0.phase = .failing }
            finish(
                DeviceError(code, device: deviceID, "the simulated device failed, as the script says"),
                time: CMTime(nanoseconds: turn.time), generation: generation)
            return .nothing
        case .end(.unpluggedInFrame):
            let event = source.loss(
                at: turn.time, index: turn.index, message: "the device was unplugged in the middle of the frame")
            return .unplugged(
                event?.damaged, at: turn.time + turn.latency + turn.duration.nanoseconds / 2)
        case .deliver(let delivery):
            return perform(delivery, turn, generation)
        }
    }

    /// Makes and delivers the event of a moment.
    private func perform(_ delivery: StreamScript.Delivery, _ turn: Turn, _ generation: Int) -> Sequel {
        let made = self.turn.withLock { begun in
            begun == generation
                ? source.event(at: turn.time, index: turn.index, duration: turn.duration, lost: delivery.lost) : nil
        }
        guard let made else { return .nothing }
        source.tellChanges()
        let event = damaged(made, by: delivery, turn.time, generation).moved(by: delivery.time - turn.time)
        let dueTime = turn.time + turn.latency + delivery.delay
        if delivery.delay > 0, dueTime > clock.now.nanoseconds { return .later(event, at: dueTime) }
        for _ in 0..<(delivery.isDoubled ? 2 : 1) {
            guard deliver(event, generation, turn.receiver) else { return .nothing }
        }
        return .nextMoment
    }

    /// The event as faults leave it; keeps its picture where one of the next may show it again.
    private func damaged(
        _ event: StreamEvent, by delivery: StreamScript.Delivery, _ time: Int64, _ generation: Int
    ) -> StreamEvent {
        let previous = state.withLock { $0.previous }
        let result = delivery.damage.applied(to: event, time: time, previous: previous, seed: faults.seed)
        guard case .video(let frame) = result, case .pixels(let picture) = frame.payload else { return result }
        let isWanted = faults.needsPreviousFrame
        state.withLock { state in
            guard state.generation == generation else { return }
            state.previous = isWanted || state.script.needsPreviousFrame ? picture : nil
        }
        return result
    }

    /// Delivers an event unless the stream has been stopped; false where it has.
    private func deliver(
        _ event: StreamEvent, _ generation: Int, _ receiver: any StreamReceiver
    ) -> Bool {
        guard state.withLock({ $0.generation == generation && $0.phase == .running }) else { return false }
        receiver.receive(event)
        return state.withLock { $0.generation == generation }
    }

    private func deliverFailure(_ error: DeviceError, time: CMTime, generation: Int) {
        gate.deliver { finish(error, time: time, generation: generation) }
    }

    /// The last event; the caller holds the gate.
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
        receiver.receive(.failed(error, time: time))
    }
}
