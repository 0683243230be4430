import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// The controls of an open camera, and the thread that hears of their changes.
final class V4L2Controls: Sendable {
    private struct State {
        var observers: [Int: @Sendable (DeviceControl, ControlValue) -> Void] = [:]
        var nextObserver = 0
        var monitor: Monitor?
        /// The modes as asked for: the drivers do not tell a locked loop from a custom value.
        var modes: [DeviceControl: Int64] = [:]
        var settings = FrameSettings()
        var isClosed = false
    }

    private struct Monitor {
        let thread: KernelThread
        let wake: KernelEvent
        let isStopped: Lock<Bool>
    }

    let ranges: [DeviceControl: ControlRange]
    private let translations: [DeviceControl: V4L2ControlTranslation]
    private let node: V4L2Node
    private let device: String
    private let state = Lock(State())

    init(_ node: V4L2Node, device: String) throws(KernelError) {
        self.node = node
        self.device = device
        translations = V4L2ControlTranslation.all(try V4L2Control.all(of: node))
        ranges = translations.mapValues(\.range)
        refreshSettings()
    }

    /// The settings that form the next pictures, as far as the client has fixed them.
    var settings: FrameSettings { state.withLock { $0.settings } }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        let translation = try translation(control)
        do {
            return try read(control, translation)
        } catch {
            throw DeviceError(error, device: device, "\(control.rawValue) could not be read")
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        let translation = try translation(control)
        guard translation.range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: device,
                "\(control.rawValue) cannot be \(value); it takes \(translation.range)")
        }
        for setting in translation.settings(value) {
            var raw = v4l2_control(id: setting.id, value: Int32(clamping: setting.value))
            do {
                try node.request(clinuxdevices_VIDIOC_S_CTRL, "VIDIOC_S_CTRL", &raw)
            } catch {
                switch error.number {
                case EINVAL, ERANGE, EACCES:
                    throw DeviceError(
                        .unsupportedControl, device: device,
                        "\(control.rawValue) cannot be set now: \(error); an automatic mode may hold it")
                default:
                    throw DeviceError(error, device: device, "\(control.rawValue) could not be set")
                }
            }
        }
        if case .integer(let mode) = value { state.withLock { $0.modes[control] = mode } }
        refreshSettings()
    }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        startMonitor()
        return Observation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// Ends all observations.
    func close() {
        let (monitor, observers) = state.withLock { state in
            defer {
                state.monitor = nil
                state.observers = [:]
                state.isClosed = true
            }
            return (state.monitor, state.observers)
        }
        withExtendedLifetime(observers) {}
        guard let monitor else { return }
        monitor.isStopped.withLock { $0 = true }
        monitor.wake.signal()
        monitor.thread.join()
    }

    // MARK: Private

    private func translation(_ control: DeviceControl) throws(DeviceError) -> V4L2ControlTranslation {
        guard let translation = translations[control] else {
            throw DeviceError(.unsupportedControl, device: device, "the camera has no \(control.rawValue)")
        }
        return translation
    }

    private func read(
        _ control: DeviceControl, _ translation: V4L2ControlTranslation
    ) throws(KernelError) -> ControlValue {
        var numbers: [Int64] = []
        for id in translation.ids {
            var raw = v4l2_control(id: id, value: 0)
            try node.request(clinuxdevices_VIDIOC_G_CTRL, "VIDIOC_G_CTRL", &raw)
            numbers.append(Int64(raw.value))
        }
        let value = translation.value(numbers)
        let isLocked = value == .integer(ControlMode.locked.rawValue)
        guard isLocked, [.focusMode, .exposureMode, .whiteBalanceMode].contains(control),
            state.withLock({ $0.modes[control] }) == ControlMode.custom.rawValue
        else { return value }
        return .integer(ControlMode.custom.rawValue)
    }

    /// Reads what every frame tells; a value that a loop is changing is not told, as it may be another already.
    private func refreshSettings() {
        func number(_ control: DeviceControl, unlessAutomatic mode: DeviceControl?) -> Double? {
            func current(_ control: DeviceControl) -> ControlValue? {
                // A control that cannot be read is one that the frame does not tell.
                translations[control].flatMap { try? read(control, $0) }
            }
            if let mode, current(mode) == .integer(ControlMode.continuousAuto.rawValue) { return nil }
            guard case .number(let number) = current(control) else { return nil }
            return number
        }
        let exposure = number(.exposureDuration, unlessAutomatic: .exposureMode)
        let settings = FrameSettings(
            exposureDuration: exposure.map { CMTime(nanoseconds: Int64($0 * 1_000_000_000)) },
            iso: number(.iso, unlessAutomatic: nil),
            lensPosition: number(.lensPosition, unlessAutomatic: .focusMode),
            zoomFactor: number(.zoomFactor, unlessAutomatic: nil),
            whiteBalanceKelvin: number(.whiteBalanceTemperature, unlessAutomatic: .whiteBalanceMode))
        state.withLock { $0.settings = settings }
    }

    private func startMonitor() {
        let needsOne = state.withLock { !$0.isClosed && $0.monitor == nil }
        guard needsOne else { return }
        for id in Set(translations.values.flatMap(\.ids)) {
            var subscription = v4l2_event_subscription()
            subscription.type = UInt32(V4L2_EVENT_CTRL)
            subscription.id = id
            // A driver that does not tell of a control leaves its clients to read it.
            try? node.request(clinuxdevices_VIDIOC_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT", &subscription)
        }
        // Without a thread, too, controls can still be read.
        guard let wake = try? KernelEvent(node.kernel) else { return }
        let isStopped = Lock(false)
        let node = node
        let thread = try? KernelThread(name: "v4l2 controls") { [weak self] in
            while !isStopped.withLock({ $0 }) {
                var waited = [
                    WaitedDescriptor(wake.descriptor, .readable), WaitedDescriptor(node.descriptor, .exceptional),
                ]
                guard (try? node.kernel.wait(&waited)) != nil else { return }
                if waited[1].came.contains(.failed) { return }
                guard waited[1].came.contains(.exceptional) else { continue }
                guard let self, self.deliverChanges() else { return }
            }
        }
        guard let thread else { return }
        let monitor = Monitor(thread: thread, wake: wake, isStopped: isStopped)
        let isKept = state.withLock { state in
            guard !state.isClosed, state.monitor == nil else { return false }
            state.monitor = monitor
            return true
        }
        if !isKept {
            isStopped.withLock { $0 = true }
            wake.signal()
        }
    }

    /// - Returns: False where the device is gone.
    private func deliverChanges() -> Bool {
        var changed: Set<UInt32> = []
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch {
                if error.number != ENOENT && error.number != EAGAIN { return false }
                break
            }
            if event.type == UInt32(V4L2_EVENT_CTRL), event.u.ctrl.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 {
                changed.insert(event.id)
            }
        }
        guard !changed.isEmpty else { return true }
        refreshSettings()
        for control in DeviceControl.allCases {
            guard let translation = translations[control], !changed.isDisjoint(with: translation.ids),
                let value = try? read(control, translation)  // Unreadable: nothing to tell.
            else { continue }
            for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) {
                observer.value(control, value)
            }
        }
        return true
    }
}
