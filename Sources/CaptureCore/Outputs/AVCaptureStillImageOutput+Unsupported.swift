import AssetTypes
import CaptureHAL
public import MediaTypes

// Features that only some cameras support. Without them, the output behaves as on a device without them: they are not
// supported, and setting them is misuse.

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
    /// The maximum number of images in a bracket; 0 if the camera captures no stills beside its stream.
    public var maxBracketedCaptureStillImageCount: Int {
        observedProperties.access()
        return connection(with: .video)?.deviceInput?.device.maximumBracketCount ?? 0
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

    /// Calls the handler on a queue of the output: with true, because the output needs no preparation, or with
    /// `AVError.maximumStillImageCaptureRequestsExceeded` if the bracket has too many images.
    ///
    /// Settings of different classes, or outside the ranges of the camera, are misuse.
    @preconcurrency
    public func prepareToCaptureStillImageBracket(
        from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let method = "prepareToCaptureStillImageBracketFromConnection:withSettingsArray:completionHandler:"
        guard checkBracket(settings, connection, method) else { return }
        let error = bracketError(settings)
        system.deliver(on: callbackQueue) { handler(error == nil, error) }
    }

    /// Captures an image for each of the settings, in their order.
    ///
    /// The handler is called once for each of them, on a queue of the output, with an image or an error:
    /// `AVError.maximumStillImageCaptureRequestsExceeded` if there are too many. Settings of different classes, or outside
    /// the ranges of the camera, and a connection that can deliver no image, are misuse. The flash does not fire.
    @preconcurrency
    public func captureStillImageBracketAsynchronously(
        from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
        completionHandler handler:
            @escaping @Sendable (CMSampleBuffer?, AVCaptureBracketedStillImageSettings?, (any Error)?) -> Void
    ) {
        let method = "captureStillImageBracketAsynchronouslyFromConnection:withSettingsArray:completionHandler:"
        guard checkConnection(connection, method), checkBracket(settings, connection, method) else { return }
        guard let error = bracketError(settings) else {
            return capture(from: connection, settings.map(\.stillExposure), usesFlash: false) {
                handler($1, settings[$0], $2)
            }
        }
        for image in settings {
            system.deliver(on: callbackQueue) { handler(nil, image, error) }
        }
    }

    /// Reports misuse if settings do not form a bracket, or the camera cannot make an exposure.
    ///
    /// - Returns: Whether the settings form a bracket.
    private func checkBracket(
        _ settings: [AVCaptureBracketedStillImageSettings], _ connection: AVCaptureConnection, _ method: String
    ) -> Bool {
        let device = connection.deviceInput?.device
        let reason =
            settings.bracketRejectionReason
            ?? device.flatMap { device in settings.lazy.compactMap { $0.rejectionReason(for: device) }.first }
        guard let reason else { return true }
        system.misuse.report(.invalidArgument, "-[AVCaptureStillImageOutput \(method)] \(reason)")
        return false
    }

    /// The error of a bracket with too many images; nil if the camera can capture it.
    private func bracketError(_ settings: [AVCaptureBracketedStillImageSettings]) -> AVError? {
        let limit = maxBracketedCaptureStillImageCount
        guard settings.count > limit else { return nil }
        return AVError(
            .maximumStillImageCaptureRequestsExceeded,
            "\(settings.count) images exceed maxBracketedCaptureStillImageCount, which is \(limit)")
    }
}
