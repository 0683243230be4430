import CaptureHAL
import MediaTypes

/// The settings of zero shutter lag and of the rate of captures.
struct CaptureResponsiveness: Sendable {
    var hasZeroShutterLag = false
    var isResponsive = false
    var isFast = false
}

/// Zero shutter lag, responsive capture and fast capture prioritization.
extension AVCapturePhotoOutput {
    /// Whether a photo can be a frame from before the request: if the camera retains its last frames.
    public var isZeroShutterLagSupported: Bool {
        observedProperties.access()
        return (camera?.hardware.descriptor.stills?.recentFrameCount ?? 0) > 0
    }

    /// Whether a photo is the last frame before the request. Setting it to true if that is not supported is misuse.
    ///
    /// It has no effect on photos that prioritize speed, photos with flash or custom exposure, and brackets.
    /// - Note: Unlike Apple, false by default.
    public var isZeroShutterLagEnabled: Bool {
        get {
            observedProperties.access()
            return withResponsiveness { $0.hasZeroShutterLag } && isZeroShutterLagSupported
        }
        set {
            let isSupported = isZeroShutterLagSupported
            set(\.hasZeroShutterLag, to: newValue, isSupported, "setZeroShutterLagEnabled:", "Zero shutter lag") {
                observedProperties.changed(["isZeroShutterLagEnabled", "isResponsiveCaptureSupported"])
            }
        }
    }

    /// Whether captures can begin while earlier photos are processed: with zero shutter lag.
    public var isResponsiveCaptureSupported: Bool {
        observedProperties.access()
        return isZeroShutterLagEnabled
    }

    /// Whether the output is ready for a capture while earlier photos are processed. Setting it to true if that is not
    /// supported is misuse.
    public var isResponsiveCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return withResponsiveness { $0.isResponsive } && isResponsiveCaptureSupported
        }
        set {
            let isSupported = isResponsiveCaptureSupported
            set(\.isResponsive, to: newValue, isSupported, "setResponsiveCaptureEnabled:", "Responsive capture") {
                observedProperties.changed(["isResponsiveCaptureEnabled", "isFastCapturePrioritizationSupported"])
                scheduleReadinessUpdate()
            }
        }
    }

    /// Whether the quality of photos in rapid succession can be reduced: with responsive capture.
    ///
    /// Setting it to true is misuse unless it is true; Apple's header declares a setter.
    public var isFastCapturePrioritizationSupported: Bool {
        get {
            observedProperties.access()
            return isResponsiveCaptureEnabled
        }
        set {
            rejectEnabling(
                newValue && !isFastCapturePrioritizationSupported, "setFastCapturePrioritizationSupported:",
                "Fast capture prioritization")
        }
    }

    /// Whether no frames are merged for a photo that is requested while another capture is in progress. Setting it to
    /// true if that is not supported is misuse.
    public var isFastCapturePrioritizationEnabled: Bool {
        get {
            observedProperties.access()
            return withResponsiveness { $0.isFast } && isFastCapturePrioritizationSupported
        }
        set {
            set(
                \.isFast, to: newValue, isFastCapturePrioritizationSupported, "setFastCapturePrioritizationEnabled:",
                "Fast capture prioritization"
            ) { observedProperties.changed(["isFastCapturePrioritizationEnabled"]) }
        }
    }

    /// Disables the features that are no longer supported, after a commit or a change of the format. They stay disabled
    /// when they are supported again.
    func disableUnsupportedResponsiveness() {
        if !isZeroShutterLagSupported { withResponsiveness { $0 = CaptureResponsiveness() } }
    }

    /// Enables or disables a feature. Enabling one that is not supported is misuse.
    ///
    /// - Parameter changed: Called after the change.
    private func set(
        _ feature: WritableKeyPath<CaptureResponsiveness, Bool>, to isEnabled: Bool, _ isSupported: Bool,
        _ setter: String, _ name: String, changed: () -> Void
    ) {
        guard !isEnabled || isSupported else { return rejectEnabling(isEnabled, setter, name) }
        withResponsiveness { $0[keyPath: feature] = isEnabled }
        changed()
    }
}
