import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// A value for `setExposureModeCustom(duration:iso:)` that keeps the current exposure time.
    public static let currentExposureDuration = CMTime.invalid
    /// A value for `setExposureModeCustom(duration:iso:)` that keeps the current sensitivity.
    public static let currentISO = Float.greatestFiniteMagnitude
    /// A value for `setExposureTargetBias(_:)` that keeps the current bias.
    public static let currentExposureTargetBias = Float.greatestFiniteMagnitude

    /// Whether the device supports a mode; dual, dual wide and triple cameras support `.custom` only if they support
    /// automatic values in it.
    public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
        hasMode(ControlMode(exposureMode), of: .exposureMode)
            && (exposureMode != .custom || supportsManualSettings || range(ofAutomatic: []) != nil)
    }

    /// The mode that controls exposure time and sensitivity, metered at the point of interest.
    ///
    /// `.autoExpose` becomes `.locked` when it has finished. An unsupported mode is misuse, and so is setting `.custom` for
    /// a dual, dual wide or triple camera.
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
            guard checkLock(for: "setExposureMode:") else { return }
            guard isExposureModeSupported(newValue), newValue != .custom || supportsManualSettings else {
                return reportUnsupported("setExposureMode:", "exposure mode \(newValue)", "isExposureModeSupported:")
            }
            let point = state.withLock { state in
                defer { state.exposurePoint = nil }
                if state.exposurePoint != nil { state.appliedPoints.insert(.exposurePoint) }
                return state.exposurePoint
            }
            set(
                (point.map { [(.exposurePoint, $0)] } ?? [])
                    + changes(of: .faceDrivenExposure, to: isFaceDrivenAutoExposureEnabled) + [
                        (.exposureMode, .integer(ControlMode(newValue).rawValue))
                    ])
        }
    }

    public var isExposurePointOfInterestSupported: Bool { controls[.exposurePoint] != nil }

    /// The metering point: (0,0) top left to (1,1) bottom right of the unrotated frame.
    ///
    /// At the center, the default, the complete frame is metered, or the faces in it while
    /// `isFaceDrivenAutoExposureEnabled` is true. At any other point, the region around the point is metered.
    ///
    /// It takes effect when `exposureMode` is set afterwards, and is reset to the center by a new format. Setting it
    /// without support, or outside the frame, is misuse.
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

    /// Whether automatic exposure is adjusting.
    public var isAdjustingExposure: Bool {
        observedProperties.access()
        return flag(.exposureAdjusting) ?? false
    }

    /// The current sensitivity (ISO 12232); 0 if the device does not report it.
    public var iso: Float {
        observedProperties.access()
        return Float(number(.iso) ?? 0)
    }

    /// The current exposure time; invalid if the device does not report it.
    public var exposureDuration: CMTime {
        observedProperties.access()
        return number(.exposureDuration).map { CMTime(seconds: $0, preferredTimescale: 1_000_000_000) } ?? .invalid
    }

    /// Sets a fixed exposure time and sensitivity.
    ///
    /// - Parameters:
    ///   - duration: Between the active format's `minExposureDuration` and `maxExposureDuration`, or
    ///     `currentExposureDuration`, or `autoExposureDuration`. A time that is longer than the frame duration lengthens the
    ///     frame duration.
    ///   - iso: Between the active format's `minISO` and `maxISO`, or `currentISO`, or `autoISO`.
    ///   - handler: Receives the time, on the device's clock, of the first frame with these settings, or of the first
    ///     frame after they were superseded. The time is invalid if the device does not stream or stops streaming.
    @preconcurrency
    public func setExposureModeCustom(
        duration: CMTime, iso: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        applyCustomExposure(Self.currentLensAperture, duration, iso, handler, isOlderMethod: true)
    }

    /// Sets a fixed exposure time and sensitivity and waits for a frame with these settings.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setExposureModeCustom(duration: CMTime, iso: Float) async -> CMTime {
        await appliedTime { applyCustomExposure(Self.currentLensAperture, duration, iso, $0, isOlderMethod: true) }
    }

    /// Reports misuse if the active format does not support an exposure time.
    ///
    /// - Returns: Whether the format supports it.
    func checkExposureDuration(_ duration: CMTime, _ method: String) -> Bool {
        let format = activeFormat
        let (shortest, longest) = (format.minExposureDuration, format.maxExposureDuration)
        if duration.isNumeric, duration >= shortest, duration <= longest { return true }
        reportOutOfRange(method, "duration", "\(duration.seconds) s", "[\(shortest.seconds), \(longest.seconds)] s")
        return false
    }

    /// The difference in EV between the frame and the target of automatic exposure; positive if the frame is brighter.
    public var exposureTargetOffset: Float {
        observedProperties.access()
        return Float(number(.exposureOffset) ?? 0)
    }

    /// The bias in EV of automatic or locked exposure, set by the client; with custom exposure it affects
    /// `exposureTargetOffset` only.
    public var exposureTargetBias: Float {
        observedProperties.access()
        return Float(number(.exposureBias) ?? 0)
    }
    /// The bias in EV that affects the exposure: 0 with custom exposure without automatic values; nil if the device has no exposure bias.
    var appliedExposureBias: Double? {
        guard range(.exposureBias) != nil else { return nil }
        return exposureMode == .custom && automaticExposureSettings.isEmpty ? 0 : Double(exposureTargetBias)
    }
    public var minExposureTargetBias: Float { Float(range(.exposureBias)?.lowerBound ?? 0) }
    public var maxExposureTargetBias: Float { Float(range(.exposureBias)?.upperBound ?? 0) }

    /// Sets the exposure bias of automatic or locked exposure.
    ///
    /// - Parameters:
    ///   - bias: In EV, between `minExposureTargetBias` and `maxExposureTargetBias`, or `currentExposureTargetBias`;
    ///     other values are misuse.
    ///   - handler: Receives the time, on the device's clock, of the first frame captured afterwards; invalid if the
    ///     device does not stream or stops streaming.
    @preconcurrency
    public func setExposureTargetBias(_ bias: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil) {
        applyTargetBias(bias, handler)
    }

    /// Sets the exposure bias of automatic or locked exposure and waits for a frame.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setExposureTargetBias(_ bias: Float) async -> CMTime {
        await appliedTime { applyTargetBias(bias, $0) }
    }

    /// - Returns: Whether the bias was accepted; only then is the handler called.
    @discardableResult
    private func applyTargetBias(_ bias: Float, _ handler: (@Sendable (CMTime) -> Void)?) -> Bool {
        let method = "setExposureTargetBias:completionHandler:"
        guard checkLock(for: method) else { return false }
        if bias != Self.currentExposureTargetBias {
            guard bias >= minExposureTargetBias, bias <= maxExposureTargetBias else {
                reportOutOfRange(
                    method, "bias", bias, "[\(minExposureTargetBias), \(maxExposureTargetBias)]")
                return false
            }
            if range(.exposureBias) != nil { set(.exposureBias, to: .number(Double(bias))) }
        }
        callWhenApplied(.exposureBias, handler) { _ in nil }
        return true
    }

    /// Whether the device can brighten dark frames beyond what exposure allows.
    public var isLowLightBoostSupported: Bool { controls[.lowLightBoost] != nil }
    /// Whether low-light boost is active.
    public var isLowLightBoostEnabled: Bool {
        observedProperties.access()
        return flag(.lowLightBoostActive) ?? false
    }

    /// Whether low-light boost is activated in dark scenes; setting it without support is misuse.
    public var automaticallyEnablesLowLightBoostWhenAvailable: Bool {
        get {
            observedProperties.access()
            return flag(.lowLightBoost) ?? false
        }
        set {
            let method = "setAutomaticallyEnablesLowLightBoostWhenAvailable:"
            guard checkLock(for: method) else { return }
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
