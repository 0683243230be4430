import CaptureHAL
import MediaTypes

// Features that no backend supports. The output behaves as on a device without them: they are not supported, and
// enabling them is misuse.

/// Several images of one scene.
extension AVCapturePhotoOutput {
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
