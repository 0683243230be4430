import CaptureHAL
import SimDevices

extension SimFault {
    /// The name of the fault in a scenario file, with its keys and values.
    var fields: (name: String, values: [KeyedValue]) {
        func fields(_ verb: Verb, _ values: KeyedValue...) -> (name: String, values: [KeyedValue]) {
            (verb.rawValue, values)
        }
        func count(_ count: Int) -> KeyedValue { KeyedValue("count", "\(count)") }
        func code(_ code: DeviceError.Code) -> KeyedValue { KeyedValue("code", code.rawValue.hyphenated) }
        func control(_ control: DeviceControl) -> KeyedValue { KeyedValue("control", control.rawValue.hyphenated) }
        return switch self {
        case .dropFrames(let number): fields(.dropFrames, count(number))
        case .delayFrames(let number, let by): fields(.delayFrames, count(number), KeyedValue("by", by))
        case .duplicateFrames(let number): fields(.duplicateFrames, count(number))
        case .swapTimes(let number): fields(.swapTimes, count(number))
        case .tearFrames(let number): fields(.tearFrames, count(number))
        case .greenFrames(let number): fields(.greenFrames, count(number))
        case .freezeFrames(let number): fields(.freezeFrames, count(number))
        case .resizeFrames(let number): fields(.resizeFrames, count(number))
        case .noiseBurst(let duration): fields(.noiseBurst, KeyedValue("for", duration))
        case .silence(let duration): fields(.silence, KeyedValue("for", duration))
        case .overrun(let duration): fields(.overrun, KeyedValue("for", duration))
        case .stall(let duration): ("stall", duration.map { [KeyedValue("for", $0)] } ?? [])
        case .fail(let failure): fields(.fail, code(failure))
        case .driftClock(let partsPerMillion): fields(.driftClock, KeyedValue("by", "\(partsPerMillion) ppm"))
        case .jumpClock(let by): fields(.jumpClock, KeyedValue("by", by))
        case .disconnect(let inFrame): ("disconnect", inFrame ? [KeyedValue("in-frame", true)] : [])
        case .refuseOpen(let number): fields(.refuseOpen, count(number))
        case .refuseStart(let failure, let number): fields(.refuseStart, code(failure), count(number))
        case .slowStart(let by, let number): fields(.slowStart, KeyedValue("by", by), count(number))
        case .failControl(let target, let number): fields(.failControl, control(target), count(number))
        case .alterControl(let target, let value, let number):
            fields(.alterControl, control(target), KeyedValue("value", Self.text(value, of: target)), count(number))
        case .pressure(let level): fields(.pressure, KeyedValue("level", "\(level)"))
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
    var fields: [KeyedValue] {
        let when =
            switch trigger {
            case .time(let time): KeyedValue("at", time)
            case .frame(let number): KeyedValue("frame", "\(number)")
            case .rate(let rate): KeyedValue("rate", rate)
            }
        return [when, KeyedValue("do", fault.fields.name)] + fault.fields.values
    }
}
