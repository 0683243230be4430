import CaptureHAL
import ThreeA

/// What a device can do by hand and not by itself: the work of the library's loops.
struct ManualControls: Sendable, Hashable {
    /// Time and sensitivity.
    struct Exposing: Sendable, Hashable {
        var program: ExposureProgram
        var sensitivity: Sensitivity?
    }

    /// The control that amplifies the sensor's signal.
    enum Sensitivity: Sendable, Hashable {
        case iso
        /// In units of the device's own.
        case gain

        var control: DeviceControl { self == .iso ? .iso : .gain }

        /// What the loop takes a gain of 0 … 1 for: 1 … 16 times, as the unit is not known. Where that is wrong, the
        /// picture tells, and the loop goes on.
        func factor(_ value: Double) -> Double { self == .iso ? value : 1 + 15 * value }
        func value(_ factor: Double) -> Double { self == .iso ? factor : min(max((factor - 1) / 15, 0), 1) }
    }

    struct Balancing: Sendable, Hashable {
        var limits: GainLimits
        var hasGreen: Bool
        /// The device's own idea of neutral, by the defaults of its controls; how far the loop may go counts from there.
        var neutral: ColorGains
    }

    let exposing: Exposing?
    let balancing: Balancing?
    /// Between two places of the lens.
    let lensStep: Double?

    /// Looks for controls whose automatic mode is missing.
    init(_ controls: [DeviceControl: ControlRange]) {
        func isManual(_ mode: DeviceControl) -> Bool {
            guard case .options(let options, _)? = controls[mode] else { return controls[mode] == nil }
            return !options.contains(ControlMode.continuousAuto.rawValue)
        }
        func number(_ control: DeviceControl) -> Offer? {
            guard case .number(let range, let step, let standard)? = controls[control] else { return nil }
            return Offer(range: range, step: step, standard: standard)
        }
        exposing = isManual(.exposureMode) ? Self.exposing(number) : nil
        if isManual(.whiteBalanceMode), let red = number(.redGain), let blue = number(.blueGain),
            red.range.lowerBound > 0, blue.range.lowerBound > 0
        {
            let green = number(.greenGain)
            balancing = Balancing(
                limits: GainLimits(
                    red: red.range, green: green?.range ?? 1...1, blue: blue.range, step: max(red.step, blue.step)),
                hasGreen: green.map { $0.range.lowerBound < $0.range.upperBound } ?? false,
                neutral: ColorGains(red: red.standard, green: green?.standard ?? 1, blue: blue.standard))
        } else {
            balancing = nil
        }
        lensStep = isManual(.focusMode) ? number(.lensPosition).map { max($0.step, 0.0001) } : nil
    }

    /// The modes that the loops bring.
    var modes: [DeviceControl] {
        [
            exposing.map { _ in .exposureMode }, balancing.map { _ in .whiteBalanceMode },
            lensStep.map { _ in .focusMode },
        ]
        .compactMap(\.self)
    }

    var isEmpty: Bool { exposing == nil && balancing == nil && lensStep == nil }

    /// A control of one number.
    private struct Offer {
        var range: ClosedRange<Double>
        var step: Double
        var standard: Double
    }

    private static func exposing(_ number: (DeviceControl) -> Offer?) -> Exposing? {
        let sensitivity: Sensitivity? = number(.iso) != nil ? .iso : number(.gain) != nil ? .gain : nil
        // Gain alone may be that of a picture from a wire, whose brightness is not for us to change.
        guard let duration = number(.exposureDuration) else { return nil }
        var isos = 1.0...1
        var isoStep = 0.01
        if let sensitivity, let offer = number(sensitivity.control) {
            let least = max(sensitivity.factor(offer.range.lowerBound), 0.01)
            isos = least...max(least, sensitivity.factor(offer.range.upperBound))
            isoStep = sensitivity.factor(offer.step) - sensitivity.factor(0)
        }
        let durationStep = max(1, Int64((duration.step * 1e9).rounded()))
        // No time at all is no exposure.
        let least = max(duration.range.lowerBound, Double(durationStep) / 1e9, 0.000001)
        return Exposing(
            program: ExposureProgram(
                durations: least...max(least, duration.range.upperBound), durationStep: durationStep, isos: isos,
                isoStep: max(isoStep, 0.001)),
            sensitivity: sensitivity)
    }
}
