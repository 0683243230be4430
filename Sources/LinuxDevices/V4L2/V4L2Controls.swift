import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// The controls of an open camera, and the thread that monitors their changes.
final class V4L2Controls: Sendable {
    private struct State {
        /// The last reported descriptions of the driver's controls, and their translations.
        var controls: [UInt32: V4L2Control]
        var translations: [DeviceControl: V4L2ControlTranslation]
        var observers: [Int: @Sendable (DeviceControl, ControlValue) -> Void] = [:]
        var nextObserver = 0
        var monitor: MonitorThread?
        /// The modes that the client set: drivers do not distinguish a locked loop from a custom value.
        var modes: [DeviceControl: Int64] = [:]
        var settings = FrameSettings()
        /// Whether the capture thread of a stream checks for changes instead of the monitor thread.
        var isMonitoredByStream = false
        /// The changes that the capture thread found and the monitor thread has not delivered.
        var pending = Changes()
        var isClosed = false
    }

    /// The IDs of the controls that the driver reported as changed.
    private struct Changes {
        /// The controls with a changed value.
        var values: Set<UInt32> = []
        /// The controls with a changed range or changed flags.
        var descriptions: Set<UInt32> = []

        var isEmpty: Bool { values.isEmpty && descriptions.isEmpty }
    }

    private let node: V4L2Node
    private let clock: any CaptureClock
    private let tuner: V4L2Tuner?
    private let device: String
    private let state: Lock<State>
    /// The ID of the switch for automatic ISO.
    private static let automaticISO = UInt32(bitPattern: V4L2_CID_ISO_SENSITIVITY_AUTO)

    init(_ node: V4L2Node, clock: any CaptureClock, device: String) throws(KernelError) {
        self.node = node
        self.clock = clock
        self.device = device
        tuner = try V4L2Tuner(node)
        let controls = try V4L2Control.all(of: node)
        let translations = V4L2ControlTranslation.all(controls)
        state = Lock(State(controls: controls, translations: translations))
        subscribe()
        refreshSettings()
    }

    /// The current ranges; updated when the driver reports a change.
    var ranges: [DeviceControl: ControlRange] {
        processPendingChanges()
        var ranges = state.withLock { $0.translations.mapValues(\.range) }
        if let tuner {
            ranges[.tunerFrequency] = .number(
                tuner.range, step: tuner.hertzPerStep, default: tuner.range.lowerBound)
        }
        return ranges
    }

    /// The settings of the next frames, except those that an automatic loop controls.
    var settings: FrameSettings { state.withLock { $0.settings } }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        if control == .tunerFrequency, let tuner {
            do {
                return .number(try tuner.frequency(node))
            } catch {
                throw DeviceError(error, device: device, "the tuner's frequency could not be read")
            }
        }
        processPendingChanges()
        let translation = try translation(control)
        do {
            return try read(control, translation)
        } catch {
            guard error.number == EACCES else {
                throw DeviceError(error, device: device, "\(control.rawValue) could not be read")
            }
            throw DeviceError(
                .unsupportedControl, device: device,
                "\(control.rawValue) is write-only: the driver does not report its value")
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        if control == .tunerFrequency, let tuner { return try tune(tuner, to: value) }
        processPendingChanges()
        let translation = try translation(control)
        guard !translation.isReadOnly else {
            throw DeviceError(.unsupportedControl, device: device, "\(control.rawValue) is read-only")
        }
        guard translation.range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: device,
                "\(control.rawValue) cannot be \(value.text); it accepts \(translation.range.text)")
        }
        for setting in translation.settings(value) {
            var raw = v4l2_control(id: setting.id, value: Int32(clamping: setting.value))
            do {
                try node.request(clinuxdevices_VIDIOC_S_CTRL, "VIDIOC_S_CTRL", &raw)
            } catch {
                let rejection = rejection(of: control, setting, error)
                let id = String(setting.id, radix: 16)
                node.log(.error, "control 0x\(id): \(rejection.message), errno \(error.number)")
                throw rejection
            }
        }
        node.log(.debug, "\(control.rawValue) set to \(value.text)")
        if case .integer(let mode) = value { state.withLock { $0.modes[control] = mode } }
        refreshSettings()
    }

    func observe(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        startMonitor()
        return ObserverToken { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// Sets whether a stream checks for changes instead of the monitor.
    ///
    /// Drivers wake a thread that waits for events not only for an event, but also for each frame of a stream.
    func setMonitoredByStream(_ isMonitored: Bool) {
        let monitor = state.withLock { state in
            state.isMonitoredByStream = isMonitored
            return state.monitor
        }
        monitor?.wake()
    }

    /// Checks for changes and wakes the monitor, which delivers them; called by the capture thread of a stream.
    func checkForChanges() {
        guard let monitor = state.withLock(\.monitor) else { return }
        let changes = dequeueChanges().changes
        guard !changes.isEmpty else { return }
        state.withLock { state in
            state.pending.values.formUnion(changes.values)
            state.pending.descriptions.formUnion(changes.descriptions)
        }
        monitor.wake()
    }

    /// Removes all observers and ends the monitor thread.
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
        monitor?.stop()
    }

    // MARK: Private

    private func tune(_ tuner: V4L2Tuner, to value: ControlValue) throws(DeviceError) {
        guard case .number(let hertz) = value, tuner.range.contains(hertz) else {
            throw DeviceError(
                .unsupportedControl, device: device,
                "the tuner receives \(tuner.range.lowerBound) to \(tuner.range.upperBound) Hz, not \(value)")
        }
        do {
            try tuner.tune(node, to: hertz)
        } catch {
            throw DeviceError(error, device: device, "the tuner could not be set to \(hertz) Hz")
        }
    }

    private func translation(_ control: DeviceControl) throws(DeviceError) -> V4L2ControlTranslation {
        guard let translation = state.withLock({ $0.translations[control] }) else {
            throw DeviceError(.unsupportedControl, device: device, "the camera has no \(control.rawValue)")
        }
        return translation
    }

    /// Returns the error for a value that the driver rejected, with the reason from the control's current description.
    private func rejection(
        of control: DeviceControl, _ setting: V4L2ControlTranslation.Setting, _ error: KernelError
    ) -> DeviceError {
        // If this query also fails, the error contains only the code.
        let flags = (try? V4L2Control.query(setting.id, of: node))?.flags ?? 0
        func unsupported(_ reason: String) -> DeviceError {
            DeviceError(
                .unsupportedControl, device: device, "\(control.rawValue) cannot be set now: \(reason) (\(error))")
        }
        switch error.number {
        case EINVAL, ERANGE, EACCES, EBUSY, EIO:
            if flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return unsupported("it is read-only") }
            if flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 {
                return unsupported("a stream or another program uses it; set it before the stream is created")
            }
            if flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0 {
                return unsupported("an automatic mode controls it; set the mode to locked or custom first")
            }
            if error.number == EBUSY || error.number == EIO { break }
            return unsupported("the driver rejected \(setting.value); an automatic mode may control it")
        default: break
        }
        return DeviceError(error, device: device, "\(control.rawValue) could not be set")
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

    /// Whether the camera controls ISO; false if the driver does not report it.
    ///
    /// The exposure mode does not determine it, because drivers have separate switches for exposure time and ISO.
    private var isISOAutomatic: Bool {
        let id = Self.automaticISO
        guard state.withLock({ $0.controls[id] != nil }) else { return false }
        var raw = v4l2_control(id: id, value: Int32(V4L2_ISO_SENSITIVITY_MANUAL.rawValue))
        // If this fails, the value remains manual.
        try? node.request(clinuxdevices_VIDIOC_G_CTRL, "VIDIOC_G_CTRL", &raw)
        return raw.value != Int32(V4L2_ISO_SENSITIVITY_MANUAL.rawValue)
    }

    /// Reads the settings for the next frames, except values that an automatic loop may be changing.
    private func refreshSettings() {
        let translations = state.withLock { $0.translations }
        func number(_ control: DeviceControl, unlessAutomatic mode: DeviceControl?) -> Double? {
            func current(_ control: DeviceControl) -> ControlValue? {
                // A control that cannot be read is missing from the frame settings.
                translations[control].flatMap { try? read(control, $0) }
            }
            if let mode, current(mode) == .integer(ControlMode.continuousAuto.rawValue) { return nil }
            guard case .number(let number) = current(control) else { return nil }
            return number
        }
        let exposure = number(.exposureDuration, unlessAutomatic: .exposureMode)
        let settings = FrameSettings(
            exposureDuration: exposure.map { CMTime(nanoseconds: Int64($0 * 1_000_000_000)) },
            iso: isISOAutomatic ? nil : number(.iso, unlessAutomatic: nil),
            lensPosition: number(.lensPosition, unlessAutomatic: .focusMode),
            zoomFactor: number(.zoomFactor, unlessAutomatic: nil),
            whiteBalanceKelvin: number(.whiteBalanceTemperature, unlessAutomatic: .whiteBalanceMode))
        state.withLock { $0.settings = settings }
    }

    private func startMonitor() {
        let needsMonitor = state.withLock { !$0.isClosed && $0.monitor == nil }
        guard needsMonitor else { return }
        let monitor: MonitorThread
        do throws(KernelError) {
            monitor = try MonitorThread(name: "v4l2 controls", kernel: node.kernel, clock: clock) {
                [weak self, node] wake throws(KernelError) in
                var waited = [PolledDescriptor(wake.descriptor, .readable)]
                guard let isMonitoredByStream = self?.state.withLock(\.isMonitoredByStream) else { return false }
                if !isMonitoredByStream { waited.append(PolledDescriptor(node.descriptor, .exceptional)) }
                try node.kernel.wait(&waited)
                let isSignaled = !waited[0].occurred.isEmpty
                if isSignaled { wake.reset() }
                let events = waited.count > 1 ? waited[1].occurred : []
                if events.contains(.failed) { return false }
                guard isSignaled || events.contains(.exceptional) else { return true }
                guard let self, !self.state.withLock(\.isClosed) else { return false }
                return self.deliverChanges()
            }
        } catch {
            // Clients can still read the controls, and the next observer tries again.
            return CaptureSystem.log("changes of the controls of \(device) are not observed: \(error)")
        }
        let isStored = state.withLock { state in
            guard !state.isClosed, state.monitor == nil else { return false }
            state.monitor = monitor
            return true
        }
        if !isStored { monitor.stop() }
    }

    /// Subscribes to changes by other programs.
    private func subscribe() {
        let ids = state.withLock { state in
            state.translations.values.flatMap(\.ids) + [Self.automaticISO].filter { state.controls[$0] != nil }
        }
        for id in Set(ids).sorted() {
            var subscription = v4l2_event_subscription()
            subscription.type = UInt32(V4L2_EVENT_CTRL)
            subscription.id = id
            // If this fails, clients can still read the control.
            try? node.request(clinuxdevices_VIDIOC_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT", &subscription)
        }
    }

    /// Processes pending changes if no monitor thread runs.
    private func processPendingChanges() {
        if state.withLock({ $0.monitor == nil && !$0.isClosed }) { _ = deliverChanges() }
    }

    /// Delivers all pending changes to the observers.
    ///
    /// - Returns: False if the device is disconnected.
    private func deliverChanges() -> Bool {
        let (changes, isDisconnected) = dequeueChanges()
        let pending = state.withLock { state in
            defer { state.pending = Changes() }
            return state.pending
        }
        refresh(changes.descriptions.union(pending.descriptions))
        let values = changes.values.union(pending.values)
        if !values.isEmpty { deliver(values) }
        return !isDisconnected
    }

    /// Dequeues the change events of the driver.
    private func dequeueChanges() -> (changes: Changes, isDisconnected: Bool) {
        var changes = Changes()
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch {
                switch error.number {
                case ENOENT, EAGAIN, EINVAL, ENOTTY: return (changes, false)
                default: return (changes, true)
                }
            }
            guard event.type == UInt32(V4L2_EVENT_CTRL) else { continue }
            let flags = event.u.ctrl.changes
            if flags & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 { changes.values.insert(event.id) }
            if flags & UInt32(V4L2_EVENT_CTRL_CH_RANGE | V4L2_EVENT_CTRL_CH_FLAGS) != 0 {
                changes.descriptions.insert(event.id)
            }
        }
    }

    /// Queries the descriptions of controls with a changed range or changed flags; a control is never removed.
    private func refresh(_ ids: Set<UInt32>) {
        guard !ids.isEmpty else { return }
        // If a query fails, the previous description remains.
        let refreshed = ids.sorted().compactMap { try? V4L2Control.query($0, of: node) }
        state.withLock { state in
            for control in refreshed { state.controls[control.id] = control }
            state.translations.merge(V4L2ControlTranslation.all(state.controls)) { _, new in new }
        }
    }

    private func deliver(_ ids: Set<UInt32>) {
        refreshSettings()
        let (translations, observers) = state.withLock { state in
            (state.translations, state.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        for control in DeviceControl.allCases {
            guard let translation = translations[control], !ids.isDisjoint(with: translation.ids),
                // A control that cannot be read is not reported.
                let value = try? read(control, translation)
            else { continue }
            for observer in observers { observer(control, value) }
        }
    }
}
