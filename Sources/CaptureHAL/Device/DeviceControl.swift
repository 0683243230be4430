/// Something on a device that can be read or set.
///
/// A backend offers those that its hardware has; units are the same on all of them.
public enum DeviceControl: String, Sendable, Hashable, CaseIterable {
    /// An option of `ControlMode`.
    case focusMode
    /// 0 nearest … 1 farthest.
    case lensPosition
    /// A point, (0,0) top left to (1,1) bottom right of the unrotated picture.
    case focusPoint
    /// An option of `ControlMode`.
    case exposureMode
    /// Seconds.
    case exposureDuration
    /// ISO 12232.
    case iso
    /// Amplification of the sensor's signal, 0 … 1, where its unit is not known.
    case gain
    /// Exposure value steps.
    case exposureBias
    /// A point, as `focusPoint`.
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
    /// 1 is the whole field of view.
    case zoomFactor
    /// 0 off … 1 brightest.
    case torchLevel
    /// A flag: light the next picture that is taken as a still.
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
    /// 0 … 1; amid the range where colours are as they came.
    case hue
    /// 0 … 1.
    case gamma
    /// 0 … 1: how much a subject before a bright background is lifted.
    case backlightCompensation
    /// 0 closed … 1 widest.
    case iris
    /// Degrees to the right of the camera's own middle.
    case pan
    /// Degrees above the camera's own middle.
    case tilt
    /// Hertz: the station that a television input receives.
    case tunerFrequency
    /// A flag: lengthen the frame for a longer exposure.
    case exposurePriority
    /// Microphone gain, 0 … 1.
    case inputGain
    /// A flag: deliver silence.
    case mute
    /// A flag: automatic focus moves slowly, as movies want it.
    case smoothFocus
    /// An option of `FocusRange`: where automatic focus looks.
    case focusRange
    /// Seconds: the longest time that automatic exposure takes.
    case exposureLimit
    /// Of a camera that is several: the index of the constituent that delivers whatever the zoom; -1 where the zoom
    /// chooses.
    case constituent
    /// A flag: brighten dark pictures by whatever means the camera has, at the cost of detail and frame rate.
    case lowLightBoost
    /// A flag: keep highlights by a second, shorter exposure.
    case videoHDR
    /// A flag: the camera decides on `videoHDR` by the scene.
    case automaticVideoHDR
    /// An option of `VideoStabilization`; the modes that the active format has are in its `stabilizationModes`.
    case videoStabilization
    /// A flag, read only: the camera is brightening dark pictures now.
    case lowLightBoostActive
    /// A flag, read only: the automatic focus is moving.
    case focusAdjusting
    /// A flag, read only: the automatic exposure is moving.
    case exposureAdjusting
    /// A flag, read only: the automatic white balance is moving.
    case whiteBalanceAdjusting
    /// Exposure value steps, read only: how much brighter than the automatic exposure's aim the picture is.
    case exposureOffset

    /// Whether only the device changes it; setting it throws `.unsupportedControl`.
    public var isReadOnly: Bool {
        switch self {
        case .lowLightBoostActive, .focusAdjusting, .exposureAdjusting, .whiteBalanceAdjusting, .exposureOffset: true
        case .focusMode, .lensPosition, .focusPoint, .exposureMode, .exposureDuration, .iso, .exposureBias,
            .exposurePoint, .whiteBalanceMode, .whiteBalanceTemperature, .redGain, .greenGain, .blueGain, .zoomFactor,
            .torchLevel, .flash, .powerLineFrequency, .brightness, .contrast, .saturation, .sharpness, .gain, .hue,
            .gamma,
            .backlightCompensation, .iris, .pan, .tilt, .tunerFrequency, .exposurePriority, .inputGain, .mute,
            .smoothFocus, .focusRange, .exposureLimit, .constituent, .lowLightBoost, .videoHDR, .automaticVideoHDR,
            .videoStabilization:
            false
        }
    }
}

/// The options of `focusMode`, `exposureMode` and `whiteBalanceMode`, stored as an integer value.
public enum ControlMode: Int64, Sendable, Hashable, CaseIterable {
    /// Stays as it is.
    case locked = 0
    /// Adjusts once, then locks.
    case auto = 1
    case continuousAuto = 2
    /// As the client set it.
    case custom = 3
}

/// The options of `focusRange`, stored as an integer value; the raw values are those of
/// `AVCaptureDevice.AutoFocusRangeRestriction`.
public enum FocusRange: Int64, Sendable, Hashable, CaseIterable {
    case all = 0
    case near = 1
    case far = 2
}

/// A value of a control, in the unit that the control names.
public enum ControlValue: Sendable, Hashable {
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case point(x: Double, y: Double)
}

/// The values that a control takes.
public enum ControlRange: Sendable, Hashable {
    case flag(default: Bool)
    /// The options on offer.
    case options(Set<Int64>, default: Int64)
    /// A step of 0 means that any value between is possible.
    case number(ClosedRange<Double>, step: Double, default: Double)
    case point(defaultX: Double, defaultY: Double)

    /// Whether `value` has the right type and lies inside.
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
