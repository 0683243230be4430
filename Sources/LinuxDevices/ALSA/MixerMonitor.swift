import CaptureHAL
import Glibc
import MediaTypes

/// Monitors the changes of a card's mixer by this or other programs.
///
/// - Important: Thread-safe. The first observer starts a thread.
final class MixerMonitor: Sendable {
    private typealias Observer = @Sendable (DeviceControl, ControlValue) -> Void

    private struct State {
        var observers: [Int: Observer] = [:]
        var nextObserver = 0
        /// Whether a thread was started, or is being started.
        var isStarted = false
        var thread: MonitorThread?
        var isClosed = false
        /// The values last reported to the observers.
        var reported: [DeviceControl: ControlValue] = [:]
        /// The number of changes by the client that are in progress; these are not reported.
        var clientChangeCount = 0
        /// Whether the mixer changed while the client changed it.
        var hasPendingChanges = false
    }

    private let mixer: any CaptureMixer
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let device: String
    private let readValues: @Sendable () -> [DeviceControl: ControlValue]
    private let state = Lock(State())

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - clock: The clock of the delay after an error.
    ///   - device: The unique ID of the microphone, for the log.
    ///   - readValues: Reads the mixer's controls; a control that cannot be read is missing.
    init(
        _ mixer: any CaptureMixer, kernel: any KernelCalls, clock: any CaptureClock, device: String,
        readValues: @escaping @Sendable () -> [DeviceControl: ControlValue]
    ) {
        self.mixer = mixer
        self.kernel = kernel
        self.clock = clock
        self.device = device
        self.readValues = readValues
    }

    deinit { close() }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            if !state.isClosed { state.observers[state.nextObserver] = handler }
            return state.nextObserver
        }
        start()
        return ObserverToken { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// Performs a change by the client, which is not reported to observers.
    func change(_ control: DeviceControl, _ body: () throws(KernelError) -> Void) throws(KernelError) {
        state.withLock { $0.clientChangeCount += 1 }
        defer { finishChange(of: control) }
        try body()
    }

    /// Ends all observations.
    func close() {
        let (thread, observers) = state.withLock { state in
            defer {
                state.isClosed = true
                state.observers = [:]
                state.thread = nil
            }
            return (state.thread, state.observers)
        }
        withExtendedLifetime(observers) {}
        thread?.stop()
    }

    // MARK: Private

    private func start() {
        guard !state.withLock({ $0.isClosed || $0.isStarted }) else { return }
        let initialValues = readValues()
        let isFirst = state.withLock { state in
            guard !state.isClosed, !state.isStarted else { return false }
            state.isStarted = true
            state.reported = initialValues
            return true
        }
        guard isFirst else { return }
        do throws(KernelError) {
            let thread = try MonitorThread(name: "alsa mixer", kernel: kernel, clock: clock) {
                [weak self, mixer] wake throws(KernelError) in
                do throws(KernelError) {
                    try mixer.waitForChange(wake.descriptor)
                } catch {
                    // The card was disconnected, which a stream detects itself.
                    if error.number == ENODEV { return false }
                    throw error
                }
                wake.reset()
                guard let self else { return false }
                deliverChanges()
                return true
            }
            let isClosed = state.withLock { state in
                if !state.isClosed { state.thread = thread }
                return state.isClosed
            }
            if isClosed { thread.stop() }
        } catch {
            // The mixer can still be read, and the next observer tries again.
            state.withLock { $0.isStarted = false }
            CaptureSystem.log("changes of the mixer of \(device) are not observed: \(error)")
        }
    }

    private func finishChange(of control: DeviceControl) {
        // The hardware may have rounded the value.
        let currentValue = readValues()[control]
        let hasPendingChanges = state.withLock { state in
            state.reported[control] = currentValue
            state.clientChangeCount -= 1
            guard state.clientChangeCount == 0 else { return false }
            defer { state.hasPendingChanges = false }
            return state.hasPendingChanges
        }
        if hasPendingChanges { deliverChanges() }
    }

    private func deliverChanges() {
        let currentValues = readValues()
        let (changes, observers) = state.withLock { state -> ([DeviceControl: ControlValue], [Observer]) in
            guard state.clientChangeCount == 0 else {
                state.hasPendingChanges = true
                return ([:], [])
            }
            let changes = currentValues.filter { state.reported[$0.key] != $0.value }
            state.reported.merge(changes) { _, new in new }
            return (changes, state.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        for (control, value) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for observer in observers { observer(control, value) }
        }
    }
}
