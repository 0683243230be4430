import CaptureHAL

/// Face-driven focus and exposure.
///
/// The settings take effect when the focus mode or the exposure mode is set afterwards. They have no effect on cameras
/// that do not detect faces. A point of interest other than the center takes precedence over faces.
extension AVCaptureDevice {
    /// The client's settings; by default the camera decides automatically whether to focus on and expose for faces.
    struct FaceDrivenSettings: Sendable {
        /// Whether the camera decides whether to focus on faces.
        var adjustsFocusAutomatically = true
        var isFocusEnabled = true
        /// Whether the camera decides whether to expose for faces.
        var adjustsExposureAutomatically = true
        var isExposureEnabled = true
    }

    /// Whether the camera decides automatically whether to focus on faces; true by default. Setting it without
    /// automatic focus is misuse.
    public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticFocus && state.withLock { $0.faces.adjustsFocusAutomatically }
        }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:"
            guard checkFaceDrivenSetter(method, hasAutomaticFocus) else { return }
            state.withLock { $0.faces.adjustsFocusAutomatically = newValue }
            observedProperties.changed(
                ["automaticallyAdjustsFaceDrivenAutoFocusEnabled", "isFaceDrivenAutoFocusEnabled"])
        }
    }

    /// Whether the camera focuses on faces; true by default. Setting it without automatic focus, or while
    /// `automaticallyAdjustsFaceDrivenAutoFocusEnabled` is true, is misuse.
    public var isFaceDrivenAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticFocus && state.withLock { $0.faces.adjustsFocusAutomatically || $0.faces.isFocusEnabled }
        }
        set {
            let method = "setFaceDrivenAutoFocusEnabled:"
            let decider =
                automaticallyAdjustsFaceDrivenAutoFocusEnabled ? "automaticallyAdjustsFaceDrivenAutoFocusEnabled" : nil
            guard checkFaceDrivenSetter(method, hasAutomaticFocus, decider: decider) else { return }
            state.withLock { $0.faces.isFocusEnabled = newValue }
            observedProperties.changed()
        }
    }

    /// Whether the camera decides automatically whether to expose for faces; true by default. Setting it without
    /// automatic exposure is misuse.
    public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticExposure && state.withLock { $0.faces.adjustsExposureAutomatically }
        }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:"
            guard checkFaceDrivenSetter(method, hasAutomaticExposure) else { return }
            state.withLock { $0.faces.adjustsExposureAutomatically = newValue }
            observedProperties.changed(
                ["automaticallyAdjustsFaceDrivenAutoExposureEnabled", "isFaceDrivenAutoExposureEnabled"])
        }
    }

    /// Whether the camera exposes for faces; true by default. Setting it without automatic exposure, or while
    /// `automaticallyAdjustsFaceDrivenAutoExposureEnabled` is true, is misuse.
    public var isFaceDrivenAutoExposureEnabled: Bool {
        get {
            observedProperties.access()
            return hasAutomaticExposure
                && state.withLock { $0.faces.adjustsExposureAutomatically || $0.faces.isExposureEnabled }
        }
        set {
            let method = "setFaceDrivenAutoExposureEnabled:"
            let decider =
                automaticallyAdjustsFaceDrivenAutoExposureEnabled
                ? "automaticallyAdjustsFaceDrivenAutoExposureEnabled" : nil
            guard checkFaceDrivenSetter(method, hasAutomaticExposure, decider: decider) else { return }
            state.withLock { $0.faces.isExposureEnabled = newValue }
            observedProperties.changed()
        }
    }

    /// Returns the change of a face-driven control to a value; none if the camera does not have the control, or if it
    /// already has the value.
    func changes(of control: DeviceControl, to isEnabled: Bool) -> [(DeviceControl, ControlValue)] {
        flag(control).map { $0 == isEnabled ? [] : [(control, .flag(isEnabled))] } ?? []
    }

    private var hasAutomaticFocus: Bool {
        isFocusModeSupported(.autoFocus) || isFocusModeSupported(.continuousAutoFocus)
    }

    private var hasAutomaticExposure: Bool {
        isExposureModeSupported(.autoExpose) || isExposureModeSupported(.continuousAutoExposure)
    }

    /// Reports misuse if a face-driven property cannot be set now.
    ///
    /// - Parameters:
    ///   - hasAutomaticMode: Whether the camera has an automatic mode for focus or exposure.
    ///   - decider: The name of the property by which the camera decides about this one; nil if it does not.
    /// - Returns: Whether the property can be set.
    private func checkFaceDrivenSetter(
        _ method: String, _ hasAutomaticMode: Bool, decider: String? = nil
    ) -> Bool {
        guard checkLock(for: method) else { return false }
        let reason: String? =
            if !hasAutomaticMode {
                "\(self) has no automatic mode that faces could control"
            } else {
                decider.map { "May not be called while \($0) is YES" }
            }
        if let reason { environment.misuse.report(.invalidArgument, "-[AVCaptureDevice \(method)] \(reason)") }
        return reason == nil
    }
}
