import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// The controls of an open camera, and the thread that monitors their changes.
final class V4L2Controls: Sendable {
    private struct State {
        /// The driver's controls as last described, and their translations.
        var controls: [UInt32: V4L2Control]
        var translations: [DeviceControl: V4L2ControlTranslation]
        var observers: [Int: @Sendable (DeviceControl, ControlValue) -> Void] = [:]
        var nextObserver = 0
        var monitor: Monitor?
        /// The modes that the client set: drivers do not distinguish a locked loop from a custom value.
        var modes: [DeviceControl: Int64] = [:]
        var settings = FrameSettings()
        /// Whether the capture thread of a stream checks for changes instead of the monitor.
        var isWatchedByStream = false
        /// The changes that it found and the monitor has not delivered.
        var found = Changes()
        var isClosed = false
    }

    /// The ids of controls that the driver reported as changed.
    private struct Changes {
        /// The value changed.
        var values: Set<UInt32> = []
        /// The range or the flags changed.
        var described: Set<UInt32> = []

        var isEmpty: Bool { values.isEmpty && described.isEmpty }
    }

    private struct Monitor {
        let thread: KernelThread
        let wake: KernelEvent
        let isStopped: Lock<Bool>
    }

    private let node: V4L2Node
    private let tuner: V4L2Tuner?
    private let device: String
    private let state: Lock<State>

    init(_ node: V4L2Node, device: String) throws(KernelError) {
        self.node = node
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
        takeUnobservedChanges()
        var ranges = state.withLock { $0.translations.mapValues(\.range) }
        if let tuner {
            ranges[.tunerFrequency] = .number(
                tuner.range, step: tuner.hertzPerStep, default: tuner.range.lowerBound)
        }
        return ranges
    }

    /// The settings of the next frames, as far as no automatic loop controls them.
    var settings: FrameSettings { state.withLock { $0.settings } }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        if control == .tunerFrequency, let tuner {
            do {
                return .number(try tuner.frequency(node))
            } catch {
                throw DeviceError(error, device: device, "the tuner's frequency could not be read")
            }
        }
        takeUnobservedChanges()
        let translation = try translation(control)
        do {
            return try read(control, translation)
        } catch {
            guard error.number == EACCES else {
                throw DeviceError(error, device: device, "\(control.rawValue) could not be read")
            }
            throw DeviceError(
                .unsupportedControl, device: device, "\(control.rawValue) can only be set: the driver does not tell it")
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        if control == .tunerFrequency, let tuner { return try tune(tuner, to: value) }
        takeUnobservedChanges()
        let translation = try translation(control)
        guard !translation.isReadOnly else {
            throw DeviceError(.unsupportedControl, device: device, "\(control.rawValue) can only be read")
        }
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
                throw refusal(of: control, setting, error)
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

    /// Sets whether a stream checks for changes instead of the monitor.
    ///
    /// Drivers wake a thread that waits for events with each frame of a stream, too.
    func setWatchedByStream(_ isWatched: Bool) {
        let monitor = state.withLock { state in
            state.isWatchedByStream = isWatched
            return state.monitor
        }
        monitor?.wake.signal()
    }

    /// Checks for changes, which the monitor then delivers; called by the capture thread of a stream.
    func checkForChanges() {
        guard let monitor = state.withLock(\.monitor) else { return }
        let changes = pendingChanges().changes
        guard !changes.isEmpty else { return }
        state.withLock { state in
            state.found.values.formUnion(changes.values)
            state.found.described.formUnion(changes.described)
        }
        monitor.wake.signal()
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

    /// The reason for a refused value, from the control's current description.
    private func refusal(
        of control: DeviceControl, _ setting: V4L2ControlTranslation.Setting, _ error: KernelError
    ) -> DeviceError {
        // If the driver does not describe it either, only its error remains.
        let flags = (try? V4L2Control.one(setting.id, of: node))?.flags ?? 0
        func unsupported(_ reason: String) -> DeviceError {
            DeviceError(
                .unsupportedControl, device: device, "\(control.rawValue) cannot be set now: \(reason) (\(error))")
        }
        switch error.number {
        case EINVAL, ERANGE, EACCES, EBUSY, EIO:
            if flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return unsupported("it can only be read") }
            if flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 {
                return unsupported("a stream or another program holds it; set it before the stream is made")
            }
            if flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0 {
                return unsupported("an automatic mode holds it; set the mode to locked or custom first")
            }
            if error.number == EBUSY || error.number == EIO { break }
            return unsupported("the driver refused \(setting.value); an automatic mode may hold it")
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

    /// Reads the settings that frames carry, except values that an automatic loop may be changing.
    private func refreshSettings() {
        let translations = state.withLock { $0.translations }
        func number(_ control: DeviceControl, unlessAutomatic mode: DeviceControl?) -> Double? {
            func current(_ control: DeviceControl) -> ControlValue? {
                // Frames do not carry a control that cannot be read.
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
        // Without a thread controls can still be read.
        guard let wake = try? KernelEvent(node.kernel) else { return }
        let isStopped = Lock(false)
        let node = node
        let thread = try? KernelThread(name: "v4l2 controls") { [weak self] in
            while !isStopped.withLock({ $0 }) {
                var waited = [WaitedDescriptor(wake.descriptor, .readable)]
                guard let isWatchedByStream = self?.state.withLock(\.isWatchedByStream) else { return }
                if !isWatchedByStream { waited.append(WaitedDescriptor(node.descriptor, .exceptional)) }
                guard (try? node.kernel.wait(&waited)) != nil else { return }
                let isWoken = !waited[0].came.isEmpty
                if isWoken { wake.reset() }
                let came = waited.count > 1 ? waited[1].came : []
                if came.contains(.failed) { return }
                guard isWoken || came.contains(.exceptional) else { continue }
                guard !isStopped.withLock({ $0 }) else { return }
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

    /// Subscribes to changes by other programs.
    private func subscribe() {
        for id in Set(state.withLock { $0.translations.values.flatMap(\.ids) }).sorted() {
            var subscription = v4l2_event_subscription()
            subscription.type = UInt32(V4L2_EVENT_CTRL)
            subscription.id = id
            // Without a subscription clients must read the control.
            try? node.request(clinuxdevices_VIDIOC_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT", &subscription)
        }
    }

    /// Processes pending changes if no monitor does.
    private func takeUnobservedChanges() {
        if state.withLock({ $0.monitor == nil && !$0.isClosed }) { _ = deliverChanges() }
    }

    /// - Returns: False if the device is gone.
    private func deliverChanges() -> Bool {
        let (changes, isGone) = pendingChanges()
        let found = state.withLock { state in
            defer { state.found = Changes() }
            return state.found
        }
        renew(changes.described.union(found.described))
        let values = changes.values.union(found.values)
        if !values.isEmpty { deliver(values) }
        return !isGone
    }

    private func pendingChanges() -> (changes: Changes, isGone: Bool) {
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
            let what = event.u.ctrl.changes
            if what & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 { changes.values.insert(event.id) }
            if what & UInt32(V4L2_EVENT_CTRL_CH_RANGE | V4L2_EVENT_CTRL_CH_FLAGS) != 0 {
                changes.described.insert(event.id)
            }
        }
    }

    /// Queries the controls again whose range or flags changed; a control is never removed.
    private func renew(_ ids: Set<UInt32>) {
        guard !ids.isEmpty else { return }
        // A control that cannot be described now keeps its description.
        let renewed = ids.sorted().compactMap { try? V4L2Control.one($0, of: node) }
        state.withLock { state in
            for control in renewed { state.controls[control.id] = control }
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
                let value = try? read(control, translation)  // Not readable: no value to report.
            else { continue }
            for observer in observers { observer(control, value) }
        }
    }
}
