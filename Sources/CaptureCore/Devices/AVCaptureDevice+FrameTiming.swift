import CaptureHAL
public import Foundation
public import MediaTypes

// Frame durations that are locked, driven by another device, or chosen by the camera: no camera here supports them.
extension AVCaptureDevice {
    public var isVideoFrameDurationLocked: Bool {
        observedProperties.access()
        return false
    }

    /// The shortest duration to which an input can lock frames; invalid without support.
    public var minSupportedLockedVideoFrameDuration: CMTime { .invalid }

    public var isFollowingExternalSyncDevice: Bool {
        observedProperties.access()
        return false
    }

    /// The shortest duration with which an input can follow an external device; invalid without support.
    public var minSupportedExternalSyncFrameDuration: CMTime { .invalid }

    /// Whether the camera chooses the frame rate by the light; no format supports it, so that setting it is misuse.
    public var isAutoVideoFrameRateEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard isLocked(for: "setAutoVideoFrameRateEnabled:") else { return }
            reportUnsupported(
                "setAutoVideoFrameRateEnabled:", "auto video frame rate",
                "[AVCaptureDeviceFormat isAutoVideoFrameRateSupported]")
        }
    }
}

extension AVCaptureDevice.Format {
    public var isAutoVideoFrameRateSupported: Bool { false }

    /// The horizontal field of view after the correction of distortion: no camera corrects it.
    public var geometricDistortionCorrectedVideoFieldOfView: Float { videoFieldOfView }

    /// The zoom factors at which the sensor changes its sampling; none.
    public var secondaryNativeResolutionZoomFactors: [CGFloat] { [] }

    /// Whether the quality of photos depends on the prioritization; the quality is always the same.
    public var isHighPhotoQualitySupported: Bool { false }

    public var isPortraitEffectsMatteStillImageDeliverySupported: Bool { false }

    /// The outputs that do not accept this format; none.
    public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
}
