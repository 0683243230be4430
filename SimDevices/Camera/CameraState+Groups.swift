import CaptureHAL
import ThreeA

/// A control that the camera can adjust itself.
protocol AdjustableSetting {
    var mode: ControlMode { get }
    /// Whether the setting is automatic.
    var isAutomatic: Bool { get }
    /// Whether the automatic loop has not converged.
    var isLoopAdjusting: Bool { get }
}

extension AdjustableSetting {
    var isAutomatic: Bool { mode == .continuousAuto || mode == .auto }
    /// Whether the automatic loop changes the setting.
    var isAdjusting: Bool { isAutomatic && isLoopAdjusting }
}

extension CameraState {
    /// The control of the exposure. The exposure itself is `CameraState.exposure`.
    struct ExposureControl: AdjustableSetting, Sendable {
        var mode = ControlMode.continuousAuto
        /// The settings that the loop changes in the custom mode.
        var automaticSettings: ExposureSettings = []
        /// The largest ratio of the areas of the aperture in consecutive frames; 0 for the default.
        var apertureRateLimit = 0.0
        /// The exposure bias in EV.
        var bias = 0.0
        /// The exposure at the time of locking; nil if no bias has been applied to it since.
        var locked: LockedExposure?
        var point = MeteringPoint.center
        /// Whether the automatic exposure meters faces if `point` is the center.
        var isFaceDriven = true
        /// The maximum duration of the automatic exposure, in seconds; nil for the camera's default.
        var limit: Double?
        /// The frame interval of the stream, in seconds.
        var frameSeconds = 1.0 / 30
        /// Whether the ISO sensitivity may exceed the camera's range in low light (low-light boost).
        var isBoostAllowed = false
        /// The difference of the last metered exposure from the target in EV, rounded to tenths; positive if the frame
        /// is brighter than the target.
        var offset = 0.0
        var loop: AutoExposure

        var isLoopAdjusting: Bool { loop.isAdjusting }
        /// Whether the loop changes all settings or some of them.
        var isAutomatic: Bool {
            mode == .continuousAuto || mode == .auto || mode == .custom && !automaticSettings.isEmpty
        }
    }

    /// The control of the white balance. The gains themselves are `CameraState.gains`.
    struct WhiteBalance: AdjustableSetting, Sendable {
        var mode = ControlMode.continuousAuto
        /// The temperature from which the gains were computed; nil if the gains were set individually.
        var kelvin: Double?
        var loop: AutoWhiteBalance

        var isLoopAdjusting: Bool { loop.isAdjusting }
    }

    /// The control of the focus. The position of the lens is `CameraState.lensPosition`.
    struct Focus: AdjustableSetting, Sendable {
        var mode: ControlMode
        var point = MeteringPoint.center
        /// The window in which the contrast of the next frame is measured.
        var window = MeteringRegion.focusWindow(at: .center)
        /// Whether the automatic focus measures the largest face if `point` is the center.
        var isFaceDriven = true
        var range = FocusRange.all
        var loop: AutoFocus

        var isLoopAdjusting: Bool { loop.isAdjusting }
    }

    /// A second exposure that preserves highlights (HDR).
    struct HDR: Sendable {
        var isEnabled = false
        /// Whether the camera enables and disables HDR automatically.
        var isAutomatic = true
        /// Whether the stream's format supports HDR; true before the first stream is created.
        var isSupportedByFormat = true
        /// The number of consecutive metered frames that require a change of `isEnabled`.
        var toggleCount = 0

        var isActive: Bool { isEnabled && isSupportedByFormat }
    }

    /// The lamps of the camera.
    struct Lamps: Sendable {
        /// The level of the torch: 0 off … 1 maximum.
        var torch = 0.0
        /// Whether the flash fires during the next frame.
        var isFlashArmed = false
        /// The energy of the flash: 0 none … 1 maximum.
        var flashPower = 1.0
    }
}
