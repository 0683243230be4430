import CaptureHAL

extension AVCaptureDevice {
    /// Whether the device has a flash.
    public var hasFlash: Bool { controls[.flash] != nil }

    /// Whether the flash can be used now: not where the device is too hot for it.
    public var isFlashAvailable: Bool {
        observedProperties.access()
        return hasFlash && hardware.condition.pressure.level < .critical
    }

    /// Whether a still would be lit now.
    public var isFlashActive: Bool {
        observedProperties.access()
        switch flashMode {
        case .off: return false
        case .on: return isFlashAvailable
        case .auto: return isFlashAvailable && isDim
        }
    }

    /// `.off` always, the others where the device has a flash.
    public func isFlashModeSupported(_ flashMode: FlashMode) -> Bool { flashMode == .off || hasFlash }

    /// Whether stills are lit; an unsupported mode is misuse.
    ///
    /// As on Apple's systems `AVCapturePhotoOutput` ignores it and goes by its settings.
    public var flashMode: FlashMode {
        get {
            observedProperties.access()
            return state.withLock { $0.flashMode }
        }
        set {
            guard isLocked(for: "setFlashMode:") else { return }
            guard isFlashModeSupported(newValue) else {
                return reportUnsupported("setFlashMode:", "\(newValue)", "isFlashModeSupported:")
            }
            state.withLock { $0.flashMode = newValue }
            observedProperties.changed(["flashMode", "isFlashActive"])
        }
    }
}
