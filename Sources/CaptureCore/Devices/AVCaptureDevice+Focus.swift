import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// For `setFocusModeLocked(lensPosition:)`: where the lens is now.
    public static let currentLensPosition = Float.greatestFiniteMagnitude

    /// Whether the lens can be moved by such a mode; a fixed lens has none.
    public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
        hasMode(ControlMode(focusMode), of: .focusMode)
    }

    /// Whether `setFocusModeLocked(lensPosition:)` takes other positions than the present one; not so for a dual, dual wide
    /// or triple camera.
    public var isLockingFocusWithCustomLensPositionSupported: Bool {
        takesSettingsByHand && isFocusModeSupported(.locked) && range(.lensPosition) != nil
    }

    /// How the lens finds its position; a scan begins, about the point of interest, when a mode is set.
    ///
    /// After `.autoFocus` has found the position the mode is `.locked`. An unsupported mode is misuse.
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
            guard isLocked(for: "setFocusMode:") else { return }
            guard isFocusModeSupported(newValue) else {
                return reportUnsupported("setFocusMode:", "\(newValue)", "isFocusModeSupported:")
            }
            let point = state.withLock { state in
                defer { state.focusPoint = nil }
                if state.focusPoint != nil { state.movedPoints.insert(.focusPoint) }
                return state.focusPoint
            }
            set(
                (point.map { [(.focusPoint, $0)] } ?? []) + [
                    (.focusMode, .integer(ControlMode(newValue).rawValue))
                ])
        }
    }

    public var isFocusPointOfInterestSupported: Bool { controls[.focusPoint] != nil }

    /// What is to be sharp: (0,0) top left to (1,1) bottom right of the unrotated picture.
    ///
    /// It takes effect when `focusMode` is set after it, and goes back to the middle with a new format. Without support, or
    /// outside the picture, it is misuse.
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

    /// Whether the lens is moving by itself.
    public var isAdjustingFocus: Bool {
        observedProperties.access()
        return flag(.focusAdjusting) ?? false
    }

    /// 0 nearest … 1 farthest; 1 where the lens is fixed.
    public var lensPosition: Float {
        observedProperties.access()
        return Float(number(.lensPosition) ?? 1)
    }

    /// Moves the lens and keeps it there.
    ///
    /// - Parameters:
    ///   - lensPosition: 0 … 1, or `currentLensPosition`; others are misuse.
    ///   - handler: Is given the time of the first frame taken with the lens in place, on the device's clock; where another
    ///     setting came in between, of the first frame after that. Invalid where the device does not stream, or ceases to.
    public func setFocusModeLocked(
        lensPosition: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockLens(at: lensPosition, handler)
    }

    /// Moves the lens, keeps it there and waits until a frame shows it.
    ///
    /// - Returns: What the handler of the other form is given; invalid after misuse, too.
    @discardableResult
    public func setFocusModeLocked(lensPosition: Float) async -> CMTime {
        await settingTime { lockLens(at: lensPosition, $0) }
    }

    /// - Returns: Whether the lens was locked; the handler is then called.
    @discardableResult
    private func lockLens(at lensPosition: Float, _ handler: (@Sendable (CMTime) -> Void)?) -> Bool {
        let method = "setFocusModeLockedWithLensPosition:completionHandler:"
        guard isLocked(for: method) else { return false }
        let keepsPosition = lensPosition == Self.currentLensPosition
        guard keepsPosition ? isFocusModeSupported(.locked) : isLockingFocusWithCustomLensPositionSupported else {
            reportUnsupported(
                method, "locking the lens", "isLockingFocusWithCustomLensPositionSupported")
            return false
        }
        guard keepsPosition || (0...1).contains(lensPosition) else {
            reportOutOfRange(method, "lensPosition", lensPosition, "[0, 1]")
            return false
        }
        let locking: [(DeviceControl, ControlValue)] = [(.focusMode, .integer(ControlMode.locked.rawValue))]
        let aim = keepsPosition ? nil : Double(lensPosition)
        set(locking + (aim.map { [(.lensPosition, .number($0))] } ?? []))
        awaitFrame(.focus, handler) { settings in
            guard let aim, let shown = settings.lensPosition else { return nil }
            return abs(shown - aim) < 0.005
        }
        return true
    }

    /// In millimetres; -1 where unknown.
    public var minimumFocusDistance: Int {
        hardware.descriptor.lens?.minimumFocusDistanceMillimetres.map { Int($0.rounded()) } ?? -1
    }

    public var isSmoothAutoFocusSupported: Bool { controls[.smoothFocus] != nil }

    /// Whether automatic focus moves slowly, as movies want it; setting it without support is misuse.
    public var isSmoothAutoFocusEnabled: Bool {
        get {
            observedProperties.access()
            return flag(.smoothFocus) ?? false
        }
        set {
            guard isLocked(for: "setSmoothAutoFocusEnabled:") else { return }
            guard isSmoothAutoFocusSupported else {
                return reportUnsupported("setSmoothAutoFocusEnabled:", "smooth focus", "isSmoothAutoFocusSupported")
            }
            set(.smoothFocus, to: .flag(newValue))
        }
    }

    /// Takes a point that waits for its mode to be set.
    func setPoint(
        _ point: CGPoint, of control: DeviceControl,
        _ target: any (WritableKeyPath<State, ControlValue?> & Sendable), _ method: String, _ check: String
    ) {
        guard isLocked(for: method) else { return }
        guard controls[control] != nil else { return reportUnsupported(method, "a point of interest", check) }
        let value = ControlValue.point(x: Double(point.x), y: Double(point.y))
        guard ControlRange.point(defaultX: 0.5, defaultY: 0.5).contains(value) else {
            return reportOutOfRange(method, "point", point, "{0, 0} - {1, 1}")
        }
        state.withLock { $0[keyPath: target] = value }
        observedProperties.changed([control == .focusPoint ? "focusPointOfInterest" : "exposurePointOfInterest"])
    }

    /// Puts the points of interest back to the middle, also those that wait for their modes.
    func resetPointsOfInterest() {
        let (waiting, moved) = state.withLock { state in
            defer { (state.focusPoint, state.exposurePoint, state.movedPoints) = (nil, nil, []) }
            var waiting: Set<DeviceControl> = []
            if state.focusPoint != nil { waiting.insert(.focusPoint) }
            if state.exposurePoint != nil { waiting.insert(.exposurePoint) }
            return (waiting, state.movedPoints)
        }
        // Nothing is asked of a device whose points were never moved: it may not even be open.
        let order = [DeviceControl.focusPoint, .exposurePoint]
        if !moved.isEmpty { set(order.filter(moved.contains).map { ($0, .point(x: 0.5, y: 0.5)) }) }
        for control in order where waiting.contains(control) && !moved.contains(control) { tellChange(of: control) }
    }

    /// The point of interest in force.
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
    /// The point of a control; nil for other values.
    init?(_ value: ControlValue) {
        guard case .point(let x, let y) = value else { return nil }
        self.init(x: x, y: y)
    }
}
