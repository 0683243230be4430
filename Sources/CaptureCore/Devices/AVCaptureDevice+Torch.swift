import AssetTypes
import CaptureHAL

extension AVCaptureDevice {
    /// A value for `setTorchModeOn(level:)` that selects the highest level that is available now.
    public static let maxAvailableTorchLevel = Float.greatestFiniteMagnitude

    /// Whether the device has a torch.
    public var hasTorch: Bool { range(.torchLevel) != nil }
    /// Whether the torch is available; false if the device is too hot. Can be observed.
    public var isTorchAvailable: Bool {
        observedProperties.access()
        return hasTorch && hardware.condition.pressure.level < .critical
    }
    public var isTorchActive: Bool {
        observedProperties.access()
        return torchLevel > 0
    }
    /// 0 … 1.
    public var torchLevel: Float {
        observedProperties.access()
        return Float(number(.torchLevel) ?? 0)
    }
    /// Whether the device supports a mode: none without a torch, and `.auto` only if it reports its exposure.
    public func isTorchModeSupported(_ mode: TorchMode) -> Bool {
        switch mode {
        case .off, .on: hasTorch
        case .auto: hasTorch && reportsExposure
        }
    }

    /// The torch mode; `.on` sets the highest available level, which heat reduces.
    ///
    /// With `.auto` the torch is lit while the scene is dark: from an illuminance below 10 lx, computed from the
    /// exposure of the frames, until the scene without the torch has more than 40 lx. Darker scenes get a higher level.
    /// `isTorchActive` reports whether the torch is lit now.
    public var torchMode: TorchMode {
        get {
            observedProperties.access()
            if state.withLock({ $0.automaticTorch != nil }) { return .auto }
            return isTorchActive ? .on : .off
        }
        set {
            guard checkLock(for: "setTorchMode:") else { return }
            guard isTorchModeSupported(newValue) else {
                return reportUnsupported("setTorchMode:", "torch mode \(newValue)", "isTorchModeSupported:")
            }
            state.withLock { $0.automaticTorch = newValue == .auto ? AutomaticTorch() : nil }
            automaticTorchFlag.isOn = newValue == .auto
            guard let maximum = range(.torchLevel)?.upperBound else { return }
            set(.torchLevel, to: .number(newValue == .on && isTorchAvailable ? maximum : 0))
        }
    }

    /// Turns the torch on.
    ///
    /// - Parameter level: Above 0 and at most 1, or `maxAvailableTorchLevel`.
    /// - Throws: `AVError.torchLevelUnavailable` if this level is not available now.
    public func setTorchModeOn(level: Float) throws {
        guard checkLock(for: "setTorchModeOnWithLevel:error:") else { return }
        let usesMaximum = level == Self.maxAvailableTorchLevel
        guard let range = range(.torchLevel) else {
            return reportUnsupported("setTorchModeOnWithLevel:error:", "torch mode on", "isTorchModeSupported:")
        }
        guard usesMaximum || level > 0 && level <= 1 else {
            return environment.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice setTorchModeOnWithLevel:error:] the level \(level) must be above 0 and at most 1")
        }
        let target = usesMaximum ? range.upperBound : Double(level)
        guard isTorchAvailable, target <= range.upperBound else {
            let limit = isTorchAvailable ? "brighter than \(range.upperBound)" : "lit"
            throw AVError(
                .torchLevelUnavailable, "the torch cannot be \(limit) now", cause: nil, [AVErrorDeviceKey: self])
        }
        state.withLock { $0.automaticTorch = nil }
        automaticTorchFlag.isOn = false
        if let error = set(.torchLevel, to: .number(target)) { throw AVError(error, device: self) }
    }
}
