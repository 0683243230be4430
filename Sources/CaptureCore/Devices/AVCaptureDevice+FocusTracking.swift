// Autofocus that follows a subject, which no backend supports.
extension AVCaptureDevice {
    /// Whether automatic focus follows the subject at the point of interest; setting it to true is misuse, since no format
    /// supports it.
    public var isContinuousAutoFocusTrackingEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            let method = "setContinuousAutoFocusTrackingEnabled:"
            guard checkLock(for: method), newValue else { return }
            reportUnsupported(
                method, "autofocus tracking", "[AVCaptureDeviceFormat isContinuousAutoFocusTrackingSupported]")
        }
    }

    public var isContinuousAutoFocusTrackingSubjectAcquired: Bool {
        observedProperties.access()
        return false
    }

    /// The part of the subject that is in focus, from −1 (the nearest) to 1 (the farthest). Setting it to another value
    /// than 0 is misuse, since tracking cannot be enabled.
    public var continuousAutoFocusTrackingLensPositionBias: Float {
        get {
            observedProperties.access()
            return 0
        }
        set {
            let method = "setContinuousAutoFocusTrackingLensPositionBias:"
            guard checkLock(for: method), newValue != 0 else { return }
            reportUnsupported(
                method, "a bias of \(newValue) without autofocus tracking",
                "[AVCaptureDevice isContinuousAutoFocusTrackingEnabled]")
        }
    }
}

extension AVCaptureDevice.Format {
    public var isContinuousAutoFocusTrackingSupported: Bool { false }
}
