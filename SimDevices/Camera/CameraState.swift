import CaptureHAL
import MediaTypes
import ThreeA

/// The settings of a camera and its loops: a value that answers the client's wishes and the measured frames.
struct CameraState: Sendable {
    let profile: CameraProfile
    private(set) var exposureMode = ControlMode.continuousAuto
    private(set) var exposure: Exposure
    private(set) var bias = 0.0
    private(set) var point = MeteringPoint.middle
    private(set) var gains = ColorGains(red: 1, green: 1, blue: 1)
    /// What the gains were chosen for; nil where they were set one by one.
    private(set) var kelvin: Double?
    private(set) var balanceMode = ControlMode.locked
    private(set) var zoom = 1.0
    private(set) var torch = 0.0
    private(set) var isFlashArmed = false
    private var exposureLoop: AutoExposure
    private var balanceLoop: AutoWhiteBalance

    init(profile: CameraProfile, light: SceneLight) {
        self.profile = profile
        let program = ExposureProgram(durations: profile.exposureDurations, isos: profile.isoRange)
        exposureLoop = AutoExposure(program: program)
        let most = 1...profile.maximumWhiteBalanceGain
        balanceLoop = AutoWhiteBalance(limits: GainLimits(red: most, green: most, blue: most))
        // A first guess for surfaces of 30 % reflectance.
        let unit = Optics.saturation(lux: light.lux, seconds: 1, iso: 1, aperture: profile.lens.aperture)
        exposure = program.exposure(product: AutoExposure.target / 0.3 / unit, longest: 1.0 / 30)
        setTemperature(
            min(
                max(light.kelvin, profile.whiteBalanceTemperatures.lowerBound),
                profile.whiteBalanceTemperatures.upperBound))
    }

    /// Whether the exposure follows the picture.
    var isMetering: Bool { exposureMode == .continuousAuto || exposureMode == .auto }

    var isAdjustingExposure: Bool { isMetering && exposureLoop.isAdjusting }

    /// Whether the white balance follows the picture.
    var isBalancing: Bool { balanceMode == .continuousAuto || balanceMode == .auto }

    var isAdjustingBalance: Bool { isBalancing && balanceLoop.isAdjusting }

    // MARK: The client

    var ranges: [DeviceControl: ControlRange] {
        var ranges: [DeviceControl: ControlRange] = [:]
        var modes: Set<Int64> = [
            ControlMode.locked.rawValue, ControlMode.auto.rawValue, ControlMode.continuousAuto.rawValue,
        ]
        if profile.hasManualExposure {
            modes.insert(ControlMode.custom.rawValue)
            ranges[.exposureDuration] = .number(
                profile.exposureDurations, step: 0,
                default: min(max(0.01, profile.exposureDurations.lowerBound), profile.exposureDurations.upperBound))
            ranges[.iso] = .number(profile.isoRange, step: 0, default: profile.isoRange.lowerBound)
        }
        ranges[.exposureAdjusting] = .flag(default: false)
        ranges[.exposureMode] = .options(modes, default: ControlMode.continuousAuto.rawValue)
        ranges[.exposureBias] = .number(profile.exposureBias, step: 0, default: 0)
        ranges[.exposurePoint] = .point(defaultX: 0.5, defaultY: 0.5)
        ranges[.whiteBalanceAdjusting] = .flag(default: false)
        ranges[.whiteBalanceMode] = .options(
            Set(ControlMode.allCases.map(\.rawValue)), default: ControlMode.locked.rawValue)
        ranges[.whiteBalanceTemperature] = .number(profile.whiteBalanceTemperatures, step: 0, default: 5000)
        for gain in [DeviceControl.redGain, .greenGain, .blueGain] {
            ranges[gain] = .number(1...profile.maximumWhiteBalanceGain, step: 0, default: 1)
        }
        if profile.maximumZoom > 1 { ranges[.zoomFactor] = .number(1...profile.maximumZoom, step: 0, default: 1) }
        if profile.torchLux > 0 { ranges[.torchLevel] = .number(0...1, step: 0, default: 0) }
        if profile.flashLuxSeconds > 0 { ranges[.flash] = .flag(default: false) }
        return ranges
    }

    /// The value of a control that the camera has; nil for any other.
    func value(of control: DeviceControl) -> ControlValue? {
        switch control {
        case .exposureMode: .integer(exposureMode.rawValue)
        // Whole nanoseconds may round out of the range.
        case .exposureDuration:
            .number(
                min(max(exposure.seconds, profile.exposureDurations.lowerBound), profile.exposureDurations.upperBound))
        case .iso: .number(exposure.iso)
        case .exposureBias: .number(bias)
        case .exposureAdjusting: .flag(isAdjustingExposure)
        case .exposurePoint: .point(x: point.x, y: point.y)
        case .whiteBalanceMode: .integer(balanceMode.rawValue)
        case .whiteBalanceAdjusting: .flag(isAdjustingBalance)
        case .whiteBalanceTemperature: .number(kelvin ?? temperatureOfGains)
        case .redGain: .number(gains.red)
        case .greenGain: .number(gains.green)
        case .blueGain: .number(gains.blue)
        case .zoomFactor: .number(zoom)
        case .torchLevel: .number(torch)
        case .flash: .flag(isFlashArmed)
        case .focusMode, .lensPosition, .focusPoint, .gain, .powerLineFrequency, .brightness, .contrast, .saturation,
            .sharpness, .hue, .gamma, .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority,
            .inputGain, .mute, .smoothFocus, .lowLightBoost, .lowLightBoostActive, .focusAdjusting, .exposureOffset,
            .videoStabilization:
            nil
        }
    }

    /// Takes a value that lies in the control's range; returns the other controls that changed with it.
    mutating func set(_ control: DeviceControl, to value: ControlValue) -> [DeviceControl] {
        switch (control, value) {
        case (.exposureMode, .integer(let raw)):
            exposureMode = ControlMode(rawValue: raw) ?? .locked
            exposureLoop.restart()
            return [.exposureAdjusting]
        case (.exposureDuration, .number(let seconds)):
            exposure.nanoseconds = max(1, Int64((seconds * 1e9).rounded()))
            return leaveAutomaticExposure()
        case (.iso, .number(let iso)):
            exposure.iso = iso
            return leaveAutomaticExposure()
        case (.exposureBias, .number(let steps)):
            bias = steps
            exposureLoop.restart()
            return [.exposureAdjusting]
        case (.exposurePoint, .point(let x, let y)):
            point = MeteringPoint(x: x, y: y)
            exposureLoop.restart()
            return [.exposureAdjusting]
        case (.whiteBalanceMode, .integer(let raw)):
            balanceMode = ControlMode(rawValue: raw) ?? .locked
            balanceLoop.restart()
            return [.whiteBalanceAdjusting]
        case (.whiteBalanceTemperature, .number(let number)):
            setTemperature(number)
            balanceMode = .custom
            return [.redGain, .greenGain, .blueGain, .whiteBalanceMode, .whiteBalanceAdjusting]
        case (.redGain, .number(let gain)):
            gains.red = gain
            return leaveTemperature()
        case (.greenGain, .number(let gain)):
            gains.green = gain
            return leaveTemperature()
        case (.blueGain, .number(let gain)):
            gains.blue = gain
            return leaveTemperature()
        case (.zoomFactor, .number(let factor)):
            zoom = factor
        case (.torchLevel, .number(let level)):
            torch = level
        case (.flash, .flag(let isArmed)):
            isFlashArmed = isArmed
        default:
            break
        }
        return []
    }

    private mutating func leaveAutomaticExposure() -> [DeviceControl] {
        guard isMetering else { return [] }
        exposureMode = .custom
        return [.exposureMode, .exposureAdjusting]
    }

    private mutating func leaveTemperature() -> [DeviceControl] {
        kelvin = nil
        balanceMode = .custom
        return [.whiteBalanceMode, .whiteBalanceAdjusting, .whiteBalanceTemperature]
    }

    /// The temperature that the gains come nearest to, by their ratio of red and blue, which rises with it.
    private var temperatureOfGains: Double {
        var (low, high) = (
            profile.whiteBalanceTemperatures.lowerBound, profile.whiteBalanceTemperatures.upperBound
        )
        let ratio = gains.red / gains.blue
        // Halving 40 times is finer than a millionth of a kelvin.
        for _ in 0..<40 {
            let middle = (low + high) / 2
            let light = Chromaticity(blackBody: middle).linearRGB
            let other = light.blue * profile.sensor.blueResponse / (light.red * profile.sensor.redResponse)
            if other < ratio { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private mutating func setTemperature(_ number: Double) {
        kelvin = number
        let light = Chromaticity(blackBody: number).linearRGB
        let red = 1 / (light.red * profile.sensor.redResponse)
        let blue = 1 / (light.blue * profile.sensor.blueResponse)
        // No gain below 1, so that what saturates the sensor stays white.
        let least = min(red, 1, blue)
        let most = profile.maximumWhiteBalanceGain
        gains = ColorGains(red: min(red / least, most), green: min(1 / least, most), blue: min(blue / least, most))
    }

    // MARK: The frames

    /// The spacing of frames where the client asked for `wish`: an exposure that it set may lengthen it.
    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        guard exposureMode == .custom || exposureMode == .locked, exposure.nanoseconds > wish.nanoseconds else {
            return (wish.value, Int64(wish.timescale))
        }
        return (exposure.nanoseconds, 1_000_000_000)
    }

    /// What forms the next frame; the flash fires once.
    mutating func takeSnapshot() -> CameraState {
        defer { isFlashArmed = false }
        return self
    }

    /// Answers a frame that `snapshot` formed; returns the controls that changed.
    ///
    /// - Parameter isImmediate: Whether to go the whole way at once, as before the first frame.
    mutating func adjust(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, isImmediate: Bool = false
    ) -> [DeviceControl] {
        guard !snapshot.isFlashArmed else { return [] }
        let exposing = adjustExposure(after: snapshot, statistics, frameSeconds: frameSeconds, isImmediate)
        return isImmediate ? exposing : exposing + adjustBalance(after: snapshot, statistics)
    }

    private mutating func adjustExposure(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, _ isImmediate: Bool
    ) -> [DeviceControl] {
        guard isMetering else { return [] }
        let (before, wasAdjusting) = (exposure, isAdjustingExposure)
        exposure = exposureLoop.step(
            after: snapshot.exposure, current: before, mean: statistics.mean(at: point), bias: bias,
            longest: min(frameSeconds, 1.0 / 24), isImmediate: isImmediate)
        var changed: [DeviceControl] = []
        if exposure.nanoseconds != before.nanoseconds { changed.append(.exposureDuration) }
        if exposure.iso != before.iso { changed.append(.iso) }
        if exposureMode == .auto, !exposureLoop.isAdjusting {
            exposureMode = .locked
            changed.append(.exposureMode)
        }
        if isAdjustingExposure != wasAdjusting { changed.append(.exposureAdjusting) }
        return changed
    }

    private mutating func adjustBalance(
        after snapshot: CameraState, _ statistics: FrameStatistics
    ) -> [DeviceControl] {
        guard isBalancing else { return [] }
        let (before, wasAdjusting) = (gains, isAdjustingBalance)
        gains = balanceLoop.step(after: snapshot.gains, current: before, color: statistics.color)
        var changed: [DeviceControl] = []
        if gains != before {
            kelvin = temperatureOfGains.rounded()
            changed += [.redGain, .greenGain, .blueGain, .whiteBalanceTemperature]
        }
        if balanceMode == .auto, !balanceLoop.isAdjusting {
            balanceMode = .locked
            changed.append(.whiteBalanceMode)
        }
        if isAdjustingBalance != wasAdjusting { changed.append(.whiteBalanceAdjusting) }
        return changed
    }

    /// The settings that a frame tells.
    var settings: FrameSettings {
        FrameSettings(
            exposureDuration: CMTime(nanoseconds: exposure.nanoseconds), iso: exposure.iso,
            aperture: profile.lens.aperture, lensPosition: nil, zoomFactor: zoom, flashFired: isFlashArmed,
            whiteBalanceKelvin: kelvin)
    }
}
