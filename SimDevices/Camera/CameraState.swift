import CaptureHAL
import MediaTypes
import ThreeA

/// The settings of a camera and the state of its automatic loops, updated when the client sets a control and with the
/// statistics of each metered frame.
struct CameraState: Sendable {
    let profile: CameraProfile
    var exposure: Exposure
    var exposureControl: ExposureControl
    var gains = ColorGains(red: 1, green: 1, blue: 1)
    var whiteBalance: WhiteBalance
    /// The focus position of the lens: 0 nearest … 1 farthest.
    var lensPosition: Double
    var focus: Focus
    var hdr = HDR()
    var lamps = Lamps()
    /// Whether a privacy shutter blocks the light.
    var isShutterClosed = false
    var zoom = 1.0
    /// The modes with which each frame is stabilized, in the order of their raw values; `off` is not one of them.
    var stabilization: [VideoStabilization] = []
    /// The color space of frames.
    var colorSpace = CameraColorSpace.bt709

    /// Creates the state of a camera before its first frame.
    ///
    /// - Parameter subjectDistance: Distance of the initial focus, in meters.
    init(profile: CameraProfile, light: SceneLight, subjectDistance: Double) {
        self.profile = profile
        var program = ExposureProgram(durations: profile.exposureDurations, isos: profile.isoRange)
        program.powerLineHertz = 50
        program.apertureAreas = profile.apertureAreas
        lensPosition = Optics.lensPosition(of: profile.lens, distance: subjectDistance)
        focus = Focus(
            mode: profile.hasFocus ? .continuousAuto : .locked,
            loop: AutoFocus(dynamics: AutoFocus.Dynamics(lensStep: 0.001)))
        exposureControl = ExposureControl(loop: AutoExposure(program: program))
        let gainRange = 1...profile.maximumWhiteBalanceGain
        whiteBalance = WhiteBalance(
            loop: AutoWhiteBalance(
                limits: GainLimits(red: gainRange, green: gainRange, blue: gainRange),
                dynamics: Self.balanceDynamics(profile)))
        // An initial estimate for surfaces of 30 % reflectance.
        let unit = Optics.saturationFraction(lux: light.lux, seconds: 1, iso: 1, aperture: profile.lens.aperture)
        exposure = program.exposure(product: AutoExposure.target / 0.3 / unit, longest: 1.0 / 30)
        setTemperature(defaultKelvin)
    }

    /// Returns the parameters of the white balance loop, with limits that allow the warmest light of the camera's
    /// range.
    private static func balanceDynamics(_ profile: CameraProfile) -> AutoWhiteBalance.Dynamics {
        var dynamics = AutoWhiteBalance.Dynamics()
        let warmest = Chromaticity(blackBody: profile.whiteBalanceTemperatures.lowerBound).linearRGB
        let blue = RepeatableMath.log2(1 / (warmest.blue * profile.sensor.blueResponse))
        dynamics.blueLimits = dynamics.blueLimits.lowerBound...max(dynamics.blueLimits.upperBound, blue)
        return dynamics
    }

    /// The default limit of the automatic exposure time, in seconds. It limits the motion blur of people.
    var defaultExposureLimit: Double {
        min(max(1.0 / 24, profile.exposureDurations.lowerBound), profile.exposureDurations.upperBound)
    }

    /// The initial color temperature: that of daylight, CIE 15's D55, limited to the camera's range.
    private var defaultKelvin: Double {
        min(max(5500, profile.whiteBalanceTemperatures.lowerBound), profile.whiteBalanceTemperatures.upperBound)
    }

    /// The f-number.
    var aperture: Double { exposure.aperture(of: profile.lens) }

    /// Whether the ISO sensitivity exceeds the camera's range. Pixels are then binned 2x2.
    var isLowLightBoostActive: Bool { exposure.iso > profile.isoRange.upperBound }
    /// The maximum luminance that is preserved, relative to white.
    var headroom: Double {
        if colorSpace == .hlgBT2020 { return 1 / HybridLogGamma.white }
        return hdr.isActive ? profile.highlightHeadroom : 1
    }

    // MARK: Controls

    /// The controls of the camera with their ranges.
    var ranges: [DeviceControl: ControlRange] {
        var ranges: [DeviceControl: ControlRange] = [:]
        var modes: Set<Int64> = [ControlMode.continuousAuto.rawValue]
        // The mode `auto` changes to `locked` when the exposure has converged.
        if profile.hasExposureLock { modes.formUnion([ControlMode.locked.rawValue, ControlMode.auto.rawValue]) }
        if profile.hasManualExposure {
            modes.insert(ControlMode.custom.rawValue)
            ranges[.exposureDuration] = .number(
                profile.exposureDurations, step: 0,
                default: min(max(0.01, profile.exposureDurations.lowerBound), profile.exposureDurations.upperBound))
            ranges[.iso] = .number(profile.isoRange, step: 0, default: profile.isoRange.lowerBound)
        }
        if profile.hasManualExposure, let widest = profile.lens.apertureStops.first,
            let narrowest = profile.lens.apertureStops.last
        {
            ranges[.lensAperture] = .number(widest...narrowest, step: 0, default: profile.lens.aperture)
            ranges[.apertureRateLimit] = .number(0...100, step: 0, default: 0)
        }
        if !profile.exposurePriorities.isEmpty {
            ranges[.automaticExposureSettings] = .options(profile.automaticExposureSettings, default: 0)
        }
        ranges[.exposureLimit] = .number(profile.exposureDurations, step: 0, default: defaultExposureLimit)
        ranges[.exposureAdjusting] = .flag(default: false)
        ranges[.exposureOffset] = .number(-20...20, step: 0.1, default: 0)
        ranges[.powerLineFrequency] = .options([0, 50, 60], default: 50)
        if profile.hasFocus {
            ranges[.focusMode] = .options(
                Set(ControlMode.allCases.map(\.rawValue)), default: ControlMode.continuousAuto.rawValue)
            ranges[.focusPoint] = .point(defaultX: 0.5, defaultY: 0.5)
            ranges[.focusAdjusting] = .flag(default: false)
            ranges[.lensPosition] = .number(0...1, step: 0, default: 1)
            ranges[.smoothFocus] = .flag(default: false)
            ranges[.focusRange] = .options(Set(FocusRange.allCases.map(\.rawValue)), default: FocusRange.all.rawValue)
        }
        ranges[.exposureMode] = .options(modes, default: ControlMode.continuousAuto.rawValue)
        ranges[.exposureBias] = .number(profile.exposureBias, step: 0, default: 0)
        ranges[.exposurePoint] = .point(defaultX: 0.5, defaultY: 0.5)
        ranges[.whiteBalanceAdjusting] = .flag(default: false)
        ranges[.whiteBalanceMode] = .options(
            Set(ControlMode.allCases.map(\.rawValue)), default: ControlMode.continuousAuto.rawValue)
        ranges[.whiteBalanceTemperature] = .number(
            profile.whiteBalanceTemperatures, step: 0, default: defaultKelvin)
        for gain in [DeviceControl.redGain, .greenGain, .blueGain] {
            ranges[gain] = .number(1...profile.maximumWhiteBalanceGain, step: 0, default: 1)
        }
        if profile.detectsFaces {
            ranges[.faceDrivenExposure] = .flag(default: true)
            if profile.hasFocus { ranges[.faceDrivenFocus] = .flag(default: true) }
        }
        if profile.maximumZoom > 1 { ranges[.zoomFactor] = .number(1...profile.maximumZoom, step: 0, default: 1) }
        if !profile.stabilization.isEmpty {
            ranges[.videoStabilization] = VideoStabilization.controlRange(of: profile.stabilization.keys)
        }
        if profile.torchLux > 0 { ranges[.torchLevel] = .number(0...1, step: 0, default: 0) }
        if profile.flashLuxSeconds > 0 { ranges[.flash] = .flag(default: false) }
        if profile.lowLightBoost > 1 {
            ranges[.lowLightBoost] = .flag(default: false)
            ranges[.lowLightBoostActive] = .flag(default: false)
        }
        if profile.highlightHeadroom > 1 {
            ranges[.videoHDR] = .flag(default: false)
            ranges[.automaticVideoHDR] = .flag(default: true)
        }
        let spaces = Set(profile.formats.flatMap { $0.colorSpaces.map(\.rawValue) })
        if spaces.count > 1 { ranges[.colorSpace] = .options(spaces, default: CameraColorSpace.bt709.rawValue) }
        return ranges
    }

    /// Returns the value of a control; nil if the camera does not have it.
    func value(of control: DeviceControl) -> ControlValue? {
        switch control {
        case .exposureMode: .integer(exposureControl.mode.rawValue)
        // Rounding to whole nanoseconds may leave the range.
        case .exposureDuration:
            .number(
                min(max(exposure.seconds, profile.exposureDurations.lowerBound), profile.exposureDurations.upperBound))
        case .iso: .number(min(exposure.iso, profile.isoRange.upperBound))
        case .lensAperture:
            .number(
                min(
                    max(aperture, profile.lens.apertureStops.first ?? aperture),
                    profile.lens.apertureStops.last ?? aperture))
        case .automaticExposureSettings: .integer(exposureControl.automaticSettings.rawValue)
        case .apertureRateLimit: .number(exposureControl.apertureRateLimit)
        case .exposureBias: .number(exposureControl.bias)
        case .exposureAdjusting: .flag(exposureControl.isAdjusting)
        case .exposurePoint: .point(x: exposureControl.point.x, y: exposureControl.point.y)
        case .whiteBalanceMode: .integer(whiteBalance.mode.rawValue)
        case .whiteBalanceAdjusting: .flag(whiteBalance.isAdjusting)
        case .whiteBalanceTemperature: .number(whiteBalance.kelvin ?? temperature(of: gains))
        case .redGain: .number(gains.red)
        case .greenGain: .number(gains.green)
        case .blueGain: .number(gains.blue)
        case .zoomFactor: .number(zoom)
        case .torchLevel: .number(lamps.torch)
        case .flash: .flag(lamps.isFlashArmed)
        case .focusMode: .integer(focus.mode.rawValue)
        case .focusPoint: .point(x: focus.point.x, y: focus.point.y)
        case .focusAdjusting: .flag(focus.isAdjusting)
        case .lensPosition: .number(lensPosition)
        case .smoothFocus: .flag(focus.loop.isSmooth)
        case .focusRange: .integer(focus.range.rawValue)
        case .exposureLimit: .number(exposureControl.limit ?? defaultExposureLimit)
        case .exposureOffset: .number(exposureControl.offset)
        case .powerLineFrequency: .integer(exposureControl.loop.program.powerLineHertz)
        case .lowLightBoost: .flag(exposureControl.isBoostAllowed)
        case .lowLightBoostActive: .flag(isLowLightBoostActive)
        case .videoHDR: .flag(hdr.isActive)
        case .automaticVideoHDR: .flag(hdr.isAutomatic)
        case .colorSpace: .integer(colorSpace.rawValue)
        case .videoStabilization: .integer(VideoStabilization.mask(of: stabilization))
        case .faceDrivenFocus: .flag(focus.isFaceDriven)
        case .faceDrivenExposure: .flag(exposureControl.isFaceDriven)
        case .gain, .brightness, .contrast, .saturation,
            .sharpness, .hue, .gamma, .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority,
            .inputGain, .mute, .constituent, .fallbackConstituents, .constituentSwitching, .activeConstituent:
            nil
        }
    }

    /// Sets a control to a value within its range; returns the other controls that changed as a result.
    mutating func set(_ control: DeviceControl, to value: ControlValue) -> [DeviceControl] {
        let wasLowLightBoostActive = isLowLightBoostActive
        let changed = apply(control, value)
        return isLowLightBoostActive == wasLowLightBoostActive ? changed : changed + [.lowLightBoostActive]
    }

    private mutating func apply(_ control: DeviceControl, _ value: ControlValue) -> [DeviceControl] {
        switch (control, value) {
        case (.exposureMode, .integer(let raw)):
            exposureControl.mode = ControlMode(rawValue: raw) ?? .locked
            exposureControl.automaticSettings = []
            exposureControl.locked = nil
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.automaticExposureSettings, .integer(let raw)):
            exposureControl.automaticSettings = ExposureSettings(rawValue: raw)
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.exposureDuration, .number(let seconds)):
            exposure.nanoseconds = max(1, Int64((seconds * 1e9).rounded()))
            return switchToCustomExposure(fixing: .duration)
        case (.iso, .number(let iso)):
            exposure.iso = iso
            return switchToCustomExposure(fixing: .iso)
        case (.lensAperture, .number(let aperture)):
            let ratio = profile.lens.aperture / aperture
            exposure.apertureArea = ratio * ratio
            return switchToCustomExposure(fixing: .aperture)
        case (.apertureRateLimit, .number(let limit)):
            exposureControl.apertureRateLimit = limit
        case (.exposureBias, .number(let newBias)):
            let changed = exposureControl.mode == .locked ? applyBiasToLockedExposure(newBias) : []
            exposureControl.bias = newBias
            exposureControl.loop.restart()
            return changed + [.exposureAdjusting]
        case (.exposurePoint, .point(let x, let y)):
            exposureControl.point = MeteringPoint(x: x, y: y)
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.faceDrivenExposure, .flag(let isFaceDriven)):
            exposureControl.isFaceDriven = isFaceDriven
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.whiteBalanceMode, .integer(let raw)):
            whiteBalance.mode = ControlMode(rawValue: raw) ?? .locked
            whiteBalance.loop.restart()
            return [.whiteBalanceAdjusting]
        case (.whiteBalanceTemperature, .number(let kelvin)):
            setTemperature(kelvin)
            whiteBalance.mode = .custom
            return [.redGain, .greenGain, .blueGain, .whiteBalanceMode, .whiteBalanceAdjusting]
        case (.redGain, .number(let gain)):
            gains.red = gain
            return switchToCustomGains()
        case (.greenGain, .number(let gain)):
            gains.green = gain
            return switchToCustomGains()
        case (.blueGain, .number(let gain)):
            gains.blue = gain
            return switchToCustomGains()
        case (.focusMode, .integer(let raw)):
            focus.mode = ControlMode(rawValue: raw) ?? .locked
            if focus.isAutomatic { focus.loop.start() } else { focus.loop.stop() }
            return [.focusAdjusting]
        case (.focusPoint, .point(let x, let y)):
            focus.point = MeteringPoint(x: x, y: y)
            focus.window = .focusWindow(at: focus.point)
            if focus.isAutomatic { focus.loop.start() }
            return [.focusAdjusting]
        case (.faceDrivenFocus, .flag(let isFaceDriven)):
            focus.isFaceDriven = isFaceDriven
            if focus.isAutomatic { focus.loop.start() }
            return [.focusAdjusting]
        case (.lensPosition, .number(let position)):
            lensPosition = position
            focus.loop.stop()
            guard focus.isAutomatic else { return [] }
            focus.mode = .custom
            return [.focusMode, .focusAdjusting]
        case (.smoothFocus, .flag(let isSmooth)):
            focus.loop.isSmooth = isSmooth
        case (.focusRange, .integer(let raw)):
            focus.range = FocusRange(rawValue: raw) ?? .all
            focus.loop.range = focus.range.scanRange
        case (.exposureLimit, .number(let seconds)):
            exposureControl.limit = seconds
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.powerLineFrequency, .integer(let hertz)):
            exposureControl.loop.program.powerLineHertz = hertz
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.zoomFactor, .number(let factor)):
            zoom = factor
        case (.videoStabilization, .integer(let mask)):
            stabilization = VideoStabilization.modes(in: mask)
        case (.torchLevel, .number(let level)):
            lamps.torch = level
        case (.flash, .flag(let isArmed)):
            lamps.isFlashArmed = isArmed
        case (.lowLightBoost, .flag(let isAllowed)):
            exposureControl.isBoostAllowed = isAllowed
            let (low, high) = (profile.isoRange.lowerBound, profile.isoRange.upperBound)
            exposureControl.loop.program.isos = low...high * (isAllowed ? profile.lowLightBoost : 1)
            if !isAllowed { exposure.iso = min(exposure.iso, high) }
            exposureControl.loop.restart()
            return [.exposureAdjusting]
        case (.videoHDR, .flag(let isOn)):
            hdr.isEnabled = isOn
            guard hdr.isAutomatic else { return [] }
            hdr.isAutomatic = false
            return [.automaticVideoHDR]
        case (.colorSpace, .integer(let raw)):
            colorSpace = CameraColorSpace(rawValue: raw) ?? .bt709
        case (.automaticVideoHDR, .flag(let isOn)):
            (hdr.isAutomatic, hdr.toggleCount) = (isOn, 0)
        default:
            break
        }
        return []
    }

    /// Applies a bias to the locked exposure; returns the changed controls.
    private mutating func applyBiasToLockedExposure(_ bias: Double) -> [DeviceControl] {
        let start = exposureControl.locked ?? LockedExposure(exposure, bias: exposureControl.bias)
        exposureControl.locked = start
        exposure = start.exposure(
            at: bias, by: exposureControl.loop.program,
            longest: min(exposureControl.frameSeconds, exposureControl.limit ?? defaultExposureLimit))
        return [.exposureDuration, .iso]
    }

    /// Switches to custom exposure if the exposure is automatic; returns the changed controls.
    ///
    /// - Parameter setting: A setting that automatic exposure no longer changes.
    private mutating func switchToCustomExposure(fixing setting: ExposureSettings) -> [DeviceControl] {
        exposureControl.locked = nil
        exposureControl.automaticSettings.remove(setting)
        guard exposureControl.isAutomatic, exposureControl.mode != .custom else { return [] }
        exposureControl.mode = .custom
        return [.exposureMode, .exposureAdjusting]
    }

    /// Switches to custom white balance after a gain was set; returns the changed controls.
    private mutating func switchToCustomGains() -> [DeviceControl] {
        whiteBalance.kelvin = nil
        whiteBalance.mode = .custom
        return [.whiteBalanceMode, .whiteBalanceAdjusting, .whiteBalanceTemperature]
    }

    /// Returns the color temperature in kelvin for which the ratio of the red gain to the blue gain is that of `gains`.
    /// The ratio increases with the temperature.
    func temperature(of gains: ColorGains) -> Double {
        var (low, high) = (
            profile.whiteBalanceTemperatures.lowerBound, profile.whiteBalanceTemperatures.upperBound
        )
        let ratio = gains.red / gains.blue
        // 40 bisections reduce the error to less than a millionth of a kelvin.
        for _ in 0..<40 {
            let middle = (low + high) / 2
            let light = Chromaticity(blackBody: middle).linearRGB
            let middleRatio = light.blue * profile.sensor.blueResponse / (light.red * profile.sensor.redResponse)
            if middleRatio < ratio { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    mutating func setTemperature(_ newKelvin: Double) {
        whiteBalance.kelvin = newKelvin
        gains = Self.gains(kelvin: Self.nearestReachableKelvin(newKelvin, profile), profile.sensor)
    }

    /// Returns the gains that make a gray surface gray in the light of a black body.
    private static func gains(kelvin: Double, _ sensor: SensorProfile) -> ColorGains {
        let light = Chromaticity(blackBody: kelvin).linearRGB
        let red = 1 / (light.red * sensor.redResponse)
        let blue = 1 / (light.blue * sensor.blueResponse)
        // With all gains at least 1, saturated pixels stay white.
        let smallest = min(red, 1, blue)
        return ColorGains(red: red / smallest, green: 1 / smallest, blue: blue / smallest)
    }

    /// Returns the nearest color temperature, in kelvin, with gains that do not exceed the camera's maximum.
    ///
    /// If only the gain of one color were limited, gray surfaces would be green or magenta. With all gains of a black
    /// body, they are warmer or cooler.
    static func nearestReachableKelvin(_ kelvin: Double, _ profile: CameraProfile) -> Double {
        func exceedsMaximum(_ kelvin: Double) -> Bool {
            let gains = gains(kelvin: kelvin, profile.sensor)
            return max(gains.red, gains.green, gains.blue) > profile.maximumWhiteBalanceGain
        }
        // Gains are smallest in neutral light.
        var (reachable, wanted) = (5500.0, kelvin)
        guard exceedsMaximum(wanted), !exceedsMaximum(reachable) else { return kelvin }
        // 40 bisections reduce the error to less than a millionth of a kelvin.
        for _ in 0..<40 {
            let middle = (reachable + wanted) / 2
            if exceedsMaximum(middle) { wanted = middle } else { reachable = middle }
        }
        return reachable
    }
}

extension FocusRange {
    /// The lens positions that a focus scan covers. The nearer half of the range of a phone's lens covers distances of
    /// a few decimeters.
    fileprivate var scanRange: ClosedRange<Double> {
        switch self {
        case .all: 0...1
        case .near: 0...0.5
        case .far: 0.5...1
        }
    }
}
