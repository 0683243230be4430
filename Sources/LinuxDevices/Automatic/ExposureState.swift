import CaptureHAL
import ThreeA

/// The exposure of a device and the automatic exposure loop.
struct ExposureState: Sendable {
    /// The options of the power line frequency in hertz; 0 disables flicker avoidance.
    static let powerLineOptions: Set<Int64> = [0, 50, 60]
    /// The number of consecutive failed writes after which a loop stops.
    static let failureLimit = 5

    private let manual: ManualControls.ExposureControls
    private(set) var mode = ControlMode.continuousAuto
    private(set) var bias = 0.0
    private(set) var point = MeteringPoint.center
    var powerLineHertz: Int64 = 50 {
        didSet {
            loop.program.powerLineHertz = powerLineHertz
            if mode.isAutomatic { loop.restart() }
        }
    }
    private var loop: AutoExposure
    /// The exposure to which the device is set.
    private var current: Exposure
    private var delayLine: DelayLine<Exposure>
    /// The exposure with which the last frame was captured.
    private var captured: Exposure
    /// An exposure that the device did not apply when it was written.
    private var rejected: Exposure?
    /// The exposure that is being written.
    private var requested: Exposure?
    private var failureCount = 0
    /// The locked exposure to which each bias is applied; nil until a bias is set.
    private var locked: LockedExposure?
    /// The locked exposure with a bias that has not been written yet.
    private var biased: Exposure?
    /// The time between frames, which limits the exposure time.
    private var frameSeconds = 1.0 / 30

    /// Creates the state.
    ///
    /// - Parameter number: Reads a numeric control of the device; nil if it cannot be read.
    init(_ manual: ManualControls.ExposureControls, _ dynamics: AutomaticDynamics, _ number: (DeviceControl) -> Double?)
    {
        self.manual = manual
        var program = manual.program
        program.powerLineHertz = 50
        loop = AutoExposure(program: program, dynamics: dynamics.exposure)
        let seconds = number(.exposureDuration) ?? program.durations.lowerBound
        var iso = program.isos.lowerBound
        if let sensitivity = manual.sensitivity, let value = number(sensitivity.control) {
            iso = sensitivity.factor(value)
        }
        current = Exposure(
            nanoseconds: max(1, Int64((max(seconds, program.durations.lowerBound) * 1e9).rounded())),
            iso: max(iso, program.isos.lowerBound))
        captured = current
        delayLine = DelayLine(lag: dynamics.lag, value: current)
    }

    var isAutomatic: Bool { mode.isAutomatic }
    var isAdjusting: Bool { mode.isAutomatic && loop.isAdjusting }

    mutating func setMode(_ mode: ControlMode) {
        self.mode = mode
        clearLocked()
        if mode.isAutomatic { restart() } else { loop.stop() }
    }

    /// Sets the bias in EV steps. It affects automatic and locked exposure, but not custom exposure.
    mutating func setBias(_ steps: Double) {
        let old = bias
        bias = steps
        if mode.isAutomatic { return restart() }
        guard mode == .locked else { return }
        let start = locked ?? LockedExposure(current, bias: old)
        locked = start
        biased = start.exposure(at: steps, by: loop.program, longest: frameSeconds)
    }

    /// Returns and removes the values to write for a bias on a locked exposure.
    mutating func dequeueBiasValues() -> [(DeviceControl, ControlValue)] {
        defer { biased = nil }
        return biased.map { values(for: $0) } ?? []
    }

    mutating func setPoint(_ point: MeteringPoint) {
        self.point = point
        if mode.isAutomatic { restart() }
    }

    /// Sets the exposure time manually. Returns whether this ended the automatic mode.
    mutating func setDuration(_ seconds: Double) -> Bool {
        current.nanoseconds = max(1, Int64((seconds * 1e9).rounded()))
        clearLocked()
        return leaveAutomatic()
    }

    /// Sets the sensitivity manually. Returns whether this ended the automatic mode.
    mutating func setSensitivity(_ control: DeviceControl, _ value: Double) -> Bool {
        guard let sensitivity = manual.sensitivity, sensitivity.control == control else { return false }
        current.iso = sensitivity.factor(value)
        clearLocked()
        return leaveAutomatic()
    }

    /// Advances by one frame.
    mutating func advance() { captured = delayLine.advance(current) }

    /// Processes a measured frame, and returns the values to write.
    mutating func step(_ statistics: FrameStatistics, frameSeconds: Double) -> [(DeviceControl, ControlValue)] {
        self.frameSeconds = frameSeconds
        guard mode.isAutomatic else { return [] }
        let next = loop.step(
            after: captured, current: current, light: statistics.light(at: point), bias: bias, longest: frameSeconds,
            isImmediate: rejected != nil)
        guard next != current else { return [] }
        guard next != rejected else {
            loop.stop()
            return []
        }
        return values(for: next)
    }

    private mutating func values(for next: Exposure) -> [(DeviceControl, ControlValue)] {
        requested = next
        var values: [(DeviceControl, ControlValue)] = []
        if next.nanoseconds != current.nanoseconds {
            values.append((.exposureDuration, .number(inRange(next.seconds))))
        }
        if let sensitivity = manual.sensitivity, next.iso != current.iso {
            values.append((sensitivity.control, .number(sensitivity.value(next.iso))))
        }
        return values
    }

    /// Stores the value of a control after a write.
    mutating func didWrite(_ control: DeviceControl, _ number: Double) {
        let before = current
        if control == .exposureDuration {
            current.nanoseconds = max(1, Int64((number * 1e9).rounded()))
        } else if let sensitivity = manual.sensitivity, sensitivity.control == control {
            // Rounded like the values of the program.
            current.iso = max((sensitivity.factor(number) * 1e6).rounded() / 1e6, manual.program.isos.lowerBound)
        } else {
            return
        }
        rejected = current == before ? requested : nil
        failureCount = 0
    }

    /// Counts a failed write. The next frame tries again.
    mutating func didFail(_ control: DeviceControl) {
        guard control == .exposureDuration || control == manual.sensitivity?.control else { return }
        failureCount += 1
        if failureCount >= Self.failureLimit { loop.stop() }
    }

    /// Returns the last set value of an exposure control of the device; nil for other controls.
    func value(of control: DeviceControl) -> Double? {
        if control == .exposureDuration { return current.seconds }
        guard let sensitivity = manual.sensitivity, sensitivity.control == control else { return nil }
        return sensitivity.value(current.iso)
    }

    /// Changes the mode `auto` to `locked` if the loop has stopped.
    ///
    /// - Returns: Whether the mode changed.
    mutating func lockIfDone() -> Bool {
        guard mode == .auto, !loop.isAdjusting else { return false }
        mode = .locked
        return true
    }

    private mutating func clearLocked() { (locked, biased) = (nil, nil) }

    private mutating func restart() {
        loop.restart()
        rejected = nil
    }

    private mutating func leaveAutomatic() -> Bool {
        defer { loop.stop() }
        guard mode.isAutomatic else { return false }
        mode = .custom
        return true
    }

    /// Limits a time to the device's range, which rounding could exceed.
    private func inRange(_ seconds: Double) -> Double {
        min(max(seconds, manual.program.durations.lowerBound), manual.program.durations.upperBound)
    }
}
