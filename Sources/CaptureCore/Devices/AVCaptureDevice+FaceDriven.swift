/// Whether faces count for focus and exposure.
///
/// - Note: Unlike Apple's, no camera here looks for faces: the settings are kept and change nothing.
extension AVCaptureDevice {
    /// What a client says of faces: by default the camera decides, and lets them count.
    struct FaceDriving: Sendable {
        var decidesOnFocus = true
        var focuses = true
        var decidesOnExposure = true
        var exposes = true
    }

    /// Whether the camera decides if it focuses on faces; true by default. Setting it without automatic focus is misuse.
    public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
        get { hasAutomaticFocus && state.withLock { $0.faces.decidesOnFocus } }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:"
            guard takesFaces(method, hasAutomaticFocus) else { return }
            state.withLock { $0.faces.decidesOnFocus = newValue }
        }
    }

    /// Whether the camera focuses on faces; true by default. Setting it without automatic focus, or while the camera decides,
    /// is misuse.
    public var isFaceDrivenAutoFocusEnabled: Bool {
        get { hasAutomaticFocus && state.withLock { $0.faces.decidesOnFocus || $0.faces.focuses } }
        set {
            let method = "setFaceDrivenAutoFocusEnabled:"
            guard takesFaces(method, hasAutomaticFocus, decides: automaticallyAdjustsFaceDrivenAutoFocusEnabled)
            else { return }
            state.withLock { $0.faces.focuses = newValue }
        }
    }

    /// Whether the camera decides if it exposes for faces; true by default. Setting it without automatic exposure is misuse.
    public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
        get { hasAutomaticExposure && state.withLock { $0.faces.decidesOnExposure } }
        set {
            let method = "setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:"
            guard takesFaces(method, hasAutomaticExposure) else { return }
            state.withLock { $0.faces.decidesOnExposure = newValue }
        }
    }

    /// Whether the camera exposes for faces; true by default. Setting it without automatic exposure, or while the camera
    /// decides, is misuse.
    public var isFaceDrivenAutoExposureEnabled: Bool {
        get { hasAutomaticExposure && state.withLock { $0.faces.decidesOnExposure || $0.faces.exposes } }
        set {
            let method = "setFaceDrivenAutoExposureEnabled:"
            guard takesFaces(method, hasAutomaticExposure, decides: automaticallyAdjustsFaceDrivenAutoExposureEnabled)
            else { return }
            state.withLock { $0.faces.exposes = newValue }
        }
    }

    private var hasAutomaticFocus: Bool {
        isFocusModeSupported(.autoFocus) || isFocusModeSupported(.continuousAutoFocus)
    }

    private var hasAutomaticExposure: Bool {
        isExposureModeSupported(.autoExpose) || isExposureModeSupported(.continuousAutoExposure)
    }

    /// Whether a client may say so now; reports the misuse where not.
    private func takesFaces(_ method: String, _ isAutomatic: Bool, decides: Bool = false) -> Bool {
        guard isLocked(for: method) else { return false }
        let reason: String? =
            if !isAutomatic {
                "\(self) has nothing automatic that faces could drive"
            } else if decides {
                "May not be called while the camera decides: set automaticallyAdjusts… to NO first"
            } else {
                nil
            }
        if let reason { surroundings.misuse.report(.invalidArgument, "-[AVCaptureDevice \(method)] \(reason)") }
        return reason == nil
    }
}
