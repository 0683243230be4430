import AssetTypes
import CaptureHAL
public import MediaTypes

// Features that no backend supports. The output behaves as on a device without them: they are not supported, and
// setting them is misuse.

/// Stabilization of images.
extension AVCaptureStillImageOutput {
    public var isStillImageStabilizationSupported: Bool { false }

    /// Setting it is misuse.
    public var automaticallyEnablesStillImageStabilizationWhenAvailable: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            rejectSetting(
                "setAutomaticallyEnablesStillImageStabilizationWhenAvailable:", "Still image stabilization")
        }
    }

    public var isStillImageStabilizationActive: Bool {
        observedProperties.access()
        return false
    }

    public var isCameraSensorOrientationCompensationSupported: Bool { false }

    /// Setting it to true is misuse.
    public var isCameraSensorOrientationCompensationEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard newValue else { return }
            rejectSetting(
                "setCameraSensorOrientationCompensationEnabled:", "Camera sensor orientation compensation")
        }
    }

    private func rejectSetting(_ setter: String, _ feature: String) {
        system.misuse.report(
            .invalidArgument,
            "-[AVCaptureStillImageOutput \(setter)] \(feature) is not supported in the current configuration")
    }
}

/// Brackets: several images with different exposures.
extension AVCaptureStillImageOutput {
    /// Always 0: brackets cannot be captured.
    public var maxBracketedCaptureStillImageCount: Int {
        observedProperties.access()
        return 0
    }

    public var isLensStabilizationDuringBracketedCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it is misuse.
    public var isLensStabilizationDuringBracketedCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectSetting("setLensStabilizationDuringBracketedCaptureEnabled:", "Lens stabilization") }
    }

    /// Calls the handler, on a queue of the output, with `AVError.maximumStillImageCaptureRequestsExceeded`.
    ///
    /// Settings of different classes are misuse.
    @preconcurrency
    public func prepareToCaptureStillImageBracket(
        from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let method = "prepareToCaptureStillImageBracketFromConnection:withSettingsArray:completionHandler:"
        guard checkBracket(settings, method) else { return }
        let error = bracketError(settings)
        system.deliver(on: callbackQueue) { handler(false, error) }
    }

    /// Calls the handler once for each of the settings, on a queue of the output, with
    /// `AVError.maximumStillImageCaptureRequestsExceeded`.
    ///
    /// Settings of different classes, and a connection that can deliver no image, are misuse.
    @preconcurrency
    public func captureStillImageBracketAsynchronously(
        from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
        completionHandler handler:
            @escaping @Sendable (CMSampleBuffer?, AVCaptureBracketedStillImageSettings?, (any Error)?) -> Void
    ) {
        let method = "captureStillImageBracketAsynchronouslyFromConnection:withSettingsArray:completionHandler:"
        guard checkConnection(connection, method), checkBracket(settings, method) else { return }
        let error = bracketError(settings)
        for image in settings {
            system.deliver(on: callbackQueue) { handler(nil, image, error) }
        }
    }

    /// Reports misuse if settings do not form a bracket.
    ///
    /// - Returns: Whether the settings form a bracket.
    private func checkBracket(_ settings: [AVCaptureBracketedStillImageSettings], _ method: String) -> Bool {
        guard let reason = settings.bracketRejectionReason else { return true }
        system.misuse.report(.invalidArgument, "-[AVCaptureStillImageOutput \(method)] \(reason)")
        return false
    }

    private func bracketError(_ settings: [AVCaptureBracketedStillImageSettings]) -> AVError {
        AVError(
            .maximumStillImageCaptureRequestsExceeded,
            "\(settings.count) images exceed maxBracketedCaptureStillImageCount, which is 0")
    }
}
