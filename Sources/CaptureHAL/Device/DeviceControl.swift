/// A property of a device that can be read or set.
///
/// A backend offers the controls that its hardware has; the units are the same for all backends.
public enum DeviceControl: String, Sendable, Hashable, CaseIterable {
    /// An option of `ControlMode`.
    case focusMode
    /// 0 nearest … 1 farthest.
    case lensPosition
    /// A point, (0,0) top left to (1,1) bottom right of the unrotated frame.
    case focusPoint
    /// An option of `ControlMode`.
    case exposureMode
    /// Seconds.
    case exposureDuration
    /// Sensitivity (ISO 12232).
    case iso
    /// The f-number of the lens, for a variable aperture.
    case lensAperture
    /// The settings that automatic exposure still changes while `exposureMode` is custom, as an option set of
    /// `ExposureSettings`; none by default. Setting `exposureMode` resets it.
    case automaticExposureSettings
    /// The largest ratio of the areas of the aperture in consecutive frames of automatic exposure, at least 1; 0 for the
    /// camera's choice.
    case apertureRateLimit
    /// Amplification of the sensor signal, 0 … 1, for hardware with an unknown unit.
    case gain
    /// Exposure value (EV) steps.
    case exposureBias
    /// A point, like `focusPoint`.
    case exposurePoint
    /// An option of `ControlMode`.
    case whiteBalanceMode
    /// Kelvin.
    case whiteBalanceTemperature
    /// Factor on red, at least 1.
    case redGain
    /// Factor on green, at least 1.
    case greenGain
    /// Factor on blue, at least 1.
    case blueGain
    /// 1 is the full field of view.
    case zoomFactor
    /// 0 off … 1 brightest.
    case torchLevel
    /// A flag: fire the flash for the next still.
    case flash
    /// 0 none, 50 or 60 hertz, -1 automatic.
    case powerLineFrequency
    /// 0 … 1.
    case brightness
    /// 0 … 1.
    case contrast
    /// 0 … 1.
    case saturation
    /// 0 … 1.
    case sharpness
    /// 0 … 1; the middle of the range leaves colors unchanged.
    case hue
    /// 0 … 1.
    case gamma
    /// 0 … 1: the amount by which a subject in front of a bright background is brightened.
    case backlightCompensation
    /// 0 closed … 1 widest.
    case iris
    /// Degrees to the right of the camera's center position.
    case pan
    /// Degrees above the camera's center position.
    case tilt
    /// Hertz: the frequency to which a television tuner is set.
    case tunerFrequency
    /// A flag: allow the frame duration to grow for a longer exposure.
    case exposurePriority
    /// Microphone gain, 0 … 1.
    case inputGain
    /// A flag: deliver silence.
    case mute
    /// A flag: automatic focus changes slowly, for movies.
    case smoothFocus
    /// An option of `FocusRange`: the range that automatic focus searches.
    case focusRange
    /// Seconds: the longest exposure time that automatic exposure uses.
    case exposureLimit
    /// For a virtual camera: the index of the constituent that delivers at any zoom factor; -1 if the zoom factor
    /// selects the constituent.
    case constituent
    /// For a virtual camera: the constituents that may replace one with a longer focal length if the subject is too near
    /// or if there is too little light, as an option set with the bit 1 << index of each.
    case fallbackConstituents
    /// For a virtual camera: the events after which a constituent may replace another one; -1 for any time, or an option
    /// set of 1 (`zoomFactor` was set), 2 (`focusMode` was set) and 4 (`exposureMode` was set).
    case constituentSwitching
    /// For a virtual camera: the index of the constituent that delivers, read only.
    case activeConstituent
    /// A flag: the camera brightens dark frames, with less detail and a lower frame rate.
    case lowLightBoost
    /// A flag: preserve highlights with a second, shorter exposure.
    case videoHDR
    /// A flag: the camera sets `videoHDR` depending on the scene.
    case automaticVideoHDR
    /// An option of `CameraColorSpace`: the color space of frames, for formats that support several.
    case colorSpace
    /// The modes for which each frame has a stabilized image besides the captured one, as an option set from
    /// `VideoStabilization.mask(of:)`; none by default. `stabilizationModes` of the active format lists the supported
    /// modes.
    case videoStabilization
    /// A flag: automatic focus measures the largest detected face instead of the center of the frame. A `focusPoint`
    /// other than the center takes precedence.
    case faceDrivenFocus
    /// A flag: automatic exposure meters the detected faces instead of the complete frame. An `exposurePoint` other
    /// than the center takes precedence.
    case faceDrivenExposure
    /// A flag, read only: the camera is brightening dark frames now.
    case lowLightBoostActive
    /// A flag, read only: automatic focus is adjusting.
    case focusAdjusting
    /// A flag, read only: automatic exposure is adjusting.
    case exposureAdjusting
    /// A flag, read only: automatic white balance is adjusting.
    case whiteBalanceAdjusting
    /// EV steps, read only: how much brighter the frame is than the target of automatic exposure.
    case exposureOffset

    /// Whether only the device changes the control; setting it throws `.unsupportedControl`.
    public var isReadOnly: Bool {
        switch self {
        case .activeConstituent, .lowLightBoostActive, .focusAdjusting, .exposureAdjusting, .whiteBalanceAdjusting,
            .exposureOffset:
            true
        case .focusMode, .lensPosition, .focusPoint, .exposureMode, .exposureDuration, .iso, .exposureBias,
            .lensAperture, .automaticExposureSettings, .apertureRateLimit,
            .exposurePoint, .whiteBalanceMode, .whiteBalanceTemperature, .redGain, .greenGain, .blueGain, .zoomFactor,
            .torchLevel, .flash, .powerLineFrequency, .brightness, .contrast, .saturation, .sharpness, .gain, .hue,
            .gamma,
            .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority, .inputGain, .mute,
            .smoothFocus, .focusRange, .exposureLimit, .constituent, .fallbackConstituents, .constituentSwitching,
            .lowLightBoost, .videoHDR, .automaticVideoHDR,
            .colorSpace, .videoStabilization, .faceDrivenFocus, .faceDrivenExposure:
            false
        }
    }
}

/// The options of `focusMode`, `exposureMode` and `whiteBalanceMode`, stored as an integer value.
public enum ControlMode: Int64, Sendable, Hashable, CaseIterable {
    /// Keeps the current value.
    case locked = 0
    /// Adjusts once, then locks.
    case auto = 1
    case continuousAuto = 2
    /// Uses the value that the client set.
    case custom = 3
}

/// The settings of an exposure; `automaticExposureSettings` stores them as an integer value.
public struct ExposureSettings: OptionSet, Sendable, Hashable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let duration = ExposureSettings(rawValue: 1 << 0)
    public static let iso = ExposureSettings(rawValue: 1 << 1)
    public static let aperture = ExposureSettings(rawValue: 1 << 2)
}

/// The options of `focusRange`, stored as an integer value; the raw values match
/// `AVCaptureDevice.AutoFocusRangeRestriction`.
public enum FocusRange: Int64, Sendable, Hashable, CaseIterable {
    case all = 0
    case near = 1
    case far = 2
}

/// The options of `colorSpace`, stored as an integer value; the raw values match `AVCaptureColorSpace`.
public enum CameraColorSpace: Int64, Sendable, Hashable, CaseIterable {
    /// Primaries and transfer function of BT.709.
    case bt709 = 0
    /// Primaries of SMPTE RP 431-2 (P3) with the white point D65, and the transfer function of BT.709.
    case p3D65 = 1
    /// Primaries of BT.2020 and the transfer function HLG of BT.2100, for high dynamic range.
    case hlgBT2020 = 2
}

/// A value of a control, in the control's unit.
public enum ControlValue: Sendable, Hashable {
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case point(x: Double, y: Double)

    /// The value in messages.
    package var text: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .point(let x, let y): "(\(x), \(y))"
        }
    }
}

/// The values that a control accepts.
public enum ControlRange: Sendable, Hashable {
    case flag(default: Bool)
    /// The supported options.
    case options(Set<Int64>, default: Int64)
    /// A step of 0 means a continuous range.
    case number(ClosedRange<Double>, step: Double, default: Double)
    case point(defaultX: Double, defaultY: Double)

    /// The values in messages.
    package var text: String {
        switch self {
        case .flag: "true or false"
        case .options(let options, _): options.sorted().map(String.init).joined(separator: ", ")
        case .number(let range, let step, _):
            "\(range.lowerBound) to \(range.upperBound)" + (step > 0 ? " in steps of \(step)" : "")
        case .point: "(0, 0) to (1, 1)"
        }
    }

    /// Whether `value` has the right type and is in range.
    public func contains(_ value: ControlValue) -> Bool {
        switch (self, value) {
        case (.flag, .flag): true
        case (.options(let options, _), .integer(let option)): options.contains(option)
        case (.number(let range, _, _), .number(let number)): range.contains(number)
        case (.point, .point(let x, let y)): (0...1).contains(x) && (0...1).contains(y)
        case (.flag, _), (.options, _), (.number, _), (.point, _): false
        }
    }
}
