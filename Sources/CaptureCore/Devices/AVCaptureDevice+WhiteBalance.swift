import CaptureHAL
import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// Factors for the sensor's color channels; 1 leaves a channel unchanged.
    public struct WhiteBalanceGains: Sendable, Hashable {
        public var redGain: Float
        public var greenGain: Float
        public var blueGain: Float

        public init() { self.init(redGain: 1, greenGain: 1, blueGain: 1) }

        public init(redGain: Float, greenGain: Float, blueGain: Float) {
            self.redGain = redGain
            self.greenGain = greenGain
            self.blueGain = blueGain
        }
    }

    /// A CIE 1931 chromaticity.
    public struct WhiteBalanceChromaticityValues: Sendable, Hashable {
        public var x: Float
        public var y: Float

        public init() { self.init(x: 0, y: 0) }

        public init(x: Float, y: Float) {
            self.x = x
            self.y = y
        }
    }

    /// A correlated color temperature and a tint.
    public struct WhiteBalanceTemperatureAndTintValues: Sendable, Hashable {
        /// Kelvin.
        public var temperature: Float
        /// The distance from the Planckian locus, -150 green … 150 magenta.
        public var tint: Float

        public init() { self.init(temperature: 0, tint: 0) }

        public init(temperature: Float, tint: Float) {
            self.temperature = temperature
            self.tint = tint
        }
    }

    /// The gains that render the scene gray on average.
    ///
    /// - Note: Unlike Apple, these are the current gains, since no backend reports gray-world gains.
    public var grayWorldDeviceWhiteBalanceGains: WhiteBalanceGains { deviceWhiteBalanceGains }

    /// A value for `setWhiteBalanceModeLocked(with:)` that keeps the current gains.
    public static let currentWhiteBalanceGains = WhiteBalanceGains(
        redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude, blueGain: .greatestFiniteMagnitude)

    public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
        hasMode(ControlMode(whiteBalanceMode), of: .whiteBalanceMode)
    }

    /// Whether `setWhiteBalanceModeLocked(with:)` accepts other gains than the current ones; false for dual, dual wide
    /// and triple cameras.
    public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
        supportsManualSettings && isWhiteBalanceModeSupported(.locked) && range(.redGain) != nil
            && range(.blueGain) != nil
    }

    /// The mode that controls the gains.
    ///
    /// `.autoWhiteBalance` becomes `.locked` when it has finished. An unsupported mode is misuse.
    public var whiteBalanceMode: WhiteBalanceMode {
        get {
            observedProperties.access()
            switch mode(.whiteBalanceMode) {
            case .auto: return .autoWhiteBalance
            case .continuousAuto: return .continuousAutoWhiteBalance
            case .locked, .custom, nil: return .locked
            }
        }
        set {
            guard checkLock(for: "setWhiteBalanceMode:") else { return }
            guard isWhiteBalanceModeSupported(newValue) else {
                return reportUnsupported(
                    "setWhiteBalanceMode:", "white balance mode \(newValue)", "isWhiteBalanceModeSupported:")
            }
            set(.whiteBalanceMode, to: .integer(ControlMode(newValue).rawValue))
        }
    }

    /// Whether automatic white balance is adjusting.
    public var isAdjustingWhiteBalance: Bool {
        observedProperties.access()
        return flag(.whiteBalanceAdjusting) ?? false
    }

    /// The current gains; 1 if the device does not report them.
    public var deviceWhiteBalanceGains: WhiteBalanceGains {
        observedProperties.access()
        return WhiteBalanceGains(
            redGain: Float(number(.redGain) ?? 1), greenGain: Float(number(.greenGain) ?? 1),
            blueGain: Float(number(.blueGain) ?? 1))
    }

    /// The largest gain that `setWhiteBalanceModeLocked(with:)` accepts; the smallest is 1.
    public var maxWhiteBalanceGain: Float {
        Float(max(1, min(range(.redGain)?.upperBound ?? 1, range(.blueGain)?.upperBound ?? 1)))
    }

    /// Sets and locks the gains.
    ///
    /// - Parameters:
    ///   - whiteBalanceGains: The gains, or `currentWhiteBalanceGains`. They are scaled so that the smallest is 1; a
    ///     scaled gain above `maxWhiteBalanceGain` is misuse, as is a gain that is not positive and finite.
    ///   - handler: Receives the time, on the device's clock, of the first frame with these gains; invalid if the
    ///     device does not stream or stops streaming.
    @preconcurrency
    public func setWhiteBalanceModeLocked(
        with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockGains(whiteBalanceGains, handler)
    }

    /// Sets and locks the gains and waits for a frame.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setWhiteBalanceModeLocked(with whiteBalanceGains: WhiteBalanceGains) async -> CMTime {
        await appliedTime { lockGains(whiteBalanceGains, $0) }
    }

    /// - Returns: Whether the gains were accepted; only then is the handler called.
    @discardableResult
    private func lockGains(
        _ whiteBalanceGains: WhiteBalanceGains, _ handler: (@Sendable (CMTime) -> Void)?
    ) -> Bool {
        let method = "setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:"
        guard checkLock(for: method) else { return false }
        let keepsGains = whiteBalanceGains == Self.currentWhiteBalanceGains
        let requested = [whiteBalanceGains.redGain, whiteBalanceGains.greenGain, whiteBalanceGains.blueGain]
        let (isSupported, feature, check) =
            keepsGains
            ? (isWhiteBalanceModeSupported(.locked), "white balance mode locked", "isWhiteBalanceModeSupported:")
            : (
                isLockingWhiteBalanceWithCustomDeviceGainsSupported, "locking the gains \(requested)",
                "isLockingWhiteBalanceWithCustomDeviceGainsSupported"
            )
        guard isSupported else {
            reportUnsupported(method, feature, check)
            return false
        }
        var changes: [(DeviceControl, ControlValue)] = []
        if !keepsGains {
            let allowed = 1...maxWhiteBalanceGain
            guard let smallest = requested.min(), smallest > 0, requested.allSatisfy(\.isFinite) else {
                reportOutOfRange(method, "gains", "\(requested)", "[1, \(allowed.upperBound)]")
                return false
            }
            let gains = zip([DeviceControl.redGain, .greenGain, .blueGain], requested.map { $0 / smallest })
            for (control, gain) in gains {
                guard allowed.contains(gain) else {
                    reportOutOfRange(method, "\(control)", gain, "[1, \(allowed.upperBound)]")
                    return false
                }
                // A device without a green gain has a constant gain of 1.
                if range(control) != nil { changes.append((control, .number(Double(gain)))) }
            }
        }
        set(changes + [(.whiteBalanceMode, .integer(ControlMode.locked.rawValue))])
        callWhenApplied(.whiteBalance, handler) { _ in nil }
        return true
    }

    /// Sets and locks the gains for a light of a given color.
    ///
    /// - Parameters:
    ///   - whiteBalanceTemperatureAndTintValues: A color with gains between 1 and `maxWhiteBalanceGain`; others
    ///     are misuse.
    ///   - handler: Receives the time, on the device's clock, of the first frame with these gains.
    @preconcurrency
    public func setWhiteBalanceModeLocked(
        with whiteBalanceTemperatureAndTintValues: WhiteBalanceTemperatureAndTintValues,
        completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockGains(deviceWhiteBalanceGains(for: whiteBalanceTemperatureAndTintValues), handler)
    }

    /// Sets and locks the gains for a light of a given color and waits for a frame.
    ///
    /// - Returns: The time that the handler of the other overload receives; invalid after misuse.
    @discardableResult
    public func setWhiteBalanceModeLocked(
        with whiteBalanceTemperatureAndTintValues: WhiteBalanceTemperatureAndTintValues
    ) async -> CMTime {
        await appliedTime { lockGains(deviceWhiteBalanceGains(for: whiteBalanceTemperatureAndTintValues), $0) }
    }

    /// Returns the color of the light under which the gains render gray surfaces gray.
    ///
    /// - Parameter whiteBalanceGains: Each from 1 to `maxWhiteBalanceGain`; others are misuse and result in (0, 0).
    public func chromaticityValues(for whiteBalanceGains: WhiteBalanceGains) -> WhiteBalanceChromaticityValues {
        guard checkRange(of: whiteBalanceGains, "chromaticityValuesForDeviceWhiteBalanceGains:") else {
            return WhiteBalanceChromaticityValues()
        }
        return WhiteBalanceChromaticityValues(illuminant(for: whiteBalanceGains))
    }

    /// Returns the gains for a light of a given color; they may be outside 1 … `maxWhiteBalanceGain`.
    ///
    /// - Parameter chromaticityValues: Each from 0 to 1; others are misuse and result in gains of 1.
    public func deviceWhiteBalanceGains(
        for chromaticityValues: WhiteBalanceChromaticityValues
    ) -> WhiteBalanceGains {
        guard (0...1).contains(chromaticityValues.x), (0...1).contains(chromaticityValues.y) else {
            reportOutOfRange(
                "deviceWhiteBalanceGainsForChromaticityValues:", "chromaticity", chromaticityValues, "[0, 1]")
            return WhiteBalanceGains()
        }
        return gains(for: Chromaticity(x: Double(chromaticityValues.x), y: Double(chromaticityValues.y)))
    }

    /// Returns the color of the light under which the gains render gray surfaces gray.
    ///
    /// - Parameter whiteBalanceGains: Each from 1 to `maxWhiteBalanceGain`; others are misuse and result in (0, 0).
    public func temperatureAndTintValues(
        for whiteBalanceGains: WhiteBalanceGains
    ) -> WhiteBalanceTemperatureAndTintValues {
        guard checkRange(of: whiteBalanceGains, "temperatureAndTintValuesForDeviceWhiteBalanceGains:") else {
            return WhiteBalanceTemperatureAndTintValues()
        }
        let (temperature, tint) = illuminant(for: whiteBalanceGains).temperatureAndTint
        return WhiteBalanceTemperatureAndTintValues(temperature: Float(temperature), tint: Float(tint))
    }

    /// Returns the gains for a light of a given color; they may be outside 1 … `maxWhiteBalanceGain`.
    public func deviceWhiteBalanceGains(
        for temperatureAndTintValues: WhiteBalanceTemperatureAndTintValues
    ) -> WhiteBalanceGains {
        gains(
            for: Chromaticity(
                temperature: Double(temperatureAndTintValues.temperature),
                tint: Double(temperatureAndTintValues.tint)))
    }

    /// The sensor's color response; if unknown, the response of a sensor that matches the BT.709 primaries.
    private var colorResponse: ColorResponse { hardware.descriptor.color ?? ColorResponse(red: 1, blue: 1) }

    private func gains(for light: Chromaticity) -> WhiteBalanceGains {
        let (color, response) = (light.linearRGB, colorResponse)
        let (red, blue) = (1 / (color.red * response.red), 1 / (color.blue * response.blue))
        let green = 1 / color.green
        // No gain is below 1, so that saturated pixels stay white.
        let smallest = min(red, green, blue)
        return WhiteBalanceGains(
            redGain: Float(red / smallest), greenGain: Float(green / smallest), blueGain: Float(blue / smallest))
    }

    private func illuminant(for gains: WhiteBalanceGains) -> Chromaticity {
        let response = colorResponse
        return Chromaticity(
            red: 1 / (Double(gains.redGain) * response.red), green: 1 / Double(gains.greenGain),
            blue: 1 / (Double(gains.blueGain) * response.blue))
    }

    /// Reports misuse if a gain is out of range.
    ///
    /// - Returns: Whether all gains are in range.
    private func checkRange(of gains: WhiteBalanceGains, _ method: String) -> Bool {
        let allowed = 1...maxWhiteBalanceGain
        for gain in [gains.redGain, gains.greenGain, gains.blueGain] where !allowed.contains(gain) {
            reportOutOfRange(method, "gain", gain, "[1, \(allowed.upperBound)]")
            return false
        }
        return true
    }
}

extension AVCaptureDevice.WhiteBalanceChromaticityValues {
    init(_ color: Chromaticity) { self.init(x: Float(color.x), y: Float(color.y)) }
}

extension ControlMode {
    init(_ mode: AVCaptureDevice.WhiteBalanceMode) {
        self =
            switch mode {
            case .locked: .locked
            case .autoWhiteBalance: .auto
            case .continuousAutoWhiteBalance: .continuousAuto
            }
    }
}
