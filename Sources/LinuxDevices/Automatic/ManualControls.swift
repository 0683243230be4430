import CaptureHAL
import ThreeA

/// The controls of a device that can be set but have no automatic mode in hardware.
struct ManualControls: Sendable, Hashable {
    /// The controls of exposure time and sensitivity.
    struct ExposureControls: Sendable, Hashable {
        var program: ExposureProgram
        var sensitivity: Sensitivity?
    }

    /// The control that amplifies the sensor's signal.
    enum Sensitivity: Sendable, Hashable {
        case iso
        /// From 0 to 1, with an unknown unit.
        case gain

        var control: DeviceControl { self == .iso ? .iso : .gain }

        /// Converts a control value to an ISO value or, for `gain`, to an amplification factor.
        ///
        /// The unit of a gain is unknown: the values 0 … 1 are assumed to mean factors of 1 … 16. The loop measures the
        /// frames and therefore corrects an error of this assumption.
        func factor(_ value: Double) -> Double { self == .iso ? value : 1 + 15 * value }
        /// Converts an ISO value or an amplification factor to a control value.
        func value(_ factor: Double) -> Double { self == .iso ? factor : min(max((factor - 1) / 15, 0), 1) }
    }

    /// The controls of the color gains.
    struct WhiteBalanceControls: Sendable, Hashable {
        var limits: GainLimits
        var hasGreen: Bool
        /// The default values of the device's controls. The limits of the loop are relative to them.
        var neutral: ColorGains
    }

    let exposure: ExposureControls?
    let whiteBalance: WhiteBalanceControls?
    /// The distance between adjacent lens positions.
    let lensStep: Double?

    /// Finds the controls without an automatic mode.
    init(_ controls: [DeviceControl: ControlRange]) {
        func isManual(_ mode: DeviceControl) -> Bool {
            guard case .options(let options, _)? = controls[mode] else { return controls[mode] == nil }
            return !options.contains(ControlMode.continuousAuto.rawValue)
        }
        func number(_ control: DeviceControl) -> NumberRange? {
            guard case .number(let range, let step, let defaultValue)? = controls[control] else { return nil }
            return NumberRange(range: range, step: step, defaultValue: defaultValue)
        }
        exposure = isManual(.exposureMode) ? Self.exposureControls(number) : nil
        if isManual(.whiteBalanceMode), let red = number(.redGain), let blue = number(.blueGain),
            red.range.lowerBound > 0, blue.range.lowerBound > 0
        {
            let green = number(.greenGain)
            whiteBalance = WhiteBalanceControls(
                limits: GainLimits(
                    red: red.range, green: green?.range ?? 1...1, blue: blue.range, step: max(red.step, blue.step)),
                hasGreen: green.map { $0.range.lowerBound < $0.range.upperBound } ?? false,
                neutral: ColorGains(
                    red: red.defaultValue, green: green?.defaultValue ?? 1, blue: blue.defaultValue))
        } else {
            whiteBalance = nil
        }
        // The minimum replaces the step 0 of a continuous range.
        lensStep = isManual(.focusMode) ? number(.lensPosition).map { max($0.step, 0.0001) } : nil
    }

    /// The modes that the loops add.
    var modes: [DeviceControl] {
        [
            exposure.map { _ in .exposureMode }, whiteBalance.map { _ in .whiteBalanceMode },
            lensStep.map { _ in .focusMode },
        ]
        .compactMap(\.self)
    }

    var isEmpty: Bool { exposure == nil && whiteBalance == nil && lensStep == nil }

    /// The range of a numeric control.
    private struct NumberRange {
        var range: ClosedRange<Double>
        var step: Double
        var defaultValue: Double
    }

    private static func exposureControls(_ number: (DeviceControl) -> NumberRange?) -> ExposureControls? {
        let sensitivity = [Sensitivity.iso, .gain].first { number($0.control) != nil }
        // A device with gain but without exposure time may be a video input; its brightness must not be changed.
        guard let duration = number(.exposureDuration) else { return nil }
        var isos = 1.0...1
        var isoStep = 0.01
        if let sensitivity, let range = number(sensitivity.control) {
            let minimum = max(sensitivity.factor(range.range.lowerBound), 0.01)
            isos = minimum...max(minimum, sensitivity.factor(range.range.upperBound))
            isoStep = sensitivity.factor(range.step) - sensitivity.factor(0)
        }
        let durationStep = max(1, Int64((duration.step * 1e9).rounded()))
        // The exposure time must be greater than 0.
        let minimum = max(duration.range.lowerBound, Double(durationStep) / 1e9, 0.000001)
        return ExposureControls(
            program: ExposureProgram(
                durations: minimum...max(minimum, duration.range.upperBound), durationStep: durationStep, isos: isos,
                isoStep: max(isoStep, 0.001)),
            sensitivity: sensitivity)
    }
}
