import CaptureHAL
import MediaTypes

/// What a trace can hold of times and numbers: what a player can reckon with.
extension TraceLine {
    /// 10^9 s, more than 31 years: farther from a trace's beginning nothing happens, before or after it.
    static let farthest = CMTime(value: 1_000_000_000, timescale: 1)
    /// The same in nanoseconds.
    static let farthestNanoseconds: Int64 = 1_000_000_000_000_000_000

    /// Whether a time is one that a frame may tell; earlier than the trace's beginning, too, as a clock may be set back.
    static func holds(_ time: CMTime) -> Bool {
        time.isNumeric && time >= CMTime.zero - farthest && time <= farthest
    }

    /// Takes the time of a frame or of sound.
    mutating func needMoment(_ name: String) throws(TraceComplaint) -> CMTime {
        let time: CMTime = try need(name)
        guard Self.holds(time) else {
            throw TraceComplaint(
                "\(name)=\(time.traceText) is no moment: it is a time, at most \(Self.farthest.value) s from the beginning"
            )
        }
        return time
    }

    /// Takes the time of something that may have happened at a time that nobody knows.
    mutating func needMomentOrNone(_ name: String) throws(TraceComplaint) -> CMTime {
        let time: CMTime = try need(name)
        guard !time.isNumeric || Self.holds(time) else {
            throw TraceComplaint(
                "\(name)=\(time.traceText) is no moment: it lies more than \(Self.farthest.value) s from the beginning")
        }
        return time
    }

    /// Takes the length of a frame, which may be unknown.
    mutating func needLength(_ name: String) throws(TraceComplaint) -> CMTime {
        let time: CMTime = try need(name)
        guard !time.isNumeric || Self.holds(time) && time >= .zero else {
            throw TraceComplaint("\(name)=\(time.traceText) is no length: it is 0 to \(Self.farthest.value) s")
        }
        return time
    }

    /// Takes a number that may be missing, and else is one that a camera can have.
    mutating func takeFinite(_ name: String) throws(TraceComplaint) -> Double? {
        let number: Double? = try take(name)
        guard number?.isFinite ?? true else {
            throw TraceComplaint("\(name)=\(number ?? .nan) is no number that a camera has")
        }
        return number
    }

    mutating func needFinite(_ name: String) throws(TraceComplaint) -> Double {
        guard let number = try takeFinite(name) else { throw TraceComplaint("\"\(verb)\" lacks \(name)=") }
        return number
    }
}

extension Double {
    /// The number where a trace can hold it.
    var traceable: Double? { isFinite ? self : nil }
}
