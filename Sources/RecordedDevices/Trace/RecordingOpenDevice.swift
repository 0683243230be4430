import CaptureHAL
import MediaTypes

/// An opened device that records its calls in a trace.
final class RecordingOpenDevice: OpenDevice {
    private struct State {
        /// The ranges that the trace contains.
        var ranges: [DeviceControl: ControlRange] = [:]
        var observation: ObserverToken?
        var isClosed = false
    }

    let number: Int
    private let base: any OpenDevice
    private let device: RecordingDevice
    private let journal: TraceJournal
    private let observers = Observers<(DeviceControl, ControlValue)>()
    private let state = Lock(State())

    init(_ base: any OpenDevice, of device: RecordingDevice, _ journal: TraceJournal) {
        self.base = base
        self.device = device
        self.journal = journal
        number = journal.nextOpening()
        journal.record(.open(device: device.number, .success(number)))
        recordRanges(base.controls)
        let (number, observers) = (number, observers)
        let observation = base.observeControls { control, value in
            journal.record(.changed(open: number, control, value))
            observers.notify((control, value))
        }
        state.withLock { $0.observation = observation }
    }

    deinit { close() }

    var controls: [DeviceControl: ControlRange] {
        let controls = base.controls
        recordRanges(controls)
        return controls
    }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        do throws(DeviceError) {
            let value = try base.value(of: control)
            journal.record(.value(open: number, control, .success(value)))
            return value
        } catch {
            journal.record(.value(open: number, control, .failure(error)))
            throw error
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        do throws(DeviceError) {
            try base.set(control, to: value)
            journal.record(.set(open: number, control, value, .success(())))
        } catch {
            journal.record(.set(open: number, control, value, .failure(error)))
            throw error
        }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        observers.add { handler($0.0, $0.1) }
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        let requested = TraceConfiguration(
            format: device.number(of: configuration.format), frameDuration: configuration.frameDuration,
            bufferCount: configuration.bufferCount, depth: configuration.depth)
        do throws(DeviceError) {
            let stream = RecordingStream(
                try base.makeStream(configuration), journal.nextStream(), journal)
            journal.record(.stream(open: number, requested, .success(stream.number)))
            recordRanges(base.controls)
            return stream
        } catch {
            journal.record(.stream(open: number, requested, .failure(error)))
            throw error
        }
    }

    func captureStill(_ request: StillRequest) throws(DeviceError) {
        journal.willCapture(request)
        try base.captureStill(request)
    }

    func close() {
        let (observation, wasClosed) = state.withLock { state in
            defer {
                state.isClosed = true
                state.observation = nil
            }
            return (state.observation, state.isClosed)
        }
        base.close()
        observation?.cancel()
        if !wasClosed { journal.record(.close(number)) }
    }

    /// Records ranges that are new or have changed.
    private func recordRanges(_ ranges: [DeviceControl: ControlRange]) {
        let changes = state.withLock { state in
            let changed = ranges.filter { state.ranges[$0.key] != $0.value }
            let isFirst = state.ranges.isEmpty
            state.ranges = ranges
            return changed.map { (control: $0.key, range: $0.value, isFirst: isFirst) }
        }
        for entry in changes.sorted(by: { $0.control.rawValue < $1.control.rawValue }) {
            let value = entry.isFirst ? currentValue(of: entry.control) : nil
            journal.record(.control(open: number, entry.control, entry.range, value))
        }
    }

    /// Returns the value of a control; nil if it cannot be read, so that the trace does not contain it.
    private func currentValue(of control: DeviceControl) -> ControlValue? {
        // Reading a control of a played trace would consume a result that was recorded for the client.
        if let played = base as? OpenTraceDevice { return played.currentValue(of: control) }
        return try? base.value(of: control)
    }
}
