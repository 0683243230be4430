import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// A value for `setFocusModeLocked(lensPosition:)` that keeps the current position.
    public static let currentLensPosition = Float.greatestFiniteMagnitude

    /// Whether the device supports a mode; a fixed-focus lens supports none.
    public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
        hasMode(ControlMode(focusMode), of: .focusMode)
    }

    /// Whether `setFocusModeLocked(lensPosition:)` accepts other positions than the current one; false for dual, dual
    /// wide and triple cameras.
    public var isLockingFocusWithCustomLensPositionSupported: Bool {
        supportsManualSettings && isFocusModeSupported(.locked) && range(.lensPosition) != nil
    }

    /// The mode that controls the lens position; setting it starts a scan at the point of interest.
    ///
    /// `.autoFocus` becomes `.locked` when it has finished. An unsupported mode is misuse.
    public var focusMode: FocusMode {
        get {
            observedProperties.access()
            switch mode(.focusMode) {
            case .auto: return .autoFocus
            case .continuousAuto: return .continuousAutoFocus
            case .locked, .custom, nil: return .locked
            }
        }
        set {
            guard checkLock(for: "setFocusMode:") else { return }
            guard isFocusModeSupported(newValue) else {
                return reportUnsupported("setFocusMode:", "focus mode \(newValue)", "isFocusModeSupported:")
            }
            let point = state.withLock { state in
                defer { state.focusPoint = nil }
                if state.focusPoint != nil { state.appliedPoints.insert(.focusPoint) }
                return state.focusPoint
            }
            set(
                (point.map { [(.focusPoint, $0)] } ?? [])
                    + changes(of: .faceDrivenFocus, to: isFaceDrivenAutoFocusEnabled) + [
                        (.focusMode, .integer(ControlMode(newValue).rawValue))
                    ])
        }
    }

    public var isFocusPointOfInterestSupported: Bool { controls[.focusPoint] != nil }

    /// The point to focus on: (0,0) top left to (1,1) bottom right of the unrotated frame. At the center, the largest
    /// face has priority while `isFaceDrivenAutoFocusEnabled` is true.
    ///
    /// It takes effect when `focusMode` is set afterwards, and is reset to the center by a new format. Setting it
    /// without support, or outside the frame, is misuse.
    public var focusPointOfInterest: CGPoint {
        get {
            observedProperties.access()
            return state.withLock { $0.focusPoint }.flatMap(CGPoint.init) ?? point(.focusPoint)
        }
        set {
            setPoint(
                newValue, of: .focusPoint, \.focusPoint, "setFocusPointOfInterest:",
                "isFocusPointOfInterestSupported")
        }
    }

    /// Whether automatic focus is adjusting.
    public var isAdjustingFocus: Bool {
        observedProperties.access()
        return flag(.focusAdjusting) ?? false
    }

    /// The lens position, 0 nearest … 1 farthest; 1 for a fixed-focus lens.
    public var lensPosition: Float {
        observedProperties.access()
        return Float(number(.lensPosition) ?? 1)
    }

    /// Moves the lens and locks it.
    ///
    /// - Parameters:
    ///   - lensPosition: 0 … 1, or `currentLensPosition`; other values are misuse.
    ///   - handler: Receives the time, on the device's clock, of the first frame with the lens in position, or of the
    ///     first frame after the setting was superseded. The time is invalid if the device does not stream or stops
    ///     streaming.
    @preconcurrency
    public func setFocusModeLocked(
        lensPosition: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockLens(at: lensPosition, handler)
    }

    /// Moves the lens, locks it and waits for a frame with this setting.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setFocusModeLocked(lensPosition: Float) async -> CMTime {
        await appliedTime { lockLens(at: lensPosition, $0) }
    }

    /// - Returns: Whether the lens was locked; only then is the handler called.
    @discardableResult
    private func lockLens(at lensPosition: Float, _ handler: (@Sendable (CMTime) -> Void)?) -> Bool {
        let method = "setFocusModeLockedWithLensPosition:completionHandler:"
        guard checkLock(for: method) else { return false }
        let keepsPosition = lensPosition == Self.currentLensPosition
        let (isSupported, feature, check) =
            keepsPosition
            ? (isFocusModeSupported(.locked), "focus mode locked", "isFocusModeSupported:")
            : (
                isLockingFocusWithCustomLensPositionSupported, "lens position \(lensPosition)",
                "isLockingFocusWithCustomLensPositionSupported"
            )
        guard isSupported else {
            reportUnsupported(method, feature, check)
            return false
        }
        guard keepsPosition || (0...1).contains(lensPosition) else {
            reportOutOfRange(method, "lensPosition", lensPosition, "[0, 1]")
            return false
        }
        var locking: [(DeviceControl, ControlValue)] = [(.focusMode, .integer(ControlMode.locked.rawValue))]
        let target = keepsPosition ? nil : Double(lensPosition)
        if let target { locking.append((.lensPosition, .number(target))) }
        set(locking)
        callWhenApplied(.focus, handler) { settings in
            guard let target, let position = settings.lensPosition else { return nil }
            // The device may have rounded the position.
            return abs(position - target) < 0.005
        }
        return true
    }

    /// The minimum focus distance in millimeters; -1 if unknown.
    public var minimumFocusDistance: Int {
        // Constituents with fixed focus do not count.
        let lenses = (isVirtualDevice ? constituentDevices : [self]).compactMap(\.hardware.descriptor.lens)
        return lenses.compactMap(\.minimumFocusDistanceMillimeters).min().map { Int($0.rounded()) } ?? -1
    }

    public var isSmoothAutoFocusSupported: Bool { controls[.smoothFocus] != nil }

    /// Whether automatic focus changes slowly, for movies; setting it without support is misuse.
    public var isSmoothAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return flag(.smoothFocus) ?? false
        }
        set {
            guard checkLock(for: "setSmoothAutoFocusEnabled:") else { return }
            guard isSmoothAutoFocusSupported else {
                return reportUnsupported("setSmoothAutoFocusEnabled:", "smooth autofocus", "isSmoothAutoFocusSupported")
            }
            set(.smoothFocus, to: .flag(newValue))
        }
    }

    /// Stores a point of interest, which is applied when the focus or exposure mode is set.
    func setPoint(
        _ point: CGPoint, of control: DeviceControl,
        _ target: any (WritableKeyPath<State, ControlValue?> & Sendable), _ method: String, _ check: String
    ) {
        guard checkLock(for: method) else { return }
        guard controls[control] != nil else {
            return reportUnsupported(method, "the point of interest (\(point.x), \(point.y))", check)
        }
        let value = ControlValue.point(x: Double(point.x), y: Double(point.y))
        guard ControlRange.point(defaultX: 0.5, defaultY: 0.5).contains(value) else {
            return reportOutOfRange(method, "point", point, "{0, 0} - {1, 1}")
        }
        state.withLock { $0[keyPath: target] = value }
        observedProperties.changed([control == .focusPoint ? "focusPointOfInterest" : "exposurePointOfInterest"])
    }

    /// Resets the points of interest to the center, including those that are not applied yet.
    func resetPointsOfInterest() {
        let (pending, applied) = state.withLock { state in
            defer { (state.focusPoint, state.exposurePoint, state.appliedPoints) = (nil, nil, []) }
            var pending: Set<DeviceControl> = []
            if state.focusPoint != nil { pending.insert(.focusPoint) }
            if state.exposurePoint != nil { pending.insert(.exposurePoint) }
            return (pending, state.appliedPoints)
        }
        // A device is opened only if one of its points was applied.
        let order = [DeviceControl.focusPoint, .exposurePoint]
        if !applied.isEmpty { set(order.filter(applied.contains).map { ($0, .point(x: 0.5, y: 0.5)) }) }
        for control in order where pending.contains(control) && !applied.contains(control) { notifyChange(of: control) }
    }

    /// Returns the effective point of interest.
    func point(_ control: DeviceControl) -> CGPoint {
        value(of: control).flatMap(CGPoint.init) ?? CGPoint(x: 0.5, y: 0.5)
    }
}

extension ControlMode {
    init(_ mode: AVCaptureDevice.FocusMode) {
        self =
            switch mode {
            case .locked: .locked
            case .autoFocus: .auto
            case .continuousAutoFocus: .continuousAuto
            }
    }
}

extension CGPoint {
    /// Creates the point of a control value; nil for other values.
    init?(_ value: ControlValue) {
        guard case .point(let x, let y) = value else { return nil }
        self.init(x: x, y: y)
    }
}
