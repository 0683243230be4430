import CaptureHAL
public import MediaTypes

// Exposure with values of the client. Automatic exposure can keep changing the other values: with a set aperture it has
// aperture priority, with a set exposure time shutter priority.
extension AVCaptureDevice {
    /// A value that keeps the current aperture.
    public static let currentLensAperture = Float.greatestFiniteMagnitude
    /// A value with which automatic exposure changes the aperture.
    public static let autoLensAperture: Float = -2
    /// A value with which automatic exposure changes the exposure time.
    public static let autoExposureDuration = CMTime.indefinite
    /// A value with which automatic exposure changes the sensitivity.
    public static let autoISO: Float = -2

    /// Sets a fixed aperture, exposure time and sensitivity, or some of them while automatic exposure changes the others.
    ///
    /// - Parameters:
    ///   - lensAperture: An f-number between the active format's `minLensAperture` and `maxLensAperture`, or
    ///     `currentLensAperture`, or `autoLensAperture`.
    ///   - duration: Between the active format's `minExposureDuration` and `maxExposureDuration`, or
    ///     `currentExposureDuration`, or `autoExposureDuration`. A time that is longer than the frame duration lengthens the
    ///     frame duration, unless another value is automatic.
    ///   - iso: Between the active format's `minISO` and `maxISO`, or `currentISO`, or `autoISO`.
    ///   - handler: Receives the time, on the device's clock, of the first frame with the fixed values, or of the first
    ///     frame after they were superseded. The time is invalid if the device does not stream or stops streaming.
    ///
    /// A value outside of its range is misuse, and so is a combination that the format does not support; see
    /// `Format.supportsExposureModeCustom(lensAperture:duration:iso:)`.
    @preconcurrency
    public func setExposureModeCustom(
        lensAperture: Float, duration: CMTime, iso: Float,
        completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        applyCustomExposure(lensAperture, duration, iso, handler)
    }

    /// Sets a fixed aperture, exposure time and sensitivity, or some of them, and waits for a frame with these settings.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setExposureModeCustom(lensAperture: Float, duration: CMTime, iso: Float) async -> CMTime {
        await appliedTime { applyCustomExposure(lensAperture, duration, iso, $0) }
    }

    /// Whether automatic exposure changes the aperture; false for a fixed aperture. Can be observed.
    public var automaticallyAdjustsLensAperture: Bool { hasVariableAperture && isAutomatic(.aperture) }

    /// Whether automatic exposure changes the exposure time. Can be observed.
    public var automaticallyAdjustsExposureDuration: Bool { isAutomatic(.duration) }

    /// Whether automatic exposure changes the sensitivity. Can be observed.
    public var automaticallyAdjustsISO: Bool { isAutomatic(.iso) }

    /// The largest ratio of the areas of the aperture in consecutive frames, while automatic exposure changes a value: at
    /// least 1, or 0 for the camera's choice. 1 keeps the aperture. Has no effect on a fixed aperture.
    ///
    /// Other values are misuse.
    public var autoExposureLensApertureRateLimit: Float {
        get {
            observedProperties.access()
            return hasVariableAperture ? Float(number(.apertureRateLimit) ?? 0) : 0
        }
        set {
            let method = "setAutoExposureLensApertureRateLimit:"
            guard checkLock(for: method) else { return }
            guard newValue == 0 || newValue >= 1 else {
                return reportOutOfRange(method, "rate limit", newValue, "0, or [1, ...]")
            }
            guard hasVariableAperture, let range = range(.apertureRateLimit) else { return }
            set(.apertureRateLimit, to: .number(min(Double(newValue), range.upperBound)))
        }
    }

    /// Whether the aperture can change.
    var hasVariableAperture: Bool { !(hardware.descriptor.lens?.apertureStops ?? []).isEmpty }

    /// The settings that automatic exposure changes in the mode `.custom`.
    var automaticExposureSettings: ExposureSettings {
        guard range(ofAutomatic: []) != nil, case .integer(let value)? = value(of: .automaticExposureSettings) else {
            return []
        }
        return ExposureSettings(rawValue: value)
    }

    private func isAutomatic(_ setting: ExposureSettings) -> Bool {
        switch exposureMode {
        case .autoExpose, .continuousAutoExposure: true
        case .locked: false
        case .custom: automaticExposureSettings.contains(setting)
        }
    }

    /// The combinations of automatic settings that the device supports in the mode `.custom`, if they contain a
    /// combination; nil otherwise.
    func range(ofAutomatic settings: ExposureSettings) -> Set<Int64>? {
        guard case .options(let options, _)? = controls[.automaticExposureSettings],
            options.contains(settings.rawValue)
        else { return nil }
        return options
    }

    /// Returns the automatic settings with which the device performs a request; nil if it does not support it. According
    /// to Apple's header, dual, dual wide and triple cameras do not support fixed values only.
    func supportedAutomaticSettings(for settings: ExposureSettings) -> ExposureSettings? {
        if settings.isEmpty { return supportsManualSettings ? [] : nil }
        if range(ofAutomatic: settings) != nil { return settings }
        // A constituent of a virtual device can have a variable aperture.
        let withAperture = settings.union(.aperture)
        return !hasVariableAperture && range(ofAutomatic: withAperture) != nil ? withAperture : nil
    }

    /// - Parameter isOlderMethod: Whether the method without an aperture was called, for messages.
    /// - Returns: Whether the values were accepted; only then is the handler called.
    @discardableResult
    func applyCustomExposure(
        _ aperture: Float, _ duration: CMTime, _ iso: Float, _ handler: (@Sendable (CMTime) -> Void)?,
        isOlderMethod: Bool = false
    ) -> Bool {
        let method =
            isOlderMethod
            ? "setExposureModeCustomWithDuration:ISO:completionHandler:"
            : "setExposureModeCustomWithLensAperture:duration:ISO:completionHandler:"
        guard checkLock(for: method) else { return false }
        guard isExposureModeSupported(.custom) else {
            reportUnsupported(method, "exposure mode custom", "isExposureModeSupported:")
            return false
        }
        let request = CustomExposure(aperture, duration, iso, of: activeFormat)
        if let problem = request.rangeProblem {
            reportOutOfRange(method, problem.name, problem.value, problem.range)
            return false
        }
        guard let automatic = supportedAutomaticSettings(for: request.automatic) else {
            reportUnsupported(
                method, "combination of automatic and fixed values",
                "[AVCaptureDeviceFormat supportsExposureModeCustomWithLensAperture:duration:ISO:]")
            return false
        }
        var changes: [(DeviceControl, ControlValue)] = [(.exposureMode, .integer(ControlMode.custom.rawValue))]
        if range(ofAutomatic: []) != nil {
            changes.append((.automaticExposureSettings, .integer(automatic.rawValue)))
        }
        if hasVariableAperture, let aperture = request.fixedAperture {
            changes.append((.lensAperture, .number(Double(aperture))))
        }
        if let duration = request.fixedDuration { changes.append((.exposureDuration, .number(duration.seconds))) }
        // The ISO range of a camera without the control is 0 … 0; there is nothing to set.
        if let iso = request.fixedISO, range(.iso) != nil { changes.append((.iso, .number(Double(iso)))) }
        set(changes)
        callWhenCustomExposureIsApplied(automatic, handler)
        return true
    }

    /// Calls a handler with the time of the first frame that has the values that automatic exposure does not change.
    private func callWhenCustomExposureIsApplied(
        _ automatic: ExposureSettings, _ handler: (@Sendable (CMTime) -> Void)?
    ) {
        // Compare with the effective values, as the device may have rounded.
        let targetSeconds = automatic.contains(.duration) ? nil : number(.exposureDuration)
        let targetISO = automatic.contains(.iso) ? nil : number(.iso)
        let targetAperture =
            hasVariableAperture && !automatic.contains(.aperture) ? number(.lensAperture) : nil
        callWhenApplied(.exposure, handler) { settings in
            guard targetSeconds != nil || targetISO != nil || targetAperture != nil else { return nil }
            let pairs = [
                (targetSeconds, settings.exposureDuration?.seconds), (targetISO, settings.iso),
                (targetAperture, settings.aperture),
            ].filter { $0.0 != nil }
            guard pairs.allSatisfy({ $0.1 != nil }) else { return nil }
            // A tolerance of 0.1 % for conversions between units.
            return pairs.allSatisfy { target, value in abs((value ?? 0) - (target ?? 0)) <= (target ?? 0) / 1000 }
        }
    }
}

extension AVCaptureDevice.Format {
    /// Whether a combination of fixed, current and automatic values is supported.
    ///
    /// - Parameters:
    ///   - lensAperture: An f-number, `currentLensAperture` or `autoLensAperture`. For a fixed aperture, both have the same
    ///     meaning.
    ///   - duration: An exposure time, `currentExposureDuration` or `autoExposureDuration`.
    ///   - iso: A sensitivity, `currentISO` or `autoISO`.
    public func supportsExposureModeCustom(lensAperture: Float, duration: CMTime, iso: Float) -> Bool {
        guard let device, device.isExposureModeSupported(.custom) else { return false }
        let request = CustomExposure(lensAperture, duration, iso, of: self)
        return request.rangeProblem == nil && device.supportedAutomaticSettings(for: request.automatic) != nil
    }
}

/// The values of a request for custom exposure.
private struct CustomExposure {
    /// The values that automatic exposure changes.
    var automatic: ExposureSettings = []
    /// The new values; nil for those that are automatic or stay as they are.
    var fixedAperture: Float?
    var fixedDuration: CMTime?
    var fixedISO: Float?
    /// The first value outside of its range.
    var rangeProblem: (name: String, value: String, range: String)?

    init(_ aperture: Float, _ duration: CMTime, _ iso: Float, of format: AVCaptureDevice.Format) {
        let hasVariableAperture = format.recommendedLensApertureStops.count > 1
        switch aperture {
        case AVCaptureDevice.currentLensAperture: break
        case AVCaptureDevice.autoLensAperture: if hasVariableAperture { automatic.insert(.aperture) }
        default: fixedAperture = aperture
        }
        if duration == AVCaptureDevice.autoExposureDuration {
            automatic.insert(.duration)
        } else if duration != AVCaptureDevice.currentExposureDuration {
            fixedDuration = duration
        }
        switch iso {
        case AVCaptureDevice.currentISO: break
        case AVCaptureDevice.autoISO: automatic.insert(.iso)
        default: fixedISO = iso
        }
        rangeProblem = Self.rangeProblem(fixedAperture, fixedDuration, fixedISO, format)
    }

    private static func rangeProblem(
        _ aperture: Float?, _ duration: CMTime?, _ iso: Float?, _ format: AVCaptureDevice.Format
    ) -> (String, String, String)? {
        let apertures = (format.minLensAperture, format.maxLensAperture)
        if let aperture, !(aperture >= apertures.0 && aperture <= apertures.1) {
            return ("lens aperture", "\(aperture)", "[\(apertures.0), \(apertures.1)]")
        }
        let (shortest, longest) = (format.minExposureDuration, format.maxExposureDuration)
        if let duration, !(duration.isNumeric && duration >= shortest && duration <= longest) {
            return ("duration", "\(duration.seconds) s", "[\(shortest.seconds), \(longest.seconds)] s")
        }
        if let iso, !(iso >= format.minISO && iso <= format.maxISO) {
            return ("ISO", "\(iso)", "[\(format.minISO), \(format.maxISO)]")
        }
        return nil
    }
}
