// No camera here looks for faces to focus on or to expose for: what asks for that is misuse, as on Apple's systems for a
// camera without automatic focus or exposure.
extension AVCaptureDevice {
    /// Whether the camera decides if it focuses on faces; none here does. Setting it is misuse.
    public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
        get { false }
        set { refuseFaces("setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:", "face-driven focus") }
    }

    /// Whether the camera focuses on faces; none here does. Setting it is misuse.
    public var isFaceDrivenAutoFocusEnabled: Bool {
        get { false }
        set { refuseFaces("setFaceDrivenAutoFocusEnabled:", "face-driven focus") }
    }

    /// Whether the camera decides if it exposes for faces; none here does. Setting it is misuse.
    public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
        get { false }
        set { refuseFaces("setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:", "face-driven exposure") }
    }

    /// Whether the camera exposes for faces; none here does. Setting it is misuse.
    public var isFaceDrivenAutoExposureEnabled: Bool {
        get { false }
        set { refuseFaces("setFaceDrivenAutoExposureEnabled:", "face-driven exposure") }
    }

    private func refuseFaces(_ method: String, _ what: String) {
        guard isLocked(for: method) else { return }
        surroundings.misuse.report(
            .invalidArgument, "-[AVCaptureDevice \(method)] \(what) is not supported by \(self)")
    }
}
