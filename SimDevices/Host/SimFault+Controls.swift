import CaptureHAL
import MediaTypes
import StrictYAML

extension YAMLValue {
    /// Reads a control by name, such as `lens-position`.
    func control() throws(YAMLError) -> DeviceControl {
        try choice(DeviceControl.allCases.filter { !$0.isReadOnly }.map { (name: $0.rawValue.hyphenated, value: $0) })
    }

    /// Reads a control's value: `true`, `0.5`, `[0.5, 0.5]`, or the name of a mode.
    func value(of control: DeviceControl) throws(YAMLError) -> ControlValue {
        switch control {
        case .focusMode, .exposureMode, .whiteBalanceMode:
            let modes: [(name: String, value: ControlMode)] = [
                ("locked", .locked), ("auto", .auto), ("continuous-auto", .continuousAuto), ("custom", .custom),
            ]
            return .integer(try choice(modes).rawValue)
        case .videoStabilization:
            let modes = VideoStabilization.allCases.map { (name: "\($0)".hyphenated, value: $0) }
            return .integer(VideoStabilization.mask(of: [try choice(modes)]))
        case .focusRange:
            return .integer(try choice(FocusRange.allCases.map { (name: "\($0)", value: $0) }).rawValue)
        case .colorSpace:
            return .integer(
                try choice(CameraColorSpace.allCases.map { (name: "\($0)".hyphenated, value: $0) }).rawValue)
        case .constituent, .constituentSwitching: return .integer(Int64(try integer(in: -1...100)))
        case .activeConstituent, .fallbackConstituents, .automaticExposureSettings:
            return .integer(Int64(try integer(in: 0...100)))
        case .powerLineFrequency: return .integer(try choice([("0", 0), ("50", 50), ("60", 60)]))
        case .focusPoint, .exposurePoint:
            let coordinates = try list(minimumCount: 2)
            guard coordinates.count == 2 else { throw error("a point has two numbers", "write [0.5, 0.5]") }
            return .point(
                x: try coordinates[0].quantity(.none, in: 0...1), y: try coordinates[1].quantity(.none, in: 0...1))
        case .flash, .exposurePriority, .mute, .smoothFocus, .lowLightBoost, .lowLightBoostActive, .videoHDR,
            .automaticVideoHDR, .faceDrivenFocus, .faceDrivenExposure, .focusAdjusting, .exposureAdjusting,
            .whiteBalanceAdjusting:
            return .flag(try flag())
        case .lensPosition, .torchLevel, .inputGain: return .number(try quantity(.none, in: 0...1))
        case .exposureDuration, .iso, .gain, .exposureBias, .whiteBalanceTemperature, .redGain, .greenGain, .blueGain,
            .zoomFactor, .exposureLimit, .lensAperture, .apertureRateLimit, .brightness, .contrast, .saturation,
            .sharpness, .hue, .gamma, .iris, .pan,
            .tilt, .exposureOffset, .backlightCompensation:
            return .number(try quantity(.none, in: -1e6...1e6))
        // Tuners of television, radio and software-defined radio are below 10 GHz.
        case .tunerFrequency: return .number(try quantity(.none, in: 0...1e10))
        }
    }
}

extension SimFault {
    /// Rejects controls that the device does not have, and values outside their range, which would have no effect.
    func check(_ map: YAMLMapping, _ controls: [DeviceControl: ControlRange]) throws(YAMLError) {
        let control: DeviceControl
        switch self {
        case .failControl(let affected, _), .alterControl(let affected, _, _): control = affected
        default: return
        }
        guard let range = controls[control] else {
            let names = controls.keys.filter { !$0.isReadOnly }.map(\.rawValue.hyphenated).sorted()
            throw try map.required("control").error(
                "this device has no control \"\(control.rawValue.hyphenated)\"",
                "it has \(names.joined(separator: ", "))")
        }
        guard case .alterControl(_, let value, _) = self, !range.contains(value) else { return }
        let remedy =
            switch range {
            case .flag: "write true or false"
            case .options: "write a value that the device supports"
            case .number(let numbers, _, _): "write \(numbers.lowerBound) to \(numbers.upperBound)"
            case .point: "write two numbers from 0 to 1"
            }
        throw try map.required("value").error("the device's control cannot have this value", remedy)
    }
}

extension String {
    /// The name in kebab case: `lens-position` for `lensPosition`, `video-hdr` for `videoHDR`.
    package var hyphenated: String {
        let characters = Array(self)
        return characters.indices.reduce(into: "") { result, index in
            let character = characters[index]
            // The last capital letter of several begins the next word, if one follows.
            let beginsWord =
                index > 0 && character.isUppercase
                && (!characters[index - 1].isUppercase
                    || index + 1 < characters.count && characters[index + 1].isLowercase)
            result += (beginsWord ? "-" : "") + character.lowercased()
        }
    }
}
