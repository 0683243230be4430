import CaptureHAL
import MediaTypes

/// An opened device whose calls are taken down.
final class RecordingOpenDevice: OpenDevice {
    private struct State {
        /// The ranges that the trace tells.
        var ranges: [DeviceControl: ControlRange] = [:]
        var observation: Observation?
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
        journal.note(.open(device: device.number, .success(number)))
        noteRanges(base.controls)
        let (number, observers) = (number, observers)
        let observation = base.observeControls { control, value in
            journal.note(.changed(open: number, control, value))
            observers.notify((control, value))
        }
        state.withLock { $0.observation = observation }
    }

    deinit { close() }

    var controls: [DeviceControl: ControlRange] {
        let controls = base.controls
        noteRanges(controls)
        return controls
    }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        do throws(DeviceError) {
            let value = try base.value(of: control)
            journal.note(.value(open: number, control, .success(value)))
            return value
        } catch {
            journal.note(.value(open: number, control, .failure(error)))
            throw error
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        do throws(DeviceError) {
            try base.set(control, to: value)
            journal.note(.set(open: number, control, value, .success(())))
        } catch {
            journal.note(.set(open: number, control, value, .failure(error)))
            throw error
        }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        observers.add { handler($0.0, $0.1) }
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        let asked = TraceConfiguration(
            format: device.number(of: configuration.format), frameDuration: configuration.frameDuration,
            bufferCount: configuration.bufferCount, depth: configuration.depth)
        do throws(DeviceError) {
            let stream = RecordingStream(
                try base.makeStream(configuration), journal.nextStream(), journal)
            journal.note(.stream(open: number, asked, .success(stream.number)))
            noteRanges(base.controls)
            return stream
        } catch {
            journal.note(.stream(open: number, asked, .failure(error)))
            throw error
        }
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
        if !wasClosed { journal.note(.close(number)) }
    }

    /// Tells ranges that are new or other than before.
    private func noteRanges(_ ranges: [DeviceControl: ControlRange]) {
        let news = state.withLock { state in
            let news = ranges.filter { state.ranges[$0.key] != $0.value }
            let isFirst = state.ranges.isEmpty
            state.ranges = ranges
            return news.map { (control: $0.key, range: $0.value, isFirst: isFirst) }
        }
        for entry in news.sorted(by: { $0.control.rawValue < $1.control.rawValue }) {
            let value = entry.isFirst ? presentValue(of: entry.control) : nil
            journal.note(.control(open: number, entry.control, entry.range, value))
        }
    }

    /// The value that a control has; nil where it cannot be read now, and is simply not known.
    private func presentValue(of control: DeviceControl) -> ControlValue? {
        // A trace that is played keeps its answers for the client's own questions.
        if let played = base as? OpenTraceDevice { return played.presentValue(of: control) }
        return try? base.value(of: control)
    }
}
