import CaptureHAL
import ThreeA

/// The lens of a device and the autofocus loop.
struct FocusState: Sendable {
    private(set) var mode = ControlMode.continuousAuto
    private(set) var point = MeteringPoint.center
    private var failureCount = 0
    private var loop: AutoFocus
    /// The lens position to which the device is set.
    private var current: Double
    private var delayLine: DelayLine<Double>
    /// The lens position with which the last frame was captured.
    private var captured: Double

    /// Creates the state.
    ///
    /// - Parameter number: Reads a numeric control of the device; nil if it cannot be read.
    init(lensStep: Double, _ dynamics: AutomaticDynamics, _ number: (DeviceControl) -> Double?) {
        var focus = dynamics.focus
        focus.lensStep = lensStep
        focus.coarseStep = max(focus.coarseStep, lensStep)
        focus.fineStep = max(focus.fineStep, lensStep)
        loop = AutoFocus(dynamics: focus)
        loop.start()
        current = number(.lensPosition) ?? 1
        captured = current
        delayLine = DelayLine(lag: dynamics.lag, value: current)
    }

    var isAutomatic: Bool { mode.isAutomatic }
    var isAdjusting: Bool { mode.isAutomatic && loop.isAdjusting }

    mutating func setMode(_ mode: ControlMode) {
        self.mode = mode
        if mode.isAutomatic { loop.start() } else { loop.stop() }
    }

    mutating func setPoint(_ point: MeteringPoint) {
        self.point = point
        if mode.isAutomatic { loop.start() }
    }

    /// Sets the lens position manually. Returns whether this ended the automatic mode.
    mutating func setPosition(_ position: Double) -> Bool {
        current = position
        defer { loop.stop() }
        guard mode.isAutomatic else { return false }
        mode = .custom
        return true
    }

    /// Advances by one frame.
    mutating func advance() { captured = delayLine.advance(current) }

    /// Processes a measured frame, and returns the values to write.
    mutating func step(
        _ statistics: FrameStatistics, isExposureSteady: Bool
    ) -> [(DeviceControl, ControlValue)] {
        guard mode.isAutomatic, let contrast = statistics.contrast, let gradient = statistics.gradient else {
            return []
        }
        let frame = AutoFocus.Frame(
            contrast: contrast, gradient: gradient, zones: statistics.zones, position: captured,
            isExposureSteady: isExposureSteady)
        let next = loop.step(frame, current: current, isContinuous: mode == .continuousAuto)
        return next == current ? [] : [(.lensPosition, .number(next))]
    }

    /// Stores the value of a control after a write.
    mutating func didWrite(_ control: DeviceControl, _ number: Double) {
        guard control == .lensPosition else { return }
        current = number
        failureCount = 0
    }

    /// Counts a failed write. The next frame tries again.
    mutating func didFail(_ control: DeviceControl) {
        guard control == .lensPosition else { return }
        failureCount += 1
        if failureCount >= ExposureState.failureLimit { loop.stop() }
    }

    /// Returns the last set lens position; nil for other controls.
    func value(of control: DeviceControl) -> Double? { control == .lensPosition ? current : nil }

    /// Changes the mode `auto` to `locked` if the loop has stopped.
    ///
    /// - Returns: Whether the mode changed.
    mutating func lockIfDone() -> Bool {
        guard mode == .auto, !loop.isAdjusting else { return false }
        mode = .locked
        return true
    }
}
