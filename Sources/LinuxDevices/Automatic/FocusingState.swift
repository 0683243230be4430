import CaptureHAL
import ThreeA

/// The lens of a device and the autofocus loop.
struct FocusingState: Sendable {
    private(set) var mode = ControlMode.continuousAuto
    private(set) var point = MeteringPoint.middle
    private var failureCount = 0
    private var loop: AutoFocus
    private var current: Double
    private var line: DelayLine<Double>
    /// The lens position with which the last frame was captured.
    private var formed: Double

    init(lensStep: Double, _ dynamics: AutomaticDynamics, _ number: (DeviceControl) -> Double?) {
        var focus = dynamics.focus
        focus.lensStep = lensStep
        focus.coarseStep = max(focus.coarseStep, lensStep)
        focus.fineStep = max(focus.fineStep, lensStep)
        loop = AutoFocus(dynamics: focus)
        loop.start()
        current = number(.lensPosition) ?? 1
        formed = current
        line = DelayLine(lag: dynamics.lag, value: current)
    }

    var isAutomatic: Bool { mode.isAutomatic }
    var isAdjusting: Bool { mode.isAutomatic && loop.isAdjusting }

    mutating func setMode(_ mode: ControlMode) {
        self.mode = mode
        if mode.isAutomatic { loop.start() } else { loop.rest() }
    }

    mutating func setPoint(_ point: MeteringPoint) {
        self.point = point
        if mode.isAutomatic { loop.start() }
    }

    /// Sets the lens position manually. Returns whether this ended the automatic mode.
    mutating func setPosition(_ position: Double) -> Bool {
        current = position
        defer { loop.rest() }
        guard mode.isAutomatic else { return false }
        mode = .custom
        return true
    }

    mutating func advance() { formed = line.advance(current) }

    mutating func step(
        _ statistics: FrameStatistics, isExposureSteady: Bool
    ) -> [(DeviceControl, ControlValue)] {
        guard mode.isAutomatic, let contrast = statistics.contrast, let gradient = statistics.gradient else {
            return []
        }
        let frame = AutoFocus.Frame(
            contrast: contrast, gradient: gradient, zones: statistics.zones, position: formed,
            isExposureSteady: isExposureSteady)
        let next = loop.step(frame, current: current, isContinuous: mode == .continuousAuto)
        return next == current ? [] : [(.lensPosition, .number(next))]
    }

    /// Stores the value of a control after a write.
    mutating func wrote(_ control: DeviceControl, _ number: Double) {
        guard control == .lensPosition else { return }
        current = number
        failureCount = 0
    }

    /// Counts a failed write. The next frame tries again.
    mutating func failed(_ control: DeviceControl) {
        guard control == .lensPosition else { return }
        failureCount += 1
        if failureCount >= ExposingState.failureLimit { loop.rest() }
    }

    /// Returns the value to which a control of the device was last set; nil for other controls.
    func value(of control: DeviceControl) -> Double? { control == .lensPosition ? current : nil }

    mutating func lockIfDone() -> Bool {
        guard mode == .auto, !loop.isAdjusting else { return false }
        mode = .locked
        return true
    }
}
