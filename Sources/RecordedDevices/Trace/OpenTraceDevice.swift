import CaptureHAL
import MediaTypes

/// An opened device that returns the recorded results of a trace.
final class OpenTraceDevice: OpenDevice {
    private struct State {
        /// The current values of the controls that the trace contains.
        var values: [DeviceControl: ControlValue]
        /// The index of the next recorded call of each control.
        var cursors: [DeviceControl: Int] = [:]
        /// The indices of the opening's recorded streams that were returned.
        var usedStreams: Set<Int> = []
        /// The identifiers of the player's sequences of control changes.
        var sequences: [Int] = []
    }

    let controls: [DeviceControl: ControlRange]
    let device: TraceDevice
    private let opening: Trace.Opening
    private let trace: Trace
    private let observers = Observers<(DeviceControl, ControlValue)>()
    private let streams: DeviceStreams<TraceStream>
    private let state: Lock<State>

    init(_ device: TraceDevice, _ number: Int) {
        self.device = device
        trace = device.trace
        opening = trace.openings[number]
        controls = opening.controls
        streams = DeviceStreams(device: device.descriptor.uniqueID)
        state = Lock(State(values: opening.initialValues), order: .openDevice)
        let openingIndex = trace.events.firstIndex { event in
            if case .open(_, .success(number)) = event.content { true } else { false }
        }
        if let openingIndex { playControlChanges(after: openingIndex) }
    }

    deinit { close() }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try requireOpen()
        guard controls[control] != nil || opening.calls[control] != nil else {
            throw device.notInTrace(
                .unsupportedControl, "the control \(control.rawValue)", available: availableControls)
        }
        let result = state.withLock { state -> TraceResult<ControlValue>? in
            let cursor = state.cursors[control] ?? 0
            guard let calls = opening.calls[control], cursor < calls.count, case .value(let result) = calls[cursor]
            else {
                return state.values[control].map { .success($0) }
            }
            state.cursors[control] = cursor + 1
            if case .success(let value) = result { state.values[control] = value }
            return result
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw error
        case nil:
            throw device.notInTrace(
                .unsupportedControl, "value(of: \(control.rawValue))", available: "no value of that control")
        }
    }

    /// Returns the current value of a control; nil if it is unknown. Unlike `value(of:)`, this does not advance to the
    /// next recorded result.
    func currentValue(of control: DeviceControl) -> ControlValue? { state.withLock { $0.values[control] } }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try requireOpen()
        guard controls[control] != nil || opening.calls[control] != nil else {
            throw device.notInTrace(
                .unsupportedControl, "the control \(control.rawValue)", available: availableControls)
        }
        let calls = opening.calls[control] ?? []
        let result = state.withLock { state -> TraceResult<Void>? in
            let cursor = min(state.cursors[control] ?? 0, calls.count)
            // The next matching call, or an earlier one if there is none.
            for index in Array(cursor..<calls.count) + Array(0..<cursor) {
                guard case .set(value, let result) = calls[index] else { continue }
                state.cursors[control] = index + 1
                if result.isSuccess { state.values[control] = value }
                return result
            }
            return state.values[control] == value ? .success(()) : nil
        }
        switch result {
        case .success: return
        case .failure(let error): throw error
        case nil:
            var available: [String] = []
            for case .set(let other, _) in calls where !available.contains(other.traceText) {
                available.append(other.traceText)
            }
            throw device.notInTrace(
                .unsupportedControl, "set(\(control.rawValue), to: \(value.traceText))",
                available: available.isEmpty
                    ? "no setting of that control" : "settings to \(available.joined(separator: ", "))")
        }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        observers.add { handler($0.0, $0.1) }
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try requireOpen()
        let number = try recordedStream(for: configuration)
        return try streams.replace(configuration.format.media) { TraceStream(number, configuration, of: self) }
    }

    func captureStill(_ request: StillRequest) throws(DeviceError) {
        try requireOpen()
        guard let stream = streams.current.first(where: { $0.configuration.format.media == .video }) else {
            throw DeviceError(
                .invalidState, device: device.descriptor.uniqueID, "stills need a running stream; start it first")
        }
        try stream.addStill(request)
    }

    func close() {
        guard streams.close() else { return }
        let sequences = state.withLock { state in
            defer { state.sequences = [] }
            return state.sequences
        }
        for sequence in sequences { device.player.cancel(sequence) }
        device.didClose()
    }

    /// Schedules the recorded changes of controls that followed a call.
    ///
    /// - Parameter call: The index of the start or opening in the trace.
    func playControlChanges(after call: Int) {
        let changes = (trace.followingEvents[call] ?? []).filter { event in
            if case .changed = trace.events[event].content { true } else { false }
        }
        guard !changes.isEmpty else { return }
        let offset = device.clock.now.nanoseconds - trace.events[call].time
        let sequence = device.player.play(changes, offset: offset) { [weak self] event in
            guard let self, case .changed(_, let control, let value) = trace.events[event].content else { return }
            state.withLock { $0.values[control] = value }
            observers.notify((control, value))
        }
        state.withLock { $0.sequences.append(sequence) }
    }

    // MARK: Private

    private func requireOpen() throws(DeviceError) {
        try streams.checkOpen()
        guard device.isConnected else {
            throw DeviceError(
                .disconnected, device: device.descriptor.uniqueID, "the device has been disconnected in the trace")
        }
    }

    private var availableControls: String {
        controls.isEmpty
            ? "no controls of this device"
            : "the controls \(controls.keys.map(\.rawValue).sorted().joined(separator: ", "))"
    }

    /// Returns the number of the recorded stream for a configuration.
    ///
    /// It is the next matching stream of this opening. If there is none, it is any matching stream of the device.
    private func recordedStream(for configuration: StreamConfiguration) throws(DeviceError) -> Int {
        let formats = trace.devices[device.number].formats
        func matches(_ other: TraceConfiguration) -> Bool {
            guard formats[other.format] == configuration.format else { return false }
            // The chunk duration of audio is only a preference.
            if case .audio = configuration.format { return true }
            // Recorded depth data can be omitted, but depth data that was not recorded cannot be delivered.
            guard configuration.depth == nil || other.depth == configuration.depth else { return false }
            return other.frameDuration == configuration.frameDuration
        }
        let recorded = state.withLock { state -> TraceResult<Int>? in
            for (index, stream) in opening.streams.enumerated()
            where matches(stream.configuration) && state.usedStreams.insert(index).inserted {
                return stream.result
            }
            return nil
        }
        switch recorded {
        case .success(let number): return number
        case .failure(let error): throw error
        case nil: break
        }
        let others = opening.streams + trace.openings.filter { $0.device == device.number }.flatMap(\.streams)
        for case (let other, .success(let number)) in others where matches(other) { return number }
        var available: [String] = []
        for (other, result) in others where result.isSuccess {
            let text = other.summary(formats[other.format])
            if !available.contains(text) { available.append(text) }
        }
        let requested = TraceConfiguration(
            format: 0, frameDuration: configuration.frameDuration, bufferCount: configuration.bufferCount,
            depth: configuration.depth)
        throw device.notInTrace(
            .unsupportedFormat, "makeStream of \(requested.summary(configuration.format))",
            available: available.isEmpty
                ? "no stream of this device" : "streams of \(available.joined(separator: "; "))")
    }
}

extension TraceConfiguration {
    /// Returns a short description such as `1280x720 420v every 1/30 s`.
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
