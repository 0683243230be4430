// Noise reduction of videos in dim light, which no backend supports.
extension AVCaptureConnection {
    public var isLowLightVideoNoiseReductionSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Whether the connection reduces noise if that is supported; true by default for movie file outputs.
    public var automaticallyEnablesLowLightVideoNoiseReduction: Bool {
        get {
            observedProperties.access()
            return state.withLock { $0.reducesNoiseAutomatically } ?? (output is AVCaptureMovieFileOutput)
        }
        set {
            state.withLock { $0.reducesNoiseAutomatically = newValue }
            observedProperties.changed()
        }
    }

    /// Whether noise is reduced. Setting it is misuse while `automaticallyEnablesLowLightVideoNoiseReduction` is true;
    /// setting it to true always, since no format supports it.
    public var isLowLightVideoNoiseReductionEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            let method = "setLowLightVideoNoiseReductionEnabled:"
            if automaticallyEnablesLowLightVideoNoiseReduction {
                misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection \(method)] cannot be called while "
                        + "automaticallyEnablesLowLightVideoNoiseReduction is true")
            } else if newValue {
                misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection \(method)] noise reduction is not supported - use "
                        + "-[AVCaptureConnection isLowLightVideoNoiseReductionSupported]")
            }
        }
    }
}

extension AVCaptureDevice.Format {
    public var isLowLightVideoNoiseReductionSupported: Bool { false }
}
