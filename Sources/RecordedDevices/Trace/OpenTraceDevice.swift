import CaptureHAL
import MediaTypes

/// A device of a trace in the hands of one client.
final class OpenTraceDevice: OpenDevice {
    private struct State {
        /// What each control stands at, as far as the trace tells.
        var values: [DeviceControl: ControlValue]
        /// The place among the recorded calls about each control.
        var cursors: [DeviceControl: Int] = [:]
        var usedStreams: Set<Int> = []
        /// The last stream of each medium.
        var streams: [DeviceMedia: WeakTraceStream] = [:]
        var isClosed = false
        /// What plays changes of controls.
        var sequences: [Int] = []
    }

    let controls: [DeviceControl: ControlRange]
    let device: TraceDevice
    private let opening: Trace.Opening
    private let trace: Trace
    private let observers = Observers<(DeviceControl, ControlValue)>()
    private let state: Lock<State>

    init(_ device: TraceDevice, _ number: Int) {
        self.device = device
        trace = device.trace
        opening = trace.openings[number]
        controls = opening.controls
        state = Lock(State(values: opening.initialValues), order: .openDevice)
        let anchor = trace.events.firstIndex { event in
            if case .open(_, .success(number)) = event.content { true } else { false }
        }
        if let anchor { playChanges(after: anchor) }
    }

    deinit { close() }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try requireOpen()
        guard controls[control] != nil || opening.calls[control] != nil else {
            throw device.refusal(.unsupportedControl, "the control \(control.rawValue)", heldControls)
        }
        let answer = state.withLock { state -> TraceAnswer<ControlValue>? in
            let cursor = state.cursors[control] ?? 0
            guard let calls = opening.calls[control], cursor < calls.count, case .value(let answer) = calls[cursor]
            else {
                return state.values[control].map { .success($0) }
            }
            state.cursors[control] = cursor + 1
            if case .success(let value) = answer { state.values[control] = value }
            return answer
        }
        switch answer {
        case .success(let value): return value
        case .failure(let error): throw error
        case nil:
            throw device.refusal(.unsupportedControl, "value(of: \(control.rawValue))", "no value of that control")
        }
    }

    /// The value that a control has now, without using up a recorded answer; nil where none is known.
    func presentValue(of control: DeviceControl) -> ControlValue? { state.withLock { $0.values[control] } }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try requireOpen()
        guard controls[control] != nil || opening.calls[control] != nil else {
            throw device.refusal(.unsupportedControl, "the control \(control.rawValue)", heldControls)
        }
        let calls = opening.calls[control] ?? []
        let answer = state.withLock { state -> TraceAnswer<Void>? in
            let cursor = min(state.cursors[control] ?? 0, calls.count)
            // The next such request, or else an earlier one again.
            for index in Array(cursor..<calls.count) + Array(0..<cursor) {
                guard case .set(value, let answer) = calls[index] else { continue }
                state.cursors[control] = index + 1
                if answer.isSuccess { state.values[control] = value }
                return answer
            }
            return state.values[control] == value ? .success(()) : nil
        }
        switch answer {
        case .success: return
        case .failure(let error): throw error
        case nil:
            var held: [String] = []
            for case .set(let other, _) in calls where !held.contains(other.traceText) { held.append(other.traceText) }
            throw device.refusal(
                .unsupportedControl, "set(\(control.rawValue), to: \(value.traceText))",
                held.isEmpty ? "no setting of that control" : "settings to \(held.joined(separator: ", "))")
        }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        observers.add { handler($0.0, $0.1) }
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try requireOpen()
        let number = try choose(configuration)
        let stream = TraceStream(number, configuration, of: self)
        let old = try state.withLock { state throws(DeviceError) -> TraceStream? in
            let old = state.streams[configuration.format.media]?.stream
            guard old?.isRunning != true else {
                throw DeviceError(
                    .busy, device: device.descriptor.uniqueID, "the device streams already; stop that stream first")
            }
            state.streams[configuration.format.media] = WeakTraceStream(stream)
            return old
        }
        old?.retire()
        return stream
    }

    func close() {
        let (streams, sequences, isFirst) = state.withLock { state in
            defer {
                state.isClosed = true
                state.sequences = []
            }
            return (state.streams.values.compactMap(\.stream), state.sequences, !state.isClosed)
        }
        guard isFirst else { return }
        for stream in streams { stream.retire() }
        for sequence in sequences { device.player.cancel(sequence) }
        device.didClose()
    }

    /// Lets follow what the device's controls did by themselves after a call.
    func playChanges(after anchor: Int) {
        let changes = (trace.consequences[anchor] ?? []).filter { event in
            if case .changed = trace.events[event].content { true } else { false }
        }
        guard !changes.isEmpty else { return }
        let offset = device.clock.now.nanoseconds - trace.events[anchor].time
        let sequence = device.player.play(changes, offset: offset) { [weak self] event in
            guard let self, case .changed(_, let control, let value) = trace.events[event].content else { return }
            state.withLock { $0.values[control] = value }
            observers.notify((control, value))
        }
        state.withLock { $0.sequences.append(sequence) }
    }

    // MARK: Private

    private func requireOpen() throws(DeviceError) {
        if state.withLock({ $0.isClosed }) {
            throw DeviceError(.invalidState, device: device.descriptor.uniqueID, "the device is closed; open it again")
        }
        guard device.isConnected else {
            throw DeviceError(
                .disconnected, device: device.descriptor.uniqueID, "the device has been disconnected in the trace")
        }
    }

    private var heldControls: String {
        controls.isEmpty
            ? "no controls of this device"
            : "the controls \(controls.keys.map(\.rawValue).sorted().joined(separator: ", "))"
    }

    /// The recorded stream that answers a configuration: the next one of this opening, or one that worked again, also of
    /// other openings of the device.
    private func choose(_ configuration: StreamConfiguration) throws(DeviceError) -> Int {
        let formats = trace.devices[device.number].formats
        func matches(_ other: TraceConfiguration) -> Bool {
            guard formats[other.format] == configuration.format else { return false }
            // For sound the duration is a wish only.
            if case .audio = configuration.format { return true }
            // Depth that nobody asks for can be left out; what was not recorded cannot be made.
            guard configuration.depth == nil || other.depth == configuration.depth else { return false }
            return other.frameDuration == configuration.frameDuration
        }
        let own = state.withLock { state -> TraceAnswer<Int>? in
            for (index, stream) in opening.streams.enumerated()
            where matches(stream.configuration) && state.usedStreams.insert(index).inserted {
                return stream.answer
            }
            return nil
        }
        switch own {
        case .success(let number): return number
        case .failure(let error): throw error
        case nil: break
        }
        let others = opening.streams + trace.openings.filter { $0.device == device.number }.flatMap(\.streams)
        for case (let other, .success(let number)) in others where matches(other) { return number }
        var held: [String] = []
        for (other, answer) in others where answer.isSuccess {
            let text = other.summary(formats[other.format])
            if !held.contains(text) { held.append(text) }
        }
        let asked = TraceConfiguration(
            format: 0, frameDuration: configuration.frameDuration, bufferCount: configuration.bufferCount,
            depth: configuration.depth)
        throw device.refusal(
            .unsupportedFormat, "makeStream of \(asked.summary(configuration.format))",
            held.isEmpty ? "no stream of this device" : "streams of \(held.joined(separator: "; "))")
    }
}

/// A stream as its device sees it: the client keeps it.
struct WeakTraceStream: Sendable {
    weak let stream: TraceStream?

    init(_ stream: TraceStream?) { self.stream = stream }
}

extension TraceConfiguration {
    /// In a few words: `1280x720 420v every 1/30 s`.
    func summary(_ format: StreamFormat) -> String {
        switch format {
        case .video(let video):
            let code =
                switch video.encoding {
                case .pixels(let code), .compressed(let code): TraceCode(code).traceText
                }
            let maps = depth.map { " with depth \($0.format.traceText) every \($0.frameDuration.traceText) s" } ?? ""
            return "\(video.dimensions.traceText) \(code) every \(frameDuration.traceText) s\(maps)"
        case .audio(let audio):
            return "\(audio.sampleRate) Hz, \(audio.channelCount) channels, \(audio.sample.rawValue)"
        }
    }
}
