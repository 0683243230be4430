import CaptureHAL
import MediaTypes

// Access to the controls of the hardware.
extension AVCaptureDevice {
    /// The controls of the device; empty if it cannot be opened.
    var controls: [DeviceControl: ControlRange] {
        withOpened { $0.controls } ?? [:]
    }

    /// Returns the range of a numeric control; nil for others.
    func range(_ control: DeviceControl) -> ClosedRange<Double>? {
        if case .number(let range, _, _)? = controls[control] { range } else { nil }
    }

    /// Returns the value of a numeric control; nil for others.
    func number(_ control: DeviceControl) -> Double? {
        if case .number(let number)? = value(of: control) { number } else { nil }
    }

    /// Returns the value of a flag; nil for others.
    func flag(_ control: DeviceControl) -> Bool? {
        if case .flag(let flag)? = value(of: control) { flag } else { nil }
    }

    /// Returns the mode of an automatic control; nil if the device does not have the control.
    func mode(_ control: DeviceControl) -> ControlMode? {
        if case .integer(let option)? = value(of: control) { ControlMode(rawValue: option) } else { nil }
    }

    /// Whether a control supports a mode.
    func hasMode(_ mode: ControlMode, of control: DeviceControl) -> Bool {
        if case .options(let options, _)? = controls[control] { options.contains(mode.rawValue) } else { false }
    }

    /// Returns the current value; nil if the device does not have the control or cannot read it now.
    func value(of control: DeviceControl) -> ControlValue? {
        let value = withOpened { device in
            device.controls[control] == nil ? nil : try? device.value(of: control)
        }
        return value ?? nil
    }

    /// Sets a control; on failure the value is unchanged.
    ///
    /// - Returns: The error, if any; also if the device cannot be opened. A disconnection is also reported to the
    ///   sessions.
    @discardableResult
    func set(_ control: DeviceControl, to value: ControlValue) -> DeviceError? {
        set([(control, value)])
    }

    /// Sets controls in order and stops at the first failure.
    @discardableResult
    func set(_ changes: [(control: DeviceControl, value: ControlValue)]) -> DeviceError? {
        settingCompletions.supersede(changes.map(\.control))
        do throws(DeviceError) {
            let device = try acquire()
            defer { release() }
            for change in changes { try device.set(change.control, to: change.value) }
        } catch {
            if error.code == .disconnected { for session in sessions { session.deviceFailed(self, error) } }
            return error
        }
        observedProperties.changed(Set(changes.flatMap { Self.properties(of: $0.control) }))
        return nil
    }

    /// Registers that a session has started streams of the device.
    func streamsDidStart() {
        settingCompletions.streamDidStart()
        if state.withLock({ $0.effectiveSwitching }) != Switching() { applySwitching() }
        notifyPrimaryConstituentChange()
    }

    /// Registers that a session has stopped streams of the device.
    func streamsDidEnd() {
        settingCompletions.streamDidEnd()
        notifyPrimaryConstituentChange()
    }

    /// Turns the torch off at the end of a stream; observers are notified on a private queue.
    func turnTorchOff() {
        let wasAutomatic = state.withLock { state in
            defer { state.automaticTorch = nil }
            return state.automaticTorch != nil
        }
        automaticTorchFlag.isOn = false
        let wasLit = withOpened { device -> Bool in
            guard device.controls[.torchLevel] != nil, case .number(let level)? = try? device.value(of: .torchLevel),
                level > 0
            else { return false }
            // Setting fails only for a disconnected device; its torch is off.
            try? device.set(.torchLevel, to: .number(0))
            return true
        }
        if wasAutomatic || wasLit ?? false { hardwareChanged(.torchLevel) }
    }

    /// Notifies observers of a change that the client did not request.
    func hardwareChanged(_ control: DeviceControl) {
        let names = Self.properties(of: control)
        if !names.isEmpty { notifyAsynchronously(names) }
    }

    /// Notifies the observers of properties on a private queue.
    ///
    /// Observers must not run on the device's thread: an observer may query the device while it closes.
    func notifyAsynchronously(_ names: Set<String>) {
        environment.system.deliver(on: changeQueue) { [weak self] in self?.observedProperties.changed(names) }
    }

    /// Notifies observers, on the current thread, of the properties that depend on a control.
    func notifyChange(of control: DeviceControl) { observedProperties.changed(Self.properties(of: control)) }

    /// Returns the names of the properties that depend on a control.
    private static func properties(of control: DeviceControl) -> Set<String> {
        switch control {
        case .focusMode: ["focusMode"]
        case .lensPosition: ["lensPosition"]
        case .focusPoint: ["focusPointOfInterest"]
        case .exposureMode, .automaticExposureSettings:
            [
                "exposureMode", "automaticallyAdjustsLensAperture", "automaticallyAdjustsExposureDuration",
                "automaticallyAdjustsISO",
            ]
        case .lensAperture: ["lensAperture"]
        case .apertureRateLimit: ["autoExposureLensApertureRateLimit"]
        case .exposureDuration: ["exposureDuration"]
        case .iso: ["iso"]
        case .exposureBias: ["exposureTargetBias"]
        case .exposurePoint: ["exposurePointOfInterest"]
        case .whiteBalanceMode: ["whiteBalanceMode"]
        case .whiteBalanceTemperature, .redGain, .greenGain, .blueGain: ["deviceWhiteBalanceGains"]
        case .zoomFactor: ["videoZoomFactor", "activePrimaryConstituent"]
        case .activeConstituent: ["activePrimaryConstituent"]
        case .torchLevel: ["torchLevel", "torchMode", "isTorchActive"]
        case .smoothFocus: ["isSmoothAutoFocusEnabled"]
        case .focusRange: ["autoFocusRangeRestriction"]
        case .exposureLimit: ["activeMaxExposureDuration"]
        case .lowLightBoost: ["automaticallyEnablesLowLightBoostWhenAvailable"]
        case .lowLightBoostActive: ["isLowLightBoostEnabled"]
        case .videoHDR: ["isVideoHDREnabled"]
        case .automaticVideoHDR: ["automaticallyAdjustsVideoHDREnabled"]
        case .colorSpace: ["activeColorSpace"]
        case .focusAdjusting: ["isAdjustingFocus"]
        case .exposureAdjusting: ["isAdjustingExposure"]
        case .whiteBalanceAdjusting: ["isAdjustingWhiteBalance"]
        case .exposureOffset: ["exposureTargetOffset"]
        case .flash, .powerLineFrequency, .brightness, .contrast, .saturation, .sharpness, .gain, .hue, .gamma,
            .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority, .inputGain, .mute,
            .videoStabilization, .constituent, .fallbackConstituents, .constituentSwitching, .faceDrivenFocus,
            .faceDrivenExposure:
            []
        }
    }

    /// Opens the device for the duration of `body`.
    ///
    /// - Returns: The result of `body`; nil if the device cannot be opened.
    @discardableResult
    private func withOpened<Result>(_ body: (any OpenDevice) -> Result) -> Result? {
        // A disconnected or busy device cannot be read.
        guard let device = try? acquire() else { return nil }
        defer { release() }
        return body(device)
    }

    /// Reports the misuse of a value outside `range`.
    func reportOutOfRange<Number>(_ method: String, _ name: String, _ value: Number, _ range: String) {
        environment.misuse.report(
            .range, "-[AVCaptureDevice \(method)] The passed \(name) \(value) is outside the supported range \(range)")
    }

    /// Reports the misuse of an unsupported feature.
    ///
    /// - Parameters:
    ///   - method: The Objective-C name of the method that was called.
    ///   - feature: The unsupported feature or value.
    ///   - check: The Objective-C name of the method that reports whether the feature is supported.
    func reportUnsupported(_ method: String, _ feature: String, _ check: String) {
        environment.misuse.report(
            .invalidArgument, "-[AVCaptureDevice \(method)] \(feature) is not supported by \(self) - use -\(check)")
    }
}
