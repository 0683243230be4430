import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// For `setExposureModeCustom(duration:iso:)`: the exposure time in force.
    public static let currentExposureDuration = CMTime.invalid
    /// For `setExposureModeCustom(duration:iso:)`: the sensitivity in force.
    public static let currentISO = Float.greatestFiniteMagnitude
    /// For `setExposureTargetBias(_:)`: the bias in force.
    public static let currentExposureTargetBias = Float.greatestFiniteMagnitude

    /// Whether exposure can be found by such a mode; a dual, dual wide or triple camera has no `.custom`.
    public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
        hasMode(ControlMode(exposureMode), of: .exposureMode) && (exposureMode != .custom || takesSettingsByHand)
    }

    /// How exposure time and sensitivity are found; metering is about the point of interest.
    ///
    /// After `.autoExpose` has found them the mode is `.locked`. An unsupported mode is misuse.
    public var exposureMode: ExposureMode {
        get {
            observedProperties.access()
            switch mode(.exposureMode) {
            case .auto: return .autoExpose
            case .continuousAuto: return .continuousAutoExposure
            case .custom: return .custom
            case .locked, nil: return .locked
            }
        }
        set {
            guard isLocked(for: "setExposureMode:") else { return }
            guard isExposureModeSupported(newValue) else {
                return reportUnsupported("setExposureMode:", "\(newValue)", "isExposureModeSupported:")
            }
            let point = state.withLock { state in
                defer { state.exposurePoint = nil }
                if state.exposurePoint != nil { state.movedPoints.insert(.exposurePoint) }
                return state.exposurePoint
            }
            set(
                (point.map { [(.exposurePoint, $0)] } ?? []) + [
                    (.exposureMode, .integer(ControlMode(newValue).rawValue))
                ])
        }
    }

    public var isExposurePointOfInterestSupported: Bool { controls[.exposurePoint] != nil }

    /// What is to be exposed well: (0,0) top left to (1,1) bottom right of the unrotated picture.
    ///
    /// It takes effect when `exposureMode` is set after it, and goes back to the middle with a new format. Without support, or
    /// outside the picture, it is misuse.
    public var exposurePointOfInterest: CGPoint {
        get {
            observedProperties.access()
            return state.withLock { $0.exposurePoint }.flatMap(CGPoint.init) ?? point(.exposurePoint)
        }
        set {
            setPoint(
                newValue, of: .exposurePoint, \.exposurePoint, "setExposurePointOfInterest:",
                "isExposurePointOfInterestSupported")
        }
    }

    /// Whether exposure time and sensitivity are changing by themselves.
    public var isAdjustingExposure: Bool {
        observedProperties.access()
        return flag(.exposureAdjusting) ?? false
    }

    /// Sensitivity by ISO 12232; 0 where the device does not tell.
    public var iso: Float {
        observedProperties.access()
        return Float(number(.iso) ?? 0)
    }

    /// The exposure time in force; invalid where the device does not tell.
    public var exposureDuration: CMTime {
        observedProperties.access()
        return number(.exposureDuration).map { CMTime(seconds: $0, preferredTimescale: 1_000_000_000) } ?? .invalid
    }

    /// Exposes by hand.
    ///
    /// - Parameters:
    ///   - duration: Between the active format's `minExposureDuration` and `maxExposureDuration`, or
    ///     `currentExposureDuration`; one longer than the time between frames lengthens that.
    ///   - iso: Between the active format's `minISO` and `maxISO`, or `currentISO`.
    ///   - handler: Is given the time of the first frame exposed so, on the device's clock; where another setting came in
    ///     between, of the first frame after that. Invalid where the device does not stream, or ceases to.
    public func setExposureModeCustom(
        duration: CMTime, iso: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        expose(duration, iso, handler)
    }

    /// Exposes by hand and waits until a frame shows it.
    ///
    /// - Returns: What the handler of the other form is given; invalid after misuse, too.
    @discardableResult
    public func setExposureModeCustom(duration: CMTime, iso: Float) async -> CMTime {
        await settingTime { expose(duration, iso, $0) }
    }

    /// - Returns: Whether the values were taken; the handler is then called.
    @discardableResult
    private func expose(_ duration: CMTime, _ iso: Float, _ handler: (@Sendable (CMTime) -> Void)?) -> Bool {
        let method = "setExposureModeCustomWithDuration:ISO:completionHandler:"
        guard isLocked(for: method) else { return false }
        guard isExposureModeSupported(.custom) else {
            reportUnsupported(method, "AVCaptureExposureModeCustom", "isExposureModeSupported:")
            return false
        }
        var changes: [(DeviceControl, ControlValue)] = []
        if duration != Self.currentExposureDuration {
            guard isExposable(duration, method) else { return false }
            changes.append((.exposureDuration, .number(duration.seconds)))
        }
        if iso != Self.currentISO {
            let format = activeFormat
            guard iso >= format.minISO, iso <= format.maxISO else {
                reportOutOfRange(method, "ISO", iso, "[\(format.minISO), \(format.maxISO)]")
                return false
            }
            // A camera without it has 0, which is no sensitivity to be set.
            if range(.iso) != nil { changes.append((.iso, .number(Double(iso)))) }
        }
        set([(.exposureMode, .integer(ControlMode.custom.rawValue))] + changes)
        // What is in force: the device may have rounded.
        let (aim, sensitivity) = (number(.exposureDuration), number(.iso))
        awaitFrame(.exposure, handler) { settings in
            guard let aim, let sensitivity, let shown = settings.exposureDuration, let shownISO = settings.iso else {
                return nil
            }
            return abs(shown.seconds - aim) <= aim / 1000 && abs(shownISO - sensitivity) <= sensitivity / 1000
        }
        return true
    }

    /// Whether the active format can expose for so long; else it is misuse.
    func isExposable(_ duration: CMTime, _ method: String) -> Bool {
        let format = activeFormat
        let (shortest, longest) = (format.minExposureDuration, format.maxExposureDuration)
        if duration.isNumeric, duration >= shortest, duration <= longest { return true }
        reportOutOfRange(method, "duration", "\(duration.seconds) s", "[\(shortest.seconds), \(longest.seconds)] s")
        return false
    }

    /// Exposure value steps by which the picture is now brighter than the automatic exposure would have it.
    public var exposureTargetOffset: Float {
        observedProperties.access()
        return Float(number(.exposureOffset) ?? 0)
    }

    /// Exposure value steps by which the client wants the picture brighter: with the automatic exposure, or one that is
    /// locked; with a custom one they only count for `exposureTargetOffset`.
    public var exposureTargetBias: Float {
        observedProperties.access()
        return Float(number(.exposureBias) ?? 0)
    }
    public var minExposureTargetBias: Float { Float(range(.exposureBias)?.lowerBound ?? 0) }
    public var maxExposureTargetBias: Float { Float(range(.exposureBias)?.upperBound ?? 0) }

    /// Makes the automatic exposure, or one that is locked, brighter or darker.
    ///
    /// - Parameters:
    ///   - bias: Between `minExposureTargetBias` and `maxExposureTargetBias`, or `currentExposureTargetBias`; others are
    ///     misuse.
    ///   - handler: Is given the time of the first frame taken after, on the device's clock; invalid where the device does
    ///     not stream, or ceases to.
    public func setExposureTargetBias(_ bias: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil) {
        aim(at: bias, handler)
    }

    /// Makes the automatic exposure, or one that is locked, brighter or darker and waits for a frame.
    ///
    /// - Returns: What the handler of the other form is given; invalid after misuse, too.
    @discardableResult
    public func setExposureTargetBias(_ bias: Float) async -> CMTime {
        await settingTime { aim(at: bias, $0) }
    }

    /// - Returns: Whether the bias was taken; the handler is then called.
    @discardableResult
    private func aim(at bias: Float, _ handler: (@Sendable (CMTime) -> Void)?) -> Bool {
        let method = "setExposureTargetBias:completionHandler:"
        guard isLocked(for: method) else { return false }
        if bias != Self.currentExposureTargetBias {
            guard bias >= minExposureTargetBias, bias <= maxExposureTargetBias else {
                reportOutOfRange(
                    method, "bias", bias, "[\(minExposureTargetBias), \(maxExposureTargetBias)]")
                return false
            }
            if range(.exposureBias) != nil { set(.exposureBias, to: .number(Double(bias))) }
        }
        awaitFrame(.exposureBias, handler) { _ in nil }
        return true
    }

    /// Whether the device can brighten dark pictures beyond what exposure gives.
    public var isLowLightBoostSupported: Bool { controls[.lowLightBoost] != nil }
    /// Whether it does so now.
    public var isLowLightBoostEnabled: Bool {
        observedProperties.access()
        return flag(.lowLightBoostActive) ?? false
    }

    /// Whether it does so when the scene is dark; setting it without support is misuse.
    public var automaticallyEnablesLowLightBoostWhenAvailable: Bool {
        get {
            observedProperties.access()
            return flag(.lowLightBoost) ?? false
        }
        set {
            let method = "setAutomaticallyEnablesLowLightBoostWhenAvailable:"
            guard isLocked(for: method) else { return }
            guard isLowLightBoostSupported else {
                return reportUnsupported(method, "low-light boost", "isLowLightBoostSupported")
            }
            set(.lowLightBoost, to: .flag(newValue))
        }
    }
}

extension ControlMode {
    init(_ mode: AVCaptureDevice.ExposureMode) {
        self =
            switch mode {
            case .locked: .locked
            case .autoExpose: .auto
            case .continuousAutoExposure: .continuousAuto
            case .custom: .custom
            }
    }
}
