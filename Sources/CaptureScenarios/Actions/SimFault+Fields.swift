import CaptureHAL
import SimDevices

extension SimFault {
    /// The name of the fault in a scenario file, with its keys and values.
    var fields: (name: String, values: [ActionField]) {
        func fields(_ verb: Verb, _ values: ActionField...) -> (name: String, values: [ActionField]) {
            (verb.rawValue, values)
        }
        func count(_ count: Int) -> ActionField { ActionField("count", "\(count)") }
        func code(_ code: DeviceError.Code) -> ActionField { ActionField("code", code.rawValue.hyphenated) }
        func control(_ control: DeviceControl) -> ActionField { ActionField("control", control.rawValue.hyphenated) }
        return switch self {
        case .dropFrames(let number): fields(.dropFrames, count(number))
        case .delayFrames(let number, let by): fields(.delayFrames, count(number), ActionField("by", by))
        case .duplicateFrames(let number): fields(.duplicateFrames, count(number))
        case .swapTimes(let number): fields(.swapTimes, count(number))
        case .tearFrames(let number): fields(.tearFrames, count(number))
        case .greenFrames(let number): fields(.greenFrames, count(number))
        case .freezeFrames(let number): fields(.freezeFrames, count(number))
        case .resizeFrames(let number): fields(.resizeFrames, count(number))
        case .noiseBurst(let duration): fields(.noiseBurst, ActionField("for", duration))
        case .silence(let duration): fields(.silence, ActionField("for", duration))
        case .overrun(let duration): fields(.overrun, ActionField("for", duration))
        case .stall(let duration): ("stall", duration.map { [ActionField("for", $0)] } ?? [])
        case .fail(let failure): fields(.fail, code(failure))
        case .driftClock(let partsPerMillion): fields(.driftClock, ActionField("by", "\(partsPerMillion) ppm"))
        case .jumpClock(let by): fields(.jumpClock, ActionField("by", by))
        case .disconnect(let inFrame): ("disconnect", inFrame ? [ActionField("in-frame", true)] : [])
        case .refuseOpen(let number): fields(.refuseOpen, count(number))
        case .refuseStart(let failure, let number): fields(.refuseStart, code(failure), count(number))
        case .slowStart(let by, let number): fields(.slowStart, ActionField("by", by), count(number))
        case .failControl(let target, let number): fields(.failControl, control(target), count(number))
        case .alterControl(let target, let value, let number):
            fields(.alterControl, control(target), ActionField("value", Self.text(value, of: target)), count(number))
        case .pressure(let level): fields(.pressure, ActionField("level", "\(level)"))
        }
    }

    /// Formats the value of a control as in a scenario file.
    private static func text(_ value: ControlValue, of control: DeviceControl) -> String {
        switch value {
        case .flag(let flag): return "\(flag)"
        case .number(let number): return "\(number)"
        case .point(let x, let y): return "[\(x), \(y)]"
        case .integer(let number):
            switch control {
            case .focusMode, .exposureMode, .whiteBalanceMode:
                return ControlMode(rawValue: number).map { "\($0)".hyphenated } ?? "\(number)"
            case .videoStabilization:
                return "\(VideoStabilization.modes(in: number).first ?? .off)".hyphenated
            case .focusRange: return FocusRange(rawValue: number).map { "\($0)" } ?? "\(number)"
            default: return "\(number)"
            }
        }
    }
}

extension ScheduledFault {
    /// The keys and values of an entry in a scenario's list of faults, except for the device.
    var fields: [ActionField] {
        let when =
            switch trigger {
            case .time(let time): ActionField("at", time)
            case .frame(let number): ActionField("frame", "\(number)")
            case .rate(let rate): ActionField("rate", rate)
            }
        return [when, ActionField("do", fault.fields.name)] + fault.fields.values
    }
}
