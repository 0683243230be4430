public import AssetTypes
import CaptureHAL
import MediaTypes

// Features that no backend supports. The output behaves as on a device without them: they are not supported, and
// enabling them is misuse.

/// Live Photos.
extension AVCapturePhotoOutput {
    public var isLivePhotoCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isLivePhotoCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setLivePhotoCaptureEnabled:", "Live Photo capture") }
    }

    /// Setting it to true is misuse.
    public var isLivePhotoCaptureSuspended: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setLivePhotoCaptureSuspended:", "Live Photo capture") }
    }

    /// Has no effect.
    public var isLivePhotoAutoTrimmingEnabled: Bool {
        get {
            observedProperties.access()
            return livePhotoSettings.trims
        }
        set {
            livePhotoSettings.trims = newValue
            observedProperties.changed()
        }
    }

    /// Has no effect.
    public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
        get {
            observedProperties.access()
            return livePhotoSettings.preservesSuspension
        }
        set {
            livePhotoSettings.preservesSuspension = newValue
            observedProperties.changed()
        }
    }

    public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] {
        observedProperties.access()
        return []
    }
}

/// Shutter lag and the rate of captures.
extension AVCapturePhotoOutput {
    public var isZeroShutterLagSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isZeroShutterLagEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setZeroShutterLagEnabled:", "Zero shutter lag") }
    }

    public var isResponsiveCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isResponsiveCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setResponsiveCaptureEnabled:", "Responsive capture") }
    }

    /// Setting it to true is misuse; Apple's header declares a setter.
    public var isFastCapturePrioritizationSupported: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setFastCapturePrioritizationSupported:", "Fast capture prioritization") }
    }

    /// Setting it to true is misuse.
    public var isFastCapturePrioritizationEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setFastCapturePrioritizationEnabled:", "Fast capture prioritization") }
    }

    public var isAutoDeferredPhotoDeliverySupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isAutoDeferredPhotoDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setAutoDeferredPhotoDeliveryEnabled:", "Deferred photo delivery") }
    }
}

/// Several images of one scene.
extension AVCapturePhotoOutput {
    /// Always 0: brackets cannot be captured.
    public var maxBracketedCapturePhotoCount: Int {
        observedProperties.access()
        return 0
    }

    public var isLensStabilizationDuringBracketedCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    public var isStillImageStabilizationSupported: Bool {
        observedProperties.access()
        return false
    }

    public var isStillImageStabilizationScene: Bool {
        observedProperties.access()
        return false
    }

    public var isVirtualDeviceFusionSupported: Bool {
        observedProperties.access()
        return false
    }

    public var isDualCameraFusionSupported: Bool {
        observedProperties.access()
        return false
    }

    public var isVirtualDeviceConstituentPhotoDeliverySupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isVirtualDeviceConstituentPhotoDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            rejectEnabling(
                newValue, "setVirtualDeviceConstituentPhotoDeliveryEnabled:",
                "Virtual device constituent photo delivery")
        }
    }

    public var isDualCameraDualPhotoDeliverySupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isDualCameraDualPhotoDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setDualCameraDualPhotoDeliveryEnabled:", "Dual photo delivery") }
    }

    public var isCameraCalibrationDataDeliverySupported: Bool {
        observedProperties.access()
        return false
    }
}

/// The processing of a photo.
extension AVCapturePhotoOutput {
    public var isAutoRedEyeReductionSupported: Bool {
        observedProperties.access()
        return false
    }

    public var isContentAwareDistortionCorrectionSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isContentAwareDistortionCorrectionEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            rejectEnabling(
                newValue, "setContentAwareDistortionCorrectionEnabled:", "Content aware distortion correction")
        }
    }

    public var isConstantColorSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isConstantColorEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setConstantColorEnabled:", "Constant color") }
    }

    /// Always false: there is no shutter sound.
    public var isShutterSoundSuppressionSupported: Bool { false }

    public var isCameraSensorOrientationCompensationSupported: Bool { false }

    /// Setting it to true is misuse.
    public var isCameraSensorOrientationCompensationEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            rejectEnabling(
                newValue, "setCameraSensorOrientationCompensationEnabled:", "Camera sensor orientation compensation")
        }
    }

    public var isPortraitEffectsMatteDeliverySupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isPortraitEffectsMatteDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setPortraitEffectsMatteDeliveryEnabled:", "Portrait effects matte delivery") }
    }

    public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        observedProperties.access()
        return []
    }

    /// Setting it to a non-empty array is misuse.
    public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
        get {
            observedProperties.access()
            return []
        }
        set {
            rejectEnabling(
                !newValue.isEmpty, "setEnabledSemanticSegmentationMatteTypes:", "Semantic segmentation matte delivery")
        }
    }
}

extension AVCapturePhotoOutput {
    /// Reports misuse if a client enables a feature.
    func rejectEnabling(_ isEnabled: Bool, _ setter: String, _ feature: String) {
        guard isEnabled else { return }
        system.misuse.report(
            .invalidArgument,
            "-[AVCapturePhotoOutput \(setter)] \(feature) is not supported in the current configuration")
    }
}
