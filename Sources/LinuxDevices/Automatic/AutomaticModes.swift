import CaptureHAL
import ThreeA

/// The automatic modes that a device lacks: a value that answers the client's wishes and the measured frames.
struct AutomaticModes: Sendable {
    /// A value for one of the device's own controls.
    struct Write: Sendable, Hashable {
        var control: DeviceControl
        var value: ControlValue
        /// The state of the client's wishes in which the loop decided.
        var epoch: Int
    }

    /// A control that changed without the client having set it.
    struct Change: Sendable, Hashable {
        var control: DeviceControl
        var value: ControlValue
    }

    let manual: ManualControls
    let measuresPerSecond: Double
    var exposing: ExposingState?
    var balancing: BalancingState?
    var focusing: FocusingState?
    /// Rises with each wish of the client; what a loop decided before is void.
    private(set) var epoch = 0
    /// Writes that are on their way to the device.
    private var pendingCount = 0
    /// Whether frames come that can be measured; without them nothing moves.
    private var isMeasuring = false
    private var framesSinceMeasure = Int.max / 2
    /// What clients were told of `…Adjusting`.
    private var told: [DeviceControl: Bool] = [:]

    /// - Parameter value: Reads a control of the device; nil where that cannot be done.
    init(_ manual: ManualControls, _ dynamics: AutomaticDynamics, value: (DeviceControl) -> ControlValue?) {
        self.manual = manual
        measuresPerSecond = dynamics.measuresPerSecond
        func number(_ control: DeviceControl) -> Double? {
            if case .number(let number)? = value(control) { number } else { nil }
        }
        exposing = manual.exposing.map { ExposingState($0, dynamics, number) }
        balancing = manual.balancing.map { BalancingState($0, dynamics, number) }
        focusing = manual.lensStep.map { FocusingState(lensStep: $0, dynamics, number) }
        // "Automatic" is the device's own affair, and 50 Hz serves as well as a guess can.
        if case .integer(let hertz)? = value(.powerLineFrequency), hertz >= 0 { exposing?.powerLineHertz = hertz }
    }

    // MARK: The client

    /// The controls that come with the loops.
    var ranges: [DeviceControl: ControlRange] {
        let modes = ControlRange.options(
            Set(ControlMode.allCases.map(\.rawValue)), default: ControlMode.continuousAuto.rawValue)
        var ranges: [DeviceControl: ControlRange] = [:]
        if exposing != nil {
            ranges[.exposureMode] = modes
            ranges[.exposureBias] = .number(-3...3, step: 0, default: 0)
            ranges[.exposurePoint] = .point(defaultX: 0.5, defaultY: 0.5)
            ranges[.exposureAdjusting] = .flag(default: false)
            // That of the device acts on its own loop, which it has not; here it acts on ours.
            ranges[.powerLineFrequency] = .options(ExposingState.powerLines, default: 50)
        }
        if balancing != nil {
            ranges[.whiteBalanceMode] = modes
            ranges[.whiteBalanceAdjusting] = .flag(default: false)
        }
        if focusing != nil {
            ranges[.focusMode] = modes
            ranges[.focusPoint] = .point(defaultX: 0.5, defaultY: 0.5)
            ranges[.focusAdjusting] = .flag(default: false)
        }
        return ranges
    }

    /// The value of a control that comes with the loops; nil for any other.
    func value(of control: DeviceControl) -> ControlValue? {
        switch control {
        case .exposureMode: exposing.map { .integer($0.mode.rawValue) }
        case .exposureBias: exposing.map { .number($0.bias) }
        case .exposurePoint: exposing.map { .point(x: $0.point.x, y: $0.point.y) }
        case .exposureAdjusting: exposing.map { .flag(isMeasuring && $0.isAdjusting) }
        case .powerLineFrequency: exposing.map { .integer($0.powerLineHertz) }
        case .whiteBalanceMode: balancing.map { .integer($0.mode.rawValue) }
        case .whiteBalanceAdjusting: balancing.map { .flag(isMeasuring && $0.isAdjusting) }
        case .focusMode: focusing.map { .integer($0.mode.rawValue) }
        case .focusPoint: focusing.map { .point(x: $0.point.x, y: $0.point.y) }
        case .focusAdjusting: focusing.map { .flag(isMeasuring && $0.isAdjusting) }
        default: nil
        }
    }

    /// Takes the client's value for a control of the loops or of the device; in its range, and of its type.
    ///
    /// A value set by hand ends the automatic mode that would move it.
    mutating func set(_ control: DeviceControl, to value: ControlValue) -> [Change] {
        epoch += 1
        var changes: [Change] = []
        switch (control, value) {
        case (.exposureMode, .integer(let raw)): exposing?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.exposureBias, .number(let steps)): exposing?.setBias(steps)
        case (.exposurePoint, .point(let x, let y)): exposing?.setPoint(MeteringPoint(x: x, y: y))
        case (.powerLineFrequency, .integer(let hertz)): exposing?.powerLineHertz = hertz
        case (.exposureDuration, .number(let seconds)):
            if exposing?.setDuration(seconds) == true { changes.append(custom(.exposureMode)) }
        case (.iso, .number(let number)), (.gain, .number(let number)):
            if exposing?.setSensitivity(control, number) == true { changes.append(custom(.exposureMode)) }
        case (.whiteBalanceMode, .integer(let raw)): balancing?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.redGain, .number(let gain)), (.greenGain, .number(let gain)), (.blueGain, .number(let gain)):
            if balancing?.setGain(control, gain) == true { changes.append(custom(.whiteBalanceMode)) }
        case (.focusMode, .integer(let raw)): focusing?.setMode(ControlMode(rawValue: raw) ?? .locked)
        case (.focusPoint, .point(let x, let y)): focusing?.setPoint(MeteringPoint(x: x, y: y))
        case (.lensPosition, .number(let place)):
            if focusing?.setPosition(place) == true { changes.append(custom(.focusMode)) }
        default: break
        }
        return changes + adjustingChanges()
    }

    /// What the client's wish asks of the device at once, as a bias on a locked exposure does.
    mutating func takeWrites() -> [Write] { writes(exposing?.takeBiasValues() ?? []) }

    private mutating func writes(_ values: [(DeviceControl, ControlValue)]) -> [Write] {
        pendingCount += values.count
        return values.map { Write(control: $0.0, value: $0.1, epoch: epoch) }
    }

    /// Goes back to how things were before the client's wish, which the device refused.
    mutating func restore(_ before: AutomaticModes) {
        (exposing, balancing, focusing, told) = (before.exposing, before.balancing, before.focusing, before.told)
        epoch += 1
    }

    private func custom(_ mode: DeviceControl) -> Change {
        Change(control: mode, value: .integer(ControlMode.custom.rawValue))
    }

    // MARK: The frames

    /// A stream starts, or no more frames come.
    mutating func streamChanged() -> [Change] {
        isMeasuring = false
        framesSinceMeasure = Int.max / 2
        return adjustingChanges()
    }

    /// What is to be measured in a frame.
    struct Measure: Sendable, Hashable {
        var color: Bool
        var focus: MeteringPoint?
    }

    /// Notes that a frame came; nil where it need not be measured.
    ///
    /// - Parameter frameSeconds: The time between frames.
    mutating func frameCame(frameSeconds: Double) -> Measure? {
        exposing?.advance()
        balancing?.advance()
        focusing?.advance()
        framesSinceMeasure += 1
        let isNeeded = exposing?.isAutomatic == true || balancing?.isAutomatic == true || focusing?.isAutomatic == true
        guard isNeeded, pendingCount == 0,
            Double(framesSinceMeasure) * frameSeconds * measuresPerSecond >= 0.99
        else { return nil }
        framesSinceMeasure = 0
        return Measure(
            color: balancing?.isAutomatic == true,
            focus: focusing.flatMap { $0.isAutomatic ? $0.point : nil })
    }

    /// Answers a measured frame: what is to be written, and what else has changed.
    ///
    /// - Parameter frameSeconds: The time between frames, which no exposure may exceed.
    mutating func answer(
        _ statistics: FrameStatistics, frameSeconds: Double
    ) -> (writes: [Write], changes: [Change]) {
        isMeasuring = true
        var values: [(DeviceControl, ControlValue)] = []
        values += exposing?.step(statistics, frameSeconds: frameSeconds) ?? []
        values += balancing?.step(statistics) ?? []
        values += focusing?.step(statistics, isExposureSteady: exposing.map { !$0.isAdjusting } ?? true) ?? []
        return (writes(values), modeChanges() + adjustingChanges())
    }

    /// Whether a write is still wanted.
    func isWanted(_ write: Write) -> Bool { write.epoch == epoch }

    /// Notes how a write ended.
    ///
    /// - Parameter value: What the device says that it has now; nil where the write failed or was not made.
    /// - Returns: What clients are told, and a value that the client set meanwhile, which is to be written over this one.
    mutating func finished(_ write: Write, value: ControlValue?) -> (changes: [Change], again: ControlValue?) {
        pendingCount -= 1
        guard isWanted(write) else { return ([], value.flatMap { _ in setValue(of: write.control) }) }
        guard let value, case .number(let number) = value else {
            exposing?.failed(write.control)
            balancing?.failed(write.control)
            focusing?.failed(write.control)
            return (adjustingChanges(), nil)
        }
        exposing?.wrote(write.control, number)
        balancing?.wrote(write.control, number)
        focusing?.wrote(write.control, number)
        return ([Change(control: write.control, value: value)], nil)
    }

    /// The value of a device's control that was set last.
    private func setValue(of control: DeviceControl) -> ControlValue? {
        (exposing?.value(of: control) ?? balancing?.value(of: control) ?? focusing?.value(of: control))
            .map { .number($0) }
    }

    /// A mode that adjusts once locks when its loop has come to rest.
    private mutating func modeChanges() -> [Change] {
        var changes: [Change] = []
        func locked(_ mode: DeviceControl) -> Change {
            Change(control: mode, value: .integer(ControlMode.locked.rawValue))
        }
        if exposing?.lockIfDone() == true { changes.append(locked(.exposureMode)) }
        if balancing?.lockIfDone() == true { changes.append(locked(.whiteBalanceMode)) }
        if focusing?.lockIfDone() == true { changes.append(locked(.focusMode)) }
        return changes
    }

    private mutating func adjustingChanges() -> [Change] {
        var changes: [Change] = []
        for (control, isLoopAdjusting) in [
            (DeviceControl.exposureAdjusting, exposing?.isAdjusting),
            (.whiteBalanceAdjusting, balancing?.isAdjusting), (.focusAdjusting, focusing?.isAdjusting),
        ] {
            guard let isLoopAdjusting else { continue }
            let isAdjusting = isMeasuring && isLoopAdjusting
            guard told[control] ?? false != isAdjusting else { continue }
            told[control] = isAdjusting
            changes.append(Change(control: control, value: .flag(isAdjusting)))
        }
        return changes
    }
}

extension ControlMode {
    /// Whether a loop acts.
    var isAutomatic: Bool { self == .auto || self == .continuousAuto }
}
