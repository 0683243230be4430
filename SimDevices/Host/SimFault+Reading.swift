package import CaptureHAL
package import MediaTypes
package import StrictYAML

extension SimFault {
    /// The name of a fault in profiles and scenarios.
    package enum Verb: String, CaseIterable, Sendable {
        case dropFrames = "drop-frames"
        case delayFrames = "delay-frames"
        case duplicateFrames = "duplicate-frames"
        case swapTimes = "swap-times"
        case tearFrames = "tear-frames"
        case greenFrames = "green-frames"
        case freezeFrames = "freeze-frames"
        case resizeFrames = "resize-frames"
        case noiseBurst = "noise-burst"
        case silence, overrun, stall, fail
        case driftClock = "drift-clock"
        case jumpClock = "jump-clock"
        case disconnect
        case refuseOpen = "refuse-open"
        case refuseStart = "refuse-start"
        case slowStart = "slow-start"
        case failControl = "fail-control"
        case alterControl = "alter-control"
        case pressure

        /// The keys that the fault accepts.
        package var keys: [String] {
            switch self {
            case .dropFrames, .duplicateFrames, .swapTimes, .tearFrames, .greenFrames, .freezeFrames, .resizeFrames,
                .refuseOpen:
                ["count"]
            case .delayFrames, .slowStart: ["by", "count"]
            case .noiseBurst, .silence, .overrun, .stall: ["for"]
            case .fail: ["code"]
            case .driftClock, .jumpClock: ["by"]
            case .disconnect: ["in-frame"]
            case .refuseStart: ["code", "count"]
            case .failControl: ["control", "count"]
            case .alterControl: ["control", "value", "count"]
            case .pressure: ["level"]
            }
        }

        /// The effect of the fault, as documented in `docs/faults.md`.
        package var summary: String {
            switch self {
            case .dropFrames: "Frames or audio chunks are lost. A camera reports the loss."
            case .delayFrames:
                "Frames arrive late, and those after them are queued. No frame is lost, and "
                    + "timestamps stay correct."
            case .duplicateFrames: "Frames arrive twice, with the same timestamp."
            case .swapTimes: "Two consecutive frames have each other's timestamp."
            case .tearFrames: "Cameras: below a certain row, frames show the previous frame."
            case .greenFrames: "Cameras: frames without data, which display as green."
            case .freezeFrames: "Cameras: the previous frame again, with new timestamps."
            case .resizeFrames: "Cameras: frames with half the width and height of the format."
            case .noiseBurst: "Cameras: noise over a third of the image. Microphones: noise at -12 dBFS."
            case .silence: "Microphones: zeros, without a notification."
            case .overrun: "Microphones: sound is lost, and the next chunk reports it."
            case .stall: "No frame or audio chunk arrives; the device's clock continues."
            case .fail: "The stream ends with an error."
            case .driftClock: "The device's clock runs fast, or slow if the value is negative."
            case .jumpClock: "The device's clock is set forward or back."
            case .disconnect:
                "The device is unplugged; with `in-frame`, in the middle of a frame, which is "
                    + "reported as damaged."
            case .refuseOpen: "Opening the device fails with `busy`."
            case .refuseStart: "Starting a stream fails."
            case .slowStart: "The first frame arrives later."
            case .failControl: "Setting a control fails."
            case .alterControl: "A control that is set takes a different value."
            case .pressure: "The device heats up or cools down: `nominal`, `fair`, `serious`, `critical`, `shutdown`."
            }
        }
    }

    /// The keys of all faults.
    package static let keys = ["count", "by", "for", "code", "in-frame", "control", "value", "level"]

    /// Reads the parameters of a fault.
    package init(_ verb: Verb, _ map: YAMLMapping) throws(YAMLError) {
        let count = try map["count"]?.integer(in: 1...1_000_000) ?? 1
        switch verb {
        case .dropFrames: self = .dropFrames(count: count)
        case .delayFrames: self = .delayFrames(count: count, by: try map.required("by").time())
        case .duplicateFrames: self = .duplicateFrames(count: count)
        case .swapTimes: self = .swapTimes(count: count)
        case .tearFrames: self = .tearFrames(count: count)
        case .greenFrames: self = .greenFrames(count: count)
        case .freezeFrames: self = .freezeFrames(count: count)
        case .resizeFrames: self = .resizeFrames(count: count)
        case .noiseBurst: self = .noiseBurst(duration: try map.required("for").time())
        case .silence: self = .silence(duration: try map.required("for").time())
        case .overrun: self = .overrun(duration: try map.required("for").time())
        case .stall: self = .stall(duration: try map["for"]?.time())
        case .fail: self = .fail(try map["code"]?.failureCode() ?? .inputOutput)
        case .driftClock:
            let parts = try map.required("by").quantity(YAMLUnit(names: [("ppm", 1)]), in: -100_000...100_000)
            self = .driftClock(partsPerMillion: parts)
        case .jumpClock: self = .jumpClock(by: try map.required("by").time(from: -3600))
        case .disconnect: self = .disconnect(inFrame: try map["in-frame"]?.flag() ?? false)
        case .refuseOpen: self = .refuseOpen(count: count)
        case .refuseStart: self = .refuseStart(try map["code"]?.failureCode() ?? .inputOutput, count: count)
        case .slowStart: self = .slowStart(by: try map.required("by").time(), count: count)
        case .failControl: self = .failControl(try map.required("control").control(), count: count)
        case .alterControl:
            let control = try map.required("control").control()
            self = .alterControl(control, to: try map.required("value").value(of: control), count: count)
        case .pressure:
            let levels = SystemPressure.Level.allCases.map { (name: "\($0)", value: $0) }
            self = .pressure(try map.required("level").choice(levels))
        }
    }

    /// Rejects keys that the fault does not use, which would have no effect.
    ///
    /// - Parameter others: Keys with another meaning in this mapping.
    package static func checkKeys(_ map: YAMLMapping, _ verb: Verb, others: [String]) throws(YAMLError) {
        for key in keys where !verb.keys.contains(key) && !others.contains(key) {
            if let extra = map[key] {
                throw extra.error(
                    "\"\(verb.rawValue)\" takes no \"\(key)\"", "it takes \(verb.keys.joined(separator: ", "))")
            }
        }
    }
}

extension ScheduledFault {
    /// Reads an entry of a `faults:` list: the trigger, the fault and its parameters.
    ///
    /// - Parameters:
    ///   - others: Additional keys of the entry.
    ///   - medium: The device's medium; nil if unknown.
    ///   - controls: The device's controls; nil if unknown.
    /// - Returns: The fault and the entry.
    package static func read(
        _ value: YAMLValue, others: [String] = [], medium: DeviceMedia?, controls: [DeviceControl: ControlRange]? = nil
    ) throws(YAMLError) -> (fault: ScheduledFault, map: YAMLMapping) {
        let map = try value.mapping(keys: ["at", "frame", "rate", "do"] + others + SimFault.keys)
        let verb = try map.required("do").choice(SimFault.Verb.allCases.map { ($0.rawValue, $0) })
        // The keys of an unknown fault cannot be checked.
        if try map.required("do").isReported { throw try map.required("do").error("this is not a fault", "") }
        try SimFault.checkKeys(map, verb, others: others)
        let fault = try SimFault(verb, map)
        if let only = fault.medium, let medium, only != medium {
            let owner = only == .video ? "a camera" : "a microphone"
            throw try map.required("do").error(
                "\"\(verb.rawValue)\" is not supported by this device", "use it for \(owner)")
        }
        if let controls { try fault.check(map, controls) }
        return (ScheduledFault(fault, at: try trigger(map, fault, verb)), map)
    }

    private static func trigger(
        _ map: YAMLMapping, _ fault: SimFault, _ verb: SimFault.Verb
    ) throws(YAMLError) -> SimFault.Trigger {
        guard [map["at"], map["frame"], map["rate"]].compactMap({ $0 }).count == 1 else {
            throw map.value.error(
                "a fault needs exactly one trigger", "write \"at: 1.5 s\", \"frame: 40\" or \"rate: 0.01\"")
        }
        if let frame = map["frame"] {
            // Attempts to open, start or set do not belong to a frame.
            guard fault.target != .attempt else {
                throw frame.error(
                    "\"\(verb.rawValue)\" cannot be triggered by a frame", "write \"at: 1.5 s\" or \"rate: 0.01\"")
            }
            return .frame(UInt64(try frame.integer(in: 0...1_000_000_000)))
        }
        if let rate = map["rate"] { return .rate(try rate.quantity(.none, in: 0...1)) }
        return .time(try map.required("at").time())
    }
}

extension YAMLValue {
    /// Reads a time of at most one day, rounded to microseconds.
    ///
    /// - Parameter minimumSeconds: The minimum in seconds.
    package func time(from minimumSeconds: Double = 0) throws(YAMLError) -> CMTime {
        let seconds = try quantity(.seconds, in: minimumSeconds...86_400)
        return CMTime(value: Int64((seconds * 1e6).rounded()), timescale: 1_000_000)
    }

    /// Reads an error code in kebab case, such as `input-output`.
    fileprivate func failureCode() throws(YAMLError) -> DeviceError.Code {
        try choice(DeviceError.Code.allCases.map { (name: $0.rawValue.hyphenated, value: $0) })
    }
}

extension SimFault: CustomStringConvertible {
    /// The name and the parameters of the fault, named as in files: `drop-frames, count 3`.
    public var description: String {
        func text(_ verb: Verb, _ details: String...) -> String { ([verb.rawValue] + details).joined(separator: ", ") }
        func seconds(_ time: CMTime) -> String { "\(time.seconds) s" }
        return switch self {
        case .dropFrames(let count): text(.dropFrames, "count \(count)")
        case .delayFrames(let count, let by): text(.delayFrames, "count \(count)", "by \(seconds(by))")
        case .duplicateFrames(let count): text(.duplicateFrames, "count \(count)")
        case .swapTimes(let count): text(.swapTimes, "count \(count)")
        case .tearFrames(let count): text(.tearFrames, "count \(count)")
        case .greenFrames(let count): text(.greenFrames, "count \(count)")
        case .freezeFrames(let count): text(.freezeFrames, "count \(count)")
        case .resizeFrames(let count): text(.resizeFrames, "count \(count)")
        case .noiseBurst(let duration): text(.noiseBurst, "for \(seconds(duration))")
        case .silence(let duration): text(.silence, "for \(seconds(duration))")
        case .overrun(let duration): text(.overrun, "for \(seconds(duration))")
        case .stall(let duration): duration.map { text(.stall, "for \(seconds($0))") } ?? text(.stall)
        case .fail(let code): text(.fail, "code \(code.rawValue.hyphenated)")
        case .driftClock(let parts): text(.driftClock, "by \(parts) ppm")
        case .jumpClock(let by): text(.jumpClock, "by \(seconds(by))")
        case .disconnect(let inFrame): inFrame ? text(.disconnect, "in-frame") : text(.disconnect)
        case .refuseOpen(let count): text(.refuseOpen, "count \(count)")
        case .refuseStart(let code, let count):
            text(.refuseStart, "code \(code.rawValue.hyphenated)", "count \(count)")
        case .slowStart(let by, let count): text(.slowStart, "by \(seconds(by))", "count \(count)")
        case .failControl(let control, let count):
            text(.failControl, "control \(control.rawValue.hyphenated)", "count \(count)")
        case .alterControl(let control, let value, let count):
            text(.alterControl, "control \(control.rawValue.hyphenated)", "value \(value)", "count \(count)")
        case .pressure(let level): text(.pressure, "level \(level)")
        }
    }
}
