import CaptureHAL
import ThreeA

/// The color gains of a device and the automatic white balance loop.
struct WhiteBalanceState: Sendable {
    private let manual: ManualControls.WhiteBalanceControls
    private(set) var mode = ControlMode.continuousAuto
    private var failureCount = 0
    private var loop: AutoWhiteBalance
    /// The gains to which the device is set.
    private var current: ColorGains
    private var delayLine: DelayLine<ColorGains>
    /// The gains with which the last frame was captured.
    private var captured: ColorGains

    /// Creates the state.
    ///
    /// - Parameter number: Reads a numeric control of the device; nil if it cannot be read.
    init(
        _ manual: ManualControls.WhiteBalanceControls, _ dynamics: AutomaticDynamics,
        _ number: (DeviceControl) -> Double?
    ) {
        self.manual = manual
        loop = AutoWhiteBalance(
            limits: manual.limits, dynamics: dynamics.whiteBalance.centered(on: manual.neutral))
        current = ColorGains(
            red: number(.redGain) ?? manual.limits.red.lowerBound,
            green: number(.greenGain) ?? manual.limits.green.lowerBound,
            blue: number(.blueGain) ?? manual.limits.blue.lowerBound)
        captured = current
        delayLine = DelayLine(lag: dynamics.lag, value: current)
    }

    var isAutomatic: Bool { mode.isAutomatic }
    var isAdjusting: Bool { mode.isAutomatic && loop.isAdjusting }

    mutating func setMode(_ mode: ControlMode) {
        self.mode = mode
        if mode.isAutomatic { loop.restart() } else { loop.stop() }
    }

    /// Sets a gain manually. Returns whether this ended the automatic mode.
    mutating func setGain(_ control: DeviceControl, _ gain: Double) -> Bool {
        didWrite(control, gain)
        defer { loop.stop() }
        guard mode.isAutomatic else { return false }
        mode = .custom
        return true
    }

    /// Advances by one frame.
    mutating func advance() { captured = delayLine.advance(current) }

    /// Processes a measured frame, and returns the values to write.
    mutating func step(_ statistics: FrameStatistics) -> [(DeviceControl, ControlValue)] {
        guard mode.isAutomatic else { return [] }
        let next = loop.step(after: captured, current: current, color: statistics.color)
        var values: [(DeviceControl, ControlValue)] = []
        if next.red != current.red { values.append((.redGain, .number(next.red))) }
        if manual.hasGreen, next.green != current.green { values.append((.greenGain, .number(next.green))) }
        if next.blue != current.blue { values.append((.blueGain, .number(next.blue))) }
        return values
    }

    /// Stores the value of a control after a write.
    mutating func didWrite(_ control: DeviceControl, _ number: Double) {
        switch control {
        case .redGain: current.red = number
        case .greenGain: current.green = number
        case .blueGain: current.blue = number
        default: return
        }
        failureCount = 0
    }

    /// Counts a failed write. The next frame tries again.
    mutating func didFail(_ control: DeviceControl) {
        guard [.redGain, .greenGain, .blueGain].contains(control) else { return }
        failureCount += 1
        if failureCount >= ExposureState.failureLimit { loop.stop() }
    }

    /// Returns the last set value of a color gain of the device; nil for other controls.
    func value(of control: DeviceControl) -> Double? {
        switch control {
        case .redGain: current.red
        case .greenGain: current.green
        case .blueGain: current.blue
        default: nil
        }
    }

    /// Changes the mode `auto` to `locked` if the loop has stopped.
    ///
    /// - Returns: Whether the mode changed.
    mutating func lockIfDone() -> Bool {
        guard mode == .auto, !loop.isAdjusting else { return false }
        mode = .locked
        return true
    }
}
