import CaptureHAL
import ThreeA

/// The state of the software automatic modes: it processes the client's settings and the measured frames.
struct AutomaticModes: Sendable {
    /// A value to write to a control of the device.
    struct Write: Sendable, Hashable {
        var control: DeviceControl
        var value: ControlValue
        /// The value of `AutomaticModes.epoch` at the loop's decision.
        var epoch: Int
    }

    /// A change of a control that was not set by the client.
    struct Change: Sendable, Hashable {
        var control: DeviceControl
        var value: ControlValue
    }

    let manual: ManualControls
    let measurementsPerSecond: Double
    var exposure: ExposureState?
    var whiteBalance: WhiteBalanceState?
    var focus: FocusState?
    /// Increases with each setting of the client. It invalidates earlier decisions of the loops.
    private(set) var epoch = 0
    /// The number of writes in progress.
    private var pendingCount = 0
    /// Whether the stream delivers frames that can be measured.
    private var isMeasuring = false
    /// The number of frames since the last measured one. If no frame was measured, it starts at `Int.max / 2`, which
    /// increments cannot overflow.
    private var framesSinceMeasurement = Int.max / 2
    /// The last reported values of the `…Adjusting` controls.
    private var reportedAdjusting: [DeviceControl: Bool] = [:]

    /// Creates the state for a device.
    ///
    /// - Parameter value: Reads a control of the device; nil if it cannot be read.
    init(_ manual: ManualControls, _ dynamics: AutomaticDynamics, value: (DeviceControl) -> ControlValue?) {
        self.manual = manual
        measurementsPerSecond = dynamics.measurementsPerSecond
        func number(_ control: DeviceControl) -> Double? {
            if case .number(let number)? = value(control) { number } else { nil }
        }
        exposure = manual.exposure.map { ExposureState($0, dynamics, number) }
        whiteBalance = manual.whiteBalance.map { WhiteBalanceState($0, dynamics, number) }
        focus = manual.lensStep.map { FocusState(lensStep: $0, dynamics, number) }
        // The device's "automatic" option has a negative value; the loop then uses its default of 50 Hz.
        if case .integer(let hertz)? = value(.powerLineFrequency), hertz >= 0 { exposure?.powerLineHertz = hertz }
    }

    // MARK: Settings

    /// The controls that the loops add.
    var ranges: [DeviceControl: ControlRange] {
        let modes = ControlRange.options(
            Set(ControlMode.allCases.map(\.rawValue)), default: ControlMode.continuousAuto.rawValue)
        var ranges: [DeviceControl: ControlRange] = [:]
        if exposure != nil {
            ranges[.exposureMode] = modes
            ranges[.exposureBias] = .number(-3...3, step: 0, default: 0)
            ranges[.exposurePoint] = .point(defaultX: 0.5, defaultY: 0.5)
            ranges[.exposureAdjusting] = .flag(default: false)
            // Replaces the device's control, which has no effect without a hardware loop.
            ranges[.powerLineFrequency] = .options(ExposureState.powerLineOptions, default: 50)
        }
        if whiteBalance != nil {
            ranges[.whiteBalanceMode] = modes
            ranges[.whiteBalanceAdjusting] = .flag(default: false)
        }
        if focus != nil {
            ranges[.focusMode] = modes
            ranges[.focusPoint] = .point(defaultX: 0.5, defaultY: 0.5)
            ranges[.focusAdjusting] = .flag(default: false)
        }
        return ranges
    }

    /// Returns the value of a control that the loops add; nil for other controls.
    func value(of control: DeviceControl) -> ControlValue? {
        switch control {
        case .exposureMode: exposure.map { .integer($0.mode.rawValue) }
        case .exposureBias: exposure.map { .number($0.bias) }
        case .exposurePoint: exposure.map { .point(x: $0.point.x, y: $0.point.y) }
        case .exposureAdjusting: exposure.map { .flag(isMeasuring && $0.isAdjusting) }
        case .powerLineFrequency: exposure.map { .integer($0.powerLineHertz) }
        case .whiteBalanceMode: whiteBalance.map { .integer($0.mode.rawValue) }
        case .whiteBalanceAdjusting: whiteBalance.map { .flag(isMeasuring && $0.isAdjusting) }
        case .focusMode: focus.map { .integer($0.mode.rawValue) }
        case .focusPoint: focus.map { .point(x: $0.point.x, y: $0.point.y) }
        case .focusAdjusting: focus.map { .flag(isMeasuring && $0.isAdjusting) }
        default: nil
        }
    }

    /// The client's settings of the controls that the loops add.
    var settings: [DeviceControl: ControlValue] {
        var settings: [DeviceControl: ControlValue] = [:]
        for control in ranges.keys where !control.isReadOnly { settings[control] = value(of: control) }
        return settings
    }

    /// Applies the settings that a previous client has left, before the first frame.
    mutating func restore(_ settings: [DeviceControl: ControlValue]) {
        // Modes last: a bias would change an exposure that is locked already.
        let modes: Set<DeviceControl> = [.exposureMode, .whiteBalanceMode, .focusMode]
        for (control, value) in settings where !modes.contains(control) { _ = set(control, to: value) }
        for (control, value) in settings where modes.contains(control) { _ = set(control, to: value) }
    }

    /// Applies a valid value that the client has set for a control of the loops or of the device.
    ///
    /// A manual setting of a control ends its automatic mode.
    ///
    /// - Returns: The resulting changes of other controls.
    mutating func set(_ control: DeviceControl, to value: ControlValue) -> [Change] {
        epoch += 1
        var changes: [Change] = []
        switch (control, value) {
        case (.exposureMode, .integer(let raw)): exposure?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.exposureBias, .number(let steps)): exposure?.setBias(steps)
        case (.exposurePoint, .point(let x, let y)): exposure?.setPoint(MeteringPoint(x: x, y: y))
        case (.powerLineFrequency, .integer(let hertz)): exposure?.powerLineHertz = hertz
        case (.exposureDuration, .number(let seconds)):
            if exposure?.setDuration(seconds) == true { changes.append(custom(.exposureMode)) }
        case (.iso, .number(let number)), (.gain, .number(let number)):
            if exposure?.setSensitivity(control, number) == true { changes.append(custom(.exposureMode)) }
        case (.whiteBalanceMode, .integer(let raw)): whiteBalance?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.redGain, .number(let gain)), (.greenGain, .number(let gain)), (.blueGain, .number(let gain)):
            if whiteBalance?.setGain(control, gain) == true { changes.append(custom(.whiteBalanceMode)) }
        case (.focusMode, .integer(let raw)): focus?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.focusPoint, .point(let x, let y)): focus?.setPoint(MeteringPoint(x: x, y: y))
        case (.lensPosition, .number(let position)):
            if focus?.setPosition(position) == true { changes.append(custom(.focusMode)) }
        default: break
        }
        return changes + adjustingChanges()
    }

    /// Returns and removes the writes that the client's last setting requires immediately. Only a bias on a locked
    /// exposure requires such writes.
    mutating func dequeueWrites() -> [Write] { writes(exposure?.dequeueBiasValues() ?? []) }

    private mutating func writes(_ values: [(DeviceControl, ControlValue)]) -> [Write] {
        pendingCount += values.count
        return values.map { Write(control: $0.0, value: $0.1, epoch: epoch) }
    }

    /// Restores the state before a setting that the device rejected.
    mutating func restore(_ before: AutomaticModes) {
        (exposure, whiteBalance, focus) = (before.exposure, before.whiteBalance, before.focus)
        reportedAdjusting = before.reportedAdjusting
        epoch += 1
    }

    private func custom(_ mode: DeviceControl) -> Change {
        Change(control: mode, value: .integer(ControlMode.custom.rawValue))
    }

    // MARK: Frames

    /// Called when a stream has stopped, failed or ended.
    mutating func streamEnded() -> [Change] {
        isMeasuring = false
        framesSinceMeasurement = Int.max / 2
        return adjustingChanges()
    }

    /// The measurements that the loops need from a frame.
    struct Measurement: Sendable, Hashable {
        /// Whether to measure colors, for white balance.
        var color: Bool
        /// The point at which to measure the focus; nil to omit this measurement.
        var focus: MeteringPoint?
    }

    /// Counts a frame.
    ///
    /// - Parameter frameSeconds: The time between frames.
    /// - Returns: The measurements that the loops need from the frame; nil for none.
    mutating func frameReceived(frameSeconds: Double) -> Measurement? {
        exposure?.advance()
        whiteBalance?.advance()
        focus?.advance()
        framesSinceMeasurement += 1
        let isNeeded = exposure?.isAutomatic == true || whiteBalance?.isAutomatic == true || focus?.isAutomatic == true
        guard isNeeded, pendingCount == 0,
            // The tolerance allows for rounded frame durations.
            Double(framesSinceMeasurement) * frameSeconds * measurementsPerSecond >= 0.99
        else { return nil }
        framesSinceMeasurement = 0
        return Measurement(
            color: whiteBalance?.isAutomatic == true,
            focus: focus.flatMap { $0.isAutomatic ? $0.point : nil })
    }

    /// Processes a measured frame, and returns the values to write and other changes.
    ///
    /// - Parameter frameSeconds: The time between frames, which limits the exposure time.
    mutating func process(
        _ statistics: FrameStatistics, frameSeconds: Double
    ) -> (writes: [Write], changes: [Change]) {
        isMeasuring = true
        var values: [(DeviceControl, ControlValue)] = []
        values += exposure?.step(statistics, frameSeconds: frameSeconds) ?? []
        values += whiteBalance?.step(statistics) ?? []
        values += focus?.step(statistics, isExposureSteady: exposure.map { !$0.isAdjusting } ?? true) ?? []
        return (writes(values), modeChanges() + adjustingChanges())
    }

    /// Whether a write is still valid.
    func isValid(_ write: Write) -> Bool { write.epoch == epoch }

    /// Processes the result of a write.
    ///
    /// - Parameter value: The value read back from the device; nil if the write failed or was not performed.
    /// - Returns: The changes to report. If the client set the control after the loop's decision, also the client's
    ///   value, which must be written again.
    mutating func didFinish(_ write: Write, value: ControlValue?) -> (changes: [Change], valueToRestore: ControlValue?)
    {
        pendingCount -= 1
        guard isValid(write) else { return ([], value == nil ? nil : lastSetValue(of: write.control)) }
        guard let value, case .number(let number) = value else {
            exposure?.didFail(write.control)
            whiteBalance?.didFail(write.control)
            focus?.didFail(write.control)
            return (adjustingChanges(), nil)
        }
        exposure?.didWrite(write.control, number)
        whiteBalance?.didWrite(write.control, number)
        focus?.didWrite(write.control, number)
        return ([Change(control: write.control, value: value)], nil)
    }

    /// Returns the value to which a control of the device was last set.
    private func lastSetValue(of control: DeviceControl) -> ControlValue? {
        (exposure?.value(of: control) ?? whiteBalance?.value(of: control) ?? focus?.value(of: control))
            .map { .number($0) }
    }

    /// Changes `auto` modes to `locked` when their loops have stopped.
    private mutating func modeChanges() -> [Change] {
        var changes: [Change] = []
        func locked(_ mode: DeviceControl) -> Change {
            Change(control: mode, value: .integer(ControlMode.locked.rawValue))
        }
        if exposure?.lockIfDone() == true { changes.append(locked(.exposureMode)) }
        if whiteBalance?.lockIfDone() == true { changes.append(locked(.whiteBalanceMode)) }
        if focus?.lockIfDone() == true { changes.append(locked(.focusMode)) }
        return changes
    }

    private mutating func adjustingChanges() -> [Change] {
        var changes: [Change] = []
        for (control, isLoopAdjusting) in [
            (DeviceControl.exposureAdjusting, exposure?.isAdjusting),
            (.whiteBalanceAdjusting, whiteBalance?.isAdjusting), (.focusAdjusting, focus?.isAdjusting),
        ] {
            guard let isLoopAdjusting else { continue }
            let isAdjusting = isMeasuring && isLoopAdjusting
            guard reportedAdjusting[control] ?? false != isAdjusting else { continue }
            reportedAdjusting[control] = isAdjusting
            changes.append(Change(control: control, value: .flag(isAdjusting)))
        }
        return changes
    }
}

extension ControlMode {
    /// Whether a loop adjusts the control in this mode.
    var isAutomatic: Bool { self == .auto || self == .continuousAuto }
}
