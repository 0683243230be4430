import CaptureHAL

extension AVCaptureDevice {
    /// Whether the device has a lamp.
    public var hasTorch: Bool { range(.torchLevel) != nil }
    public var isTorchAvailable: Bool { hasTorch }
    public var isTorchActive: Bool {
        observedProperties.access()
        return torchLevel > 0
    }
    /// 0 … 1.
    public var torchLevel: Float {
        observedProperties.access()
        return Float(number(.torchLevel) ?? 0)
    }
    /// Whether the device has a flash.
    public var hasFlash: Bool { controls[.flash] != nil }
    public var isFlashAvailable: Bool { hasFlash }

    public func isTorchModeSupported(_ mode: TorchMode) -> Bool {
        mode == .off || (mode == .on && hasTorch)
    }

    /// Whether the lamp is on; setting `.on` takes the greatest level.
    public var torchMode: TorchMode {
        get {
            observedProperties.access()
            return isTorchActive ? .on : .off
        }
        set {
            guard isLocked(for: "setTorchMode:") else { return }
            guard isTorchModeSupported(newValue) else {
                return surroundings.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice setTorchMode:] torch mode \(newValue) is not supported by \(self)")
            }
            if hasTorch { set(.torchLevel, to: .number(newValue == .on ? 1 : 0)) }
        }
    }

    /// Turns the lamp on.
    ///
    /// - Parameter level: Above 0 and at most 1.
    /// - Throws: `AVError.torchLevelUnavailable` where the lamp cannot be that bright now.
    public func setTorchModeOn(level: Float) throws {
        guard isLocked(for: "setTorchModeOnWithLevel:error:") else { return }
        guard let range = range(.torchLevel), level > 0, level <= 1 else {
            return surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice setTorchModeOnWithLevel:error:] the level must be above 0 and at most 1, "
                    + "and the device must have a torch")
        }
        guard Double(level) <= range.upperBound else {
            throw AVError(.torchLevelUnavailable, "the torch cannot be brighter than \(range.upperBound) now")
        }
        if let error = set(.torchLevel, to: .number(Double(level))) { throw AVError(error, device: self) }
    }
}
