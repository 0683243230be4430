import CaptureHAL
import MediaTypes
import ThreeA

/// Carries out what `AutomaticModes` decide.
///
/// - Important: Thread-safe.
final class AutomaticEngine: Sendable {
    private let device: any OpenDevice
    private let modes: Lock<AutomaticModes>
    private let isClosed = Lock(false)
    private let worker: any ClockWorker
    private let observers = Observers<AutomaticModes.Change>()

    init(_ device: any OpenDevice, _ modes: AutomaticModes, _ clock: any CaptureClock) {
        self.device = device
        self.modes = Lock(modes)
        worker = clock.makeWorker(label: "obscura.threea")
    }

    /// The controls that come with the loops.
    var ranges: [DeviceControl: ControlRange] { modes.withLock(\.ranges) }

    func value(of control: DeviceControl) -> ControlValue? { modes.withLock { $0.value(of: control) } }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        observers.add { handler($0.control, $0.value) }
    }

    /// Sets a control of the loops, in its range.
    func set(_ control: DeviceControl, to value: ControlValue) {
        let (changes, writes) = modes.withLock { modes in (modes.set(control, to: value), modes.takeWrites()) }
        tell(changes)
        submit(writes)
    }

    /// Sets a control of the device.
    func setByHand(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        guard device.controls[control]?.contains(value) == true else {
            // The device says what is wrong.
            return try device.set(control, to: value)
        }
        // First of all, so that no loop writes after the client.
        let (before, changes) = modes.withLock { modes in (modes, modes.set(control, to: value)) }
        do throws(DeviceError) {
            try device.set(control, to: value)
        } catch {
            modes.withLock { $0.restore(before) }
            throw error
        }
        tell(changes)
    }

    /// A stream starts, or no more frames come.
    func streamChanged() { tell(modes.withLock { $0.streamChanged() }) }

    /// What is to be measured in the frame that came.
    func frameCame(_ frameSeconds: Double) -> AutomaticModes.Measure? {
        modes.withLock { $0.frameCame(frameSeconds: frameSeconds) }
    }

    func answer(_ statistics: FrameStatistics, _ frameSeconds: Double) {
        let (writes, changes) = modes.withLock { $0.answer(statistics, frameSeconds: frameSeconds) }
        tell(changes)
        submit(writes)
    }

    private func submit(_ writes: [AutomaticModes.Write]) {
        guard !writes.isEmpty else { return }
        worker.submit { [self] in for write in writes { perform(write) } }
    }

    func close() { isClosed.withLock { $0 = true } }

    private func perform(_ write: AutomaticModes.Write) {
        var value: ControlValue?
        if !isClosed.withLock({ $0 }), modes.withLock({ $0.isWanted(write) }) {
            do throws(DeviceError) {
                try device.set(write.control, to: write.value)
                // Drivers round; one that does not tell is taken at its word.
                value =
                    write.control == .lensPosition ? write.value : (try? device.value(of: write.control)) ?? write.value
            } catch {
                // The loop sees that nothing changed, and tries again.
            }
        }
        let (changes, again) = modes.withLock { $0.finished(write, value: value) }
        // A device that refuses this refused it to the client, too.
        if let again { try? device.set(write.control, to: again) }
        tell(changes)
    }

    private func tell(_ changes: [AutomaticModes.Change]) {
        for change in changes { observers.notify(change) }
    }
}
