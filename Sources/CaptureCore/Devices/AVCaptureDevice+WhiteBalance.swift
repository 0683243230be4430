import CaptureHAL
import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// Factors on the sensor's colours; 1 leaves a colour as it is.
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

    /// A colour by its CIE 1931 chromaticity.
    public struct WhiteBalanceChromaticityValues: Sendable, Hashable {
        public var x: Float
        public var y: Float

        public init() { self.init(x: 0, y: 0) }

        public init(x: Float, y: Float) {
            self.x = x
            self.y = y
        }
    }

    /// A colour by the black body nearest to it.
    public struct WhiteBalanceTemperatureAndTintValues: Sendable, Hashable {
        /// Kelvin.
        public var temperature: Float
        /// How far off the black body, -150 green … 150 magenta.
        public var tint: Float

        public init() { self.init(temperature: 0, tint: 0) }

        public init(temperature: Float, tint: Float) {
            self.temperature = temperature
            self.tint = tint
        }
    }

    /// For `setWhiteBalanceModeLocked(with:)`: the gains in force.
    public static let currentWhiteBalanceGains = WhiteBalanceGains(
        redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude, blueGain: .greatestFiniteMagnitude)

    public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
        hasMode(ControlMode(whiteBalanceMode), of: .whiteBalanceMode)
    }

    /// Whether `setWhiteBalanceModeLocked(with:)` takes other gains than the present ones; not so for a dual, dual wide or
    /// triple camera.
    public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool {
        takesSettingsByHand && isWhiteBalanceModeSupported(.locked) && range(.redGain) != nil && range(.blueGain) != nil
    }

    /// How the gains are found.
    ///
    /// After `.autoWhiteBalance` has found them the mode is `.locked`. An unsupported mode is misuse.
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
            guard isLocked(for: "setWhiteBalanceMode:") else { return }
            guard isWhiteBalanceModeSupported(newValue) else {
                return reportUnsupported("setWhiteBalanceMode:", "\(newValue)", "isWhiteBalanceModeSupported:")
            }
            set(.whiteBalanceMode, to: .integer(ControlMode(newValue).rawValue))
        }
    }

    /// Whether the gains are changing by themselves.
    public var isAdjustingWhiteBalance: Bool {
        observedProperties.access()
        return flag(.whiteBalanceAdjusting) ?? false
    }

    /// The gains in force; 1 where the device does not tell.
    public var deviceWhiteBalanceGains: WhiteBalanceGains {
        observedProperties.access()
        return WhiteBalanceGains(
            redGain: Float(number(.redGain) ?? 1), greenGain: Float(number(.greenGain) ?? 1),
            blueGain: Float(number(.blueGain) ?? 1))
    }

    /// The largest gain that `setWhiteBalanceModeLocked(with:)` takes; the smallest is 1.
    public var maxWhiteBalanceGain: Float {
        Float(max(1, min(range(.redGain)?.upperBound ?? 1, range(.blueGain)?.upperBound ?? 1)))
    }

    /// Keeps the gains as given.
    ///
    /// - Parameters:
    ///   - whiteBalanceGains: In proportion to the smallest, each from 1 to `maxWhiteBalanceGain`, or
    ///     `currentWhiteBalanceGains`; others are misuse. They come into force in that proportion.
    ///   - handler: Is given the time of the first frame taken with them, on the device's clock; invalid where the device
    ///     does not stream, or ceases to.
    public func setWhiteBalanceModeLocked(
        with whiteBalanceGains: WhiteBalanceGains, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockGains(whiteBalanceGains, handler)
    }

    /// Keeps the gains as given and waits for a frame.
    ///
    /// - Returns: What the handler of the other form is given; invalid after misuse, too.
    @discardableResult
    public func setWhiteBalanceModeLocked(with whiteBalanceGains: WhiteBalanceGains) async -> CMTime {
        await settingTime { lockGains(whiteBalanceGains, $0) }
    }

    /// - Returns: Whether the gains were taken; the handler is then called.
    @discardableResult
    private func lockGains(
        _ whiteBalanceGains: WhiteBalanceGains, _ handler: (@Sendable (CMTime) -> Void)?
    ) -> Bool {
        let method = "setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:"
        guard isLocked(for: method) else { return false }
        let keepsGains = whiteBalanceGains == Self.currentWhiteBalanceGains
        guard keepsGains ? isWhiteBalanceModeSupported(.locked) : isLockingWhiteBalanceWithCustomDeviceGainsSupported
        else {
            reportUnsupported(
                method, "locking the white balance", "isLockingWhiteBalanceWithCustomDeviceGainsSupported")
            return false
        }
        var changes: [(DeviceControl, ControlValue)] = []
        if !keepsGains {
            let allowed = 1...maxWhiteBalanceGain
            let asked = [whiteBalanceGains.redGain, whiteBalanceGains.greenGain, whiteBalanceGains.blueGain]
            guard let least = asked.min(), least > 0, asked.allSatisfy(\.isFinite) else {
                reportOutOfRange(method, "gains", "\(asked)", "[1, \(allowed.upperBound)]")
                return false
            }
            let gains = zip([DeviceControl.redGain, .greenGain, .blueGain], asked.map { $0 / least })
            for (control, gain) in gains {
                guard allowed.contains(gain) else {
                    reportOutOfRange(method, "\(control)", gain, "[1, \(allowed.upperBound)]")
                    return false
                }
                // A device without a gain on green has 1 there.
                if range(control) != nil { changes.append((control, .number(Double(gain)))) }
            }
        }
        set(changes + [(.whiteBalanceMode, .integer(ControlMode.locked.rawValue))])
        awaitFrame(.whiteBalance, handler) { _ in nil }
        return true
    }

    /// Keeps the gains that a light of such a colour needs.
    ///
    /// - Parameters:
    ///   - whiteBalanceTemperatureAndTintValues: A colour whose gains lie between 1 and `maxWhiteBalanceGain`; others
    ///     are misuse.
    ///   - handler: Is given the time of the first frame taken with them, on the device's clock.
    public func setWhiteBalanceModeLocked(
        with whiteBalanceTemperatureAndTintValues: WhiteBalanceTemperatureAndTintValues,
        completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        lockGains(deviceWhiteBalanceGains(for: whiteBalanceTemperatureAndTintValues), handler)
    }

    /// Keeps the gains that a light of such a colour needs and waits for a frame.
    ///
    /// - Returns: What the handler of the other form is given; invalid after misuse, too.
    @discardableResult
    public func setWhiteBalanceModeLocked(
        with whiteBalanceTemperatureAndTintValues: WhiteBalanceTemperatureAndTintValues
    ) async -> CMTime {
        await settingTime { lockGains(deviceWhiteBalanceGains(for: whiteBalanceTemperatureAndTintValues), $0) }
    }

    /// The colour of the light for which the gains make a grey surface grey.
    ///
    /// - Parameter whiteBalanceGains: Each from 1 to `maxWhiteBalanceGain`; others are misuse and give (0, 0).
    public func chromaticityValues(for whiteBalanceGains: WhiteBalanceGains) -> WhiteBalanceChromaticityValues {
        guard areInRange(whiteBalanceGains, "chromaticityValuesForDeviceWhiteBalanceGains:") else {
            return WhiteBalanceChromaticityValues()
        }
        return WhiteBalanceChromaticityValues(illuminant(for: whiteBalanceGains))
    }

    /// The gains that a light of such a colour needs; they may lie outside 1 … `maxWhiteBalanceGain`.
    ///
    /// - Parameter chromaticityValues: Each from 0 to 1; others are misuse and give gains of 1.
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

    /// The colour of the light for which the gains make a grey surface grey.
    ///
    /// - Parameter whiteBalanceGains: Each from 1 to `maxWhiteBalanceGain`; others are misuse and give (0, 0).
    public func temperatureAndTintValues(
        for whiteBalanceGains: WhiteBalanceGains
    ) -> WhiteBalanceTemperatureAndTintValues {
        guard areInRange(whiteBalanceGains, "temperatureAndTintValuesForDeviceWhiteBalanceGains:") else {
            return WhiteBalanceTemperatureAndTintValues()
        }
        let (temperature, tint) = illuminant(for: whiteBalanceGains).temperatureAndTint
        return WhiteBalanceTemperatureAndTintValues(temperature: Float(temperature), tint: Float(tint))
    }

    /// The gains that a light of such a colour needs; they may lie outside 1 … `maxWhiteBalanceGain`.
    public func deviceWhiteBalanceGains(
        for temperatureAndTintValues: WhiteBalanceTemperatureAndTintValues
    ) -> WhiteBalanceGains {
        gains(
            for: Chromaticity(
                temperature: Double(temperatureAndTintValues.temperature),
                tint: Double(temperatureAndTintValues.tint)))
    }

    /// A sensor that tells nothing is taken to see as a display of BT.709 shows.
    private var colorResponse: ColorResponse { hardware.descriptor.color ?? ColorResponse(red: 1, blue: 1) }

    private func gains(for light: Chromaticity) -> WhiteBalanceGains {
        let (color, response) = (light.linearRGB, colorResponse)
        let (red, blue) = (1 / (color.red * response.red), 1 / (color.blue * response.blue))
        let green = 1 / color.green
        // No gain below 1, so that what saturates the sensor stays white.
        let least = min(red, green, blue)
        return WhiteBalanceGains(
            redGain: Float(red / least), greenGain: Float(green / least), blueGain: Float(blue / least))
    }

    private func illuminant(for gains: WhiteBalanceGains) -> Chromaticity {
        let response = colorResponse
        return Chromaticity(
            red: 1 / (Double(gains.redGain) * response.red), green: 1 / Double(gains.greenGain),
            blue: 1 / (Double(gains.blueGain) * response.blue))
    }

    private func areInRange(_ gains: WhiteBalanceGains, _ method: String) -> Bool {
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
