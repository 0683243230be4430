import CaptureHAL
import MediaTypes
import ThreeA

/// Performs the decisions of `AutomaticModes` on a device, and reports the changes to observers.
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

    /// The controls that the loops add.
    var ranges: [DeviceControl: ControlRange] { modes.withLock(\.ranges) }

    func value(of control: DeviceControl) -> ControlValue? { modes.withLock { $0.value(of: control) } }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        observers.add { handler($0.control, $0.value) }
    }

    /// Sets a control that the loops add, to a value in its range.
    func set(_ control: DeviceControl, to value: ControlValue) {
        let (changes, writes) = modes.withLock { modes in (modes.set(control, to: value), modes.dequeueWrites()) }
        notify(changes)
        submit(writes)
    }

    /// Sets a control of the device.
    func setManually(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        guard device.controls[control]?.contains(value) == true else {
            // The device throws the appropriate error.
            return try device.set(control, to: value)
        }
        // The mode changes before the write. Otherwise a loop could write after the client.
        let (before, changes) = modes.withLock { modes in (modes, modes.set(control, to: value)) }
        do throws(DeviceError) {
            try device.set(control, to: value)
        } catch {
            modes.withLock { $0.restore(before) }
            throw error
        }
        notify(changes)
    }

    /// Called when a stream has stopped, failed or ended.
    func streamEnded() { notify(modes.withLock { $0.streamEnded() }) }

    /// Counts a frame, and returns the measurements that the loops need from it; nil for none.
    func frameReceived(_ frameSeconds: Double) -> AutomaticModes.Measurement? {
        modes.withLock { $0.frameReceived(frameSeconds: frameSeconds) }
    }

    /// Processes the statistics of a measured frame.
    func process(_ statistics: FrameStatistics, _ frameSeconds: Double) {
        let (writes, changes) = modes.withLock { $0.process(statistics, frameSeconds: frameSeconds) }
        notify(changes)
        submit(writes)
    }

    private func submit(_ writes: [AutomaticModes.Write]) {
        guard !writes.isEmpty else { return }
        worker.submit { [self] in for write in writes { perform(write) } }
    }

    /// Ends the writes of the loops.
    ///
    /// - Returns: The client's settings of the added controls; nil if the engine was closed before.
    func close() -> [DeviceControl: ControlValue]? {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        return wasClosed ? nil : modes.withLock(\.settings)
    }

    private func perform(_ write: AutomaticModes.Write) {
        var value: ControlValue?
        if !isClosed.withLock({ $0 }), modes.withLock({ $0.isValid(write) }) {
            do throws(DeviceError) {
                try device.set(write.control, to: write.value)
                // Drivers may round the value. If it cannot be read back, it is assumed to be exact.
                value =
                    write.control == .lensPosition ? write.value : (try? device.value(of: write.control)) ?? write.value
            } catch {
                // The loop detects that nothing changed, and tries again.
            }
        }
        let (changes, valueToRestore) = modes.withLock { $0.didFinish(write, value: value) }
        // If the device rejects this value, the client has already received the error.
        if let valueToRestore { try? device.set(write.control, to: valueToRestore) }
        notify(changes)
    }

    private func notify(_ changes: [AutomaticModes.Change]) {
        for change in changes { observers.notify(change) }
    }
}
