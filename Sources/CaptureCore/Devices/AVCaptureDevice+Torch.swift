import CaptureHAL
import MediaAssets

extension AVCaptureDevice {
    /// For `setTorchModeOn(level:)`: as bright as the lamp can be now.
    public static let maxAvailableTorchLevel = Float.greatestFiniteMagnitude

    /// Whether the device has a lamp.
    public var hasTorch: Bool { range(.torchLevel) != nil }
    /// Whether the lamp can be lit now: not where the device is too hot for it; can be observed.
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
    /// `.off` always, `.on` with a lamp, `.auto` where the device also tells its exposure.
    public func isTorchModeSupported(_ mode: TorchMode) -> Bool {
        switch mode {
        case .off: true
        case .on: hasTorch
        case .auto: hasTorch && tellsLight
        }
    }

    /// Whether the lamp is on; setting `.on` takes the greatest level that there is now, which heat lowers.
    ///
    /// With `.auto` it is lit while the scene is dark: below 10 lx by the exposure of the frames, the brighter the darker it
    /// is, until the scene has four times as much without it. `isTorchActive` tells whether it is lit now.
    public var torchMode: TorchMode {
        get {
            observedProperties.access()
            if state.withLock({ $0.automaticTorch != nil }) { return .auto }
            return isTorchActive ? .on : .off
        }
        set {
            guard isLocked(for: "setTorchMode:") else { return }
            guard isTorchModeSupported(newValue) else {
                return surroundings.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice setTorchMode:] torch mode \(newValue) is not supported by \(self)")
            }
            state.withLock { $0.automaticTorch = newValue == .auto ? AutomaticTorch() : nil }
            sceneLight.isTorchAutomatic = newValue == .auto
            guard let most = range(.torchLevel)?.upperBound else { return }
            set(.torchLevel, to: .number(newValue == .on && isTorchAvailable ? most : 0))
        }
    }

    /// Turns the lamp on.
    ///
    /// - Parameter level: Above 0 and at most 1, or `maxAvailableTorchLevel`.
    /// - Throws: `AVError.torchLevelUnavailable` where the lamp cannot be that bright now.
    public func setTorchModeOn(level: Float) throws {
        guard isLocked(for: "setTorchModeOnWithLevel:error:") else { return }
        let takesMost = level == Self.maxAvailableTorchLevel
        guard let range = range(.torchLevel), takesMost || level > 0 && level <= 1 else {
            return surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice setTorchModeOnWithLevel:error:] the level must be above 0 and at most 1, "
                    + "and the device must have a torch")
        }
        let wanted = takesMost ? range.upperBound : Double(level)
        guard isTorchAvailable, wanted <= range.upperBound else {
            let most = isTorchAvailable ? "brighter than \(range.upperBound)" : "lit"
            throw AVError(
                .torchLevelUnavailable, "the torch cannot be \(most) now", cause: nil, [AVErrorDeviceKey: self])
        }
        state.withLock { $0.automaticTorch = nil }
        sceneLight.isTorchAutomatic = false
        if let error = set(.torchLevel, to: .number(wanted)) { throw AVError(error, device: self) }
    }
}
