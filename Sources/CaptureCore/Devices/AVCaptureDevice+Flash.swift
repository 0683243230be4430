import CaptureHAL

extension AVCaptureDevice {
    /// Whether the device has a flash.
    public var hasFlash: Bool { controls[.flash] != nil }

    /// Whether the flash is available; false if the device is too hot.
    public var isFlashAvailable: Bool {
        observedProperties.access()
        return hasFlash && hardware.condition.pressure.level < .critical
    }

    /// Whether the flash would fire for a still image that is captured now.
    public var isFlashActive: Bool {
        observedProperties.access()
        switch flashMode {
        case .off: return false
        case .on: return isFlashAvailable
        case .auto: return isFlashAvailable && isSceneDim
        }
    }

    /// Whether the device supports a mode: all with a flash, none without.
    public func isFlashModeSupported(_ flashMode: FlashMode) -> Bool { hasFlash }

    /// The flash mode for still images. Setting an unsupported mode is misuse.
    ///
    /// As in Apple's implementation, `AVCapturePhotoOutput` ignores it in favor of its photo settings.
    public var flashMode: FlashMode {
        get {
            observedProperties.access()
            return state.withLock { $0.flashMode }
        }
        set {
            guard checkLock(for: "setFlashMode:") else { return }
            guard isFlashModeSupported(newValue) else {
                return reportUnsupported("setFlashMode:", "flash mode \(newValue)", "isFlashModeSupported:")
            }
            state.withLock { $0.flashMode = newValue }
            observedProperties.changed(["flashMode", "isFlashActive"])
        }
    }
}
