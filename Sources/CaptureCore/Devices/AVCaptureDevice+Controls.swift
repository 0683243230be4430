import CaptureHAL
import MediaTypes

// How the API's settings reach the controls of the hardware.
extension AVCaptureDevice {
    /// The controls of the device; none where it cannot be opened.
    var controls: [DeviceControl: ControlRange] {
        withOpened { $0.controls } ?? [:]
    }

    func range(_ control: DeviceControl) -> ClosedRange<Double>? {
        if case .number(let range, _, _)? = controls[control] { range } else { nil }
    }

    func number(_ control: DeviceControl) -> Double? {
        if case .number(let number)? = value(of: control) { number } else { nil }
    }

    func flag(_ control: DeviceControl) -> Bool? {
        if case .flag(let flag)? = value(of: control) { flag } else { nil }
    }

    /// The mode of an automatic loop; nil where the device has no such loop.
    func mode(_ control: DeviceControl) -> ControlMode? {
        if case .integer(let option)? = value(of: control) { ControlMode(rawValue: option) } else { nil }
    }

    func hasMode(_ mode: ControlMode, of control: DeviceControl) -> Bool {
        if case .options(let options, _)? = controls[control] { options.contains(mode.rawValue) } else { false }
    }

    /// The value in force; nil where the device lacks the control, or cannot read it now.
    func value(of control: DeviceControl) -> ControlValue? {
        let value = withOpened { device in
            device.controls[control] == nil ? nil : try? device.value(of: control)
        }
        return value ?? nil
    }

    /// Sets a control that the device has; where that fails the value stays as it was.
    ///
    /// - Returns: Why it failed. A device that turns out to be gone is reported to the session, too.
    @discardableResult
    func set(_ control: DeviceControl, to value: ControlValue) -> DeviceError? {
        set([(control, value)])
    }

    /// Sets controls in order, up to the first that fails.
    @discardableResult
    func set(_ changes: [(control: DeviceControl, value: ControlValue)]) -> DeviceError? {
        waits.supersede(changes.map(\.control))
        let failure = withOpened { device -> DeviceError? in
            do throws(DeviceError) {
                for change in changes { try device.set(change.control, to: change.value) }
                return nil
            } catch {
                return error
            }
        }
        guard let error = failure ?? nil else {
            observedProperties.changed(Set(changes.flatMap { Self.properties(of: $0.control) }))
            return nil
        }
        if error.code == .disconnected { for session in sessions { session.deviceFailed(self, error) } }
        return error
    }

    /// A session uses the device from now on.
    func streamsDidStart() {
        waits.streamDidStart()
        if lockedSwitchOverZoomFactor != nil { holdConstituent() }
        tellPrimaryConstituent()
    }

    /// A session that used the device does so no more.
    func streamsDidEnd() {
        waits.streamDidEnd()
        tellPrimaryConstituent()
    }

    /// Turns the torch off, as the end of a stream does; observers are told on a queue of the library.
    func turnTorchOff() {
        let wasAutomatic = state.withLock { state in
            defer { state.automaticTorch = nil }
            return state.automaticTorch != nil
        }
        sceneLight.isTorchAutomatic = false
        let wasLit = withOpened { device -> Bool in
            guard device.controls[.torchLevel] != nil, case .number(let level)? = try? device.value(of: .torchLevel),
                level > 0
            else { return false }
            // A device that is gone has no light any more.
            try? device.set(.torchLevel, to: .number(0))
            return true
        }
        if wasAutomatic || wasLit ?? false { hardwareChanged(.torchLevel) }
    }

    /// Tells the observers of what the hardware changed by itself.
    func hardwareChanged(_ control: DeviceControl) {
        let names = Self.properties(of: control)
        if !names.isEmpty { tellLater(names) }
    }

    /// Tells the observers of properties on a queue of the library.
    ///
    /// Not on the device's own thread: an observer may ask the device, which may just be closing.
    func tellLater(_ names: Set<String>) {
        surroundings.clock.deliver(on: changeQueue) { [weak self] in self?.observedProperties.changed(names) }
    }

    /// Tells the observers, on this thread, of what a control shows in.
    func tellChange(of control: DeviceControl) { observedProperties.changed(Self.properties(of: control)) }

    /// The properties of this class that show a control.
    private static func properties(of control: DeviceControl) -> Set<String> {
        switch control {
        case .focusMode: ["focusMode"]
        case .lensPosition: ["lensPosition"]
        case .focusPoint: ["focusPointOfInterest"]
        case .exposureMode: ["exposureMode"]
        case .exposureDuration: ["exposureDuration"]
        case .iso: ["iso"]
        case .exposureBias: ["exposureTargetBias"]
        case .exposurePoint: ["exposurePointOfInterest"]
        case .whiteBalanceMode: ["whiteBalanceMode"]
        case .whiteBalanceTemperature, .redGain, .greenGain, .blueGain: ["deviceWhiteBalanceGains"]
        case .zoomFactor: ["videoZoomFactor", "activePrimaryConstituent"]
        case .torchLevel: ["torchLevel", "torchMode", "isTorchActive"]
        case .smoothFocus: ["isSmoothAutoFocusEnabled"]
        case .focusRange: ["autoFocusRangeRestriction"]
        case .exposureLimit: ["activeMaxExposureDuration"]
        case .lowLightBoost: ["automaticallyEnablesLowLightBoostWhenAvailable"]
        case .lowLightBoostActive: ["isLowLightBoostEnabled"]
        case .videoHDR: ["isVideoHDREnabled"]
        case .automaticVideoHDR: ["automaticallyAdjustsVideoHDREnabled"]
        case .focusAdjusting: ["isAdjustingFocus"]
        case .exposureAdjusting: ["isAdjustingExposure"]
        case .whiteBalanceAdjusting: ["isAdjustingWhiteBalance"]
        case .exposureOffset: ["exposureTargetOffset"]
        case .flash, .powerLineFrequency, .brightness, .contrast, .saturation, .sharpness, .gain, .hue, .gamma,
            .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority, .inputGain, .mute,
            .videoStabilization, .constituent:
            []
        }
    }

    /// Opens the device for the length of `body`, where that is possible.
    @discardableResult
    private func withOpened<Result>(_ body: (any OpenDevice) -> Result) -> Result? {
        // A device that is gone or busy has nothing to read or set.
        guard let device = try? acquire() else { return nil }
        defer { release() }
        return body(device)
    }

    /// Reports the misuse of a value outside `range`.
    func reportOutOfRange<Number>(_ method: String, _ what: String, _ value: Number, _ range: String) {
        surroundings.misuse.report(
            .range, "-[AVCaptureDevice \(method)] The passed \(what) \(value) is outside the supported range \(range)")
    }

    /// Reports the misuse of what the device cannot do.
    func reportUnsupported(_ method: String, _ what: String, _ check: String) {
        surroundings.misuse.report(
            .invalidArgument, "-[AVCaptureDevice \(method)] \(what) is not supported by \(self) - use -\(check)")
    }
}
