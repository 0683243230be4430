import CaptureHAL

/// Face-driven focus and exposure.
///
/// The settings take effect when the focus mode or the exposure mode is set afterwards. They have no effect on cameras
/// that do not detect faces. A point of interest other than the center takes precedence over faces.
extension AVCaptureDevice {
    /// The client's settings; by default the camera decides and considers faces.
    struct FaceDrivenSettings: Sendable {
        var decidesOnFocus = true
        var focuses = true
        var decidesOnExposure = true
        var exposes = true
    }

    /// Whether the camera decides about focusing on faces; true by default. Setting it without automatic focus is
    /// misuse.
    public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticFocus && state.withLock { $0.faces.decidesOnFocus }
        }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:"
            guard canSetFaceDriven(method, hasAutomaticFocus) else { return }
            state.withLock { $0.faces.decidesOnFocus = newValue }
            observedProperties.changed(
                ["automaticallyAdjustsFaceDrivenAutoFocusEnabled", "isFaceDrivenAutoFocusEnabled"])
        }
    }

    /// Whether the camera focuses on faces; true by default. Setting it without automatic focus, or while the camera
    /// decides, is misuse.
    public var isFaceDrivenAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticFocus && state.withLock { $0.faces.decidesOnFocus || $0.faces.focuses }
        }
        set {
            let method = "setFaceDrivenAutoFocusEnabled:"
            guard canSetFaceDriven(method, hasAutomaticFocus, decides: automaticallyAdjustsFaceDrivenAutoFocusEnabled)
            else { return }
            state.withLock { $0.faces.focuses = newValue }
            observedProperties.changed()
        }
    }

    /// Whether the camera decides about exposing for faces; true by default. Setting it without automatic exposure is
    /// misuse.
    public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticExposure && state.withLock { $0.faces.decidesOnExposure }
        }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:"
            guard canSetFaceDriven(method, hasAutomaticExposure) else { return }
            state.withLock { $0.faces.decidesOnExposure = newValue }
            observedProperties.changed(
                ["automaticallyAdjustsFaceDrivenAutoExposureEnabled", "isFaceDrivenAutoExposureEnabled"])
        }
    }

    /// Whether the camera exposes for faces; true by default. Setting it without automatic exposure, or while the camera
    /// decides, is misuse.
    public var isFaceDrivenAutoExposureEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticExposure && state.withLock { $0.faces.decidesOnExposure || $0.faces.exposes }
        }
        set {
            let method = "setFaceDrivenAutoExposureEnabled:"
            guard
                canSetFaceDriven(
                    method, hasAutomaticExposure, decides: automaticallyAdjustsFaceDrivenAutoExposureEnabled)
            else { return }
            state.withLock { $0.faces.exposes = newValue }
            observedProperties.changed()
        }
    }

    /// Returns the change that a mode applies to a face-driven control; none if the camera does not have the control or
    /// it has the value.
    func changes(of control: DeviceControl, to isEnabled: Bool) -> [(DeviceControl, ControlValue)] {
        flag(control).map { $0 == isEnabled ? [] : [(control, .flag(isEnabled))] } ?? []
    }

    private var hasAutomaticFocus: Bool {
        isFocusModeSupported(.autoFocus) || isFocusModeSupported(.continuousAutoFocus)
    }

    private var hasAutomaticExposure: Bool {
        isExposureModeSupported(.autoExpose) || isExposureModeSupported(.continuousAutoExposure)
    }

    /// Whether a face-driven property may be set now; reports misuse otherwise.
    private func canSetFaceDriven(_ method: String, _ isAutomatic: Bool, decides: Bool = false) -> Bool {
        guard isLocked(for: method) else { return false }
        let reason: String? =
            if !isAutomatic {
                "\(self) has no automatic mode that faces could control"
            } else if decides {
                "May not be called while the camera decides: set automaticallyAdjusts… to NO first"
            } else {
                nil
            }
        if let reason { environment.misuse.report(.invalidArgument, "-[AVCaptureDevice \(method)] \(reason)") }
        return reason == nil
    }
}
