import CaptureHAL
import Glibc
import MediaTypes

/// Hears of changes of a card's mixer, by whoever made them.
///
/// - Important: Thread-safe. A thread of its own runs from the first observer on.
final class MixerMonitor: Sendable {
    private typealias Observer = @Sendable (DeviceControl, ControlValue) -> Void

    private struct State {
        var observers: [Int: Observer] = [:]
        var nextObserver = 0
        var thread: KernelThread?
        var wake: KernelEvent?
        var isClosed = false
        /// What the observers know.
        var told: [DeviceControl: ControlValue] = [:]
        /// The client's own changes that are under way; they are not told.
        var ownCount = 0
        /// Whether something changed meanwhile.
        var isBehind = false
    }

    private let mixer: any CaptureMixer
    private let kernel: any KernelCalls
    private let values: @Sendable () -> [DeviceControl: ControlValue]
    private let state = Lock(State())

    /// - Parameter values: Reads the controls that the mixer has.
    init(
        _ mixer: any CaptureMixer, kernel: any KernelCalls,
        values: @escaping @Sendable () -> [DeviceControl: ControlValue]
    ) {
        self.mixer = mixer
        self.kernel = kernel
        self.values = values
    }

    deinit { close() }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            if !state.isClosed { state.observers[state.nextObserver] = handler }
            return state.nextObserver
        }
        start()
        return Observation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// Makes a change of the client's own, of which its observers are not told.
    func change(_ control: DeviceControl, _ body: () throws(KernelError) -> Void) throws(KernelError) {
        state.withLock { $0.ownCount += 1 }
        defer { finishChange(of: control) }
        try body()
    }

    /// Ends all observations.
    func close() {
        let (thread, wake, observers) = state.withLock { state in
            defer {
                state.isClosed = true
                state.observers = [:]
                (state.thread, state.wake) = (nil, nil)
            }
            return (state.thread, state.wake, state.observers)
        }
        withExtendedLifetime(observers) {}
        wake?.signal()
        thread?.join()
    }

    // MARK: Private

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func start() {
        let isFirst = state.withLock { !$0.isClosed && $0.wake == nil }
        // Without a thread the mixer can still be read.
        guard isFirst, let wake = try? KernelEvent(kernel) else { return }
        let known = values()
        let isKept = state.withLock { state in
            guard !state.isClosed, state.wake == nil else { return false }
            state.wake = wake
            state.told = known
            return true
        }
        guard isKept else { return }
        let mixer = mixer
        let thread = try? KernelThread(name: "alsa mixer") { [weak self] in
            while self?.isClosed == false {
                // A card that is gone changes no more; the stream finds out by itself.
                guard (try? mixer.waitForChange(wake.descriptor)) != nil else { return }
                self?.deliverChanges()
            }
        }
        let isLate = state.withLock { state in
            if !state.isClosed { state.thread = thread }
            return state.isClosed
        }
        if isLate {
            wake.signal()
            thread?.join()
        }
    }

    private func finishChange(of control: DeviceControl) {
        // The hardware may have taken the nearest of its steps.
        let now = values()[control]
        let isBehind = state.withLock { state in
            state.told[control] = now
            state.ownCount -= 1
            guard state.ownCount == 0 else { return false }
            defer { state.isBehind = false }
            return state.isBehind
        }
        if isBehind { deliverChanges() }
    }

    private func deliverChanges() {
        let now = values()
        let (changes, observers) = state.withLock { state -> ([DeviceControl: ControlValue], [Observer]) in
            guard state.ownCount == 0 else {
                state.isBehind = true
                return ([:], [])
            }
            let changes = now.filter { state.told[$0.key] != $0.value }
            state.told.merge(changes) { _, new in new }
            return (changes, state.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        for (control, value) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for observer in observers { observer(control, value) }
        }
    }
}
