import CaptureHAL
import MediaTypes

/// Limits of the times and numbers in a trace, so that the player's arithmetic cannot overflow.
extension TraceLine {
    /// The largest distance of a time from the trace's beginning, before or after it: 10^9 s, more than 31 years.
    static let maximumOffset = CMTime(value: 1_000_000_000, timescale: 1)
    /// `maximumOffset` in nanoseconds.
    static let maximumOffsetNanoseconds: Int64 = 1_000_000_000_000_000_000

    /// Whether a time is a valid timestamp. It may precede the trace's beginning, because a device's clock may be set
    /// back.
    static func isValidTimestamp(_ time: CMTime) -> Bool {
        time.isNumeric && time >= CMTime.zero - maximumOffset && time <= maximumOffset
    }

    /// Removes the field of a timestamp and returns its value.
    mutating func requireTime(_ name: String) throws(TraceSyntaxError) -> CMTime {
        let time: CMTime = try require(name)
        guard Self.isValidTimestamp(time) else {
            throw TraceSyntaxError(
                "\(name)=\(time.traceText) is not a timestamp within \(Self.maximumOffset.value) s of the beginning")
        }
        return time
    }

    /// Removes the field of a timestamp that may be unknown and returns its value.
    mutating func requireOptionalTime(_ name: String) throws(TraceSyntaxError) -> CMTime {
        let time: CMTime = try require(name)
        guard !time.isNumeric || Self.isValidTimestamp(time) else {
            throw TraceSyntaxError(
                "\(name)=\(time.traceText) is not a timestamp within \(Self.maximumOffset.value) s of the beginning")
        }
        return time
    }

    /// Removes the field of a frame duration, which may be unknown, and returns its value.
    mutating func requireDuration(_ name: String) throws(TraceSyntaxError) -> CMTime {
        let time: CMTime = try require(name)
        guard !time.isNumeric || Self.isValidTimestamp(time) && time >= .zero else {
            throw TraceSyntaxError(
                "\(name)=\(time.traceText) is not a duration of 0 to \(Self.maximumOffset.value) s")
        }
        return time
    }

    /// Removes an optional field with a finite number and returns its value.
    mutating func takeFinite(_ name: String) throws(TraceSyntaxError) -> Double? {
        let number: Double? = try take(name)
        guard number?.isFinite ?? true else {
            throw TraceSyntaxError("\(name)=\(number ?? .nan) is not a finite number")
        }
        return number
    }

    mutating func requireFinite(_ name: String) throws(TraceSyntaxError) -> Double {
        guard let number = try takeFinite(name) else { throw TraceSyntaxError("\"\(verb)\" requires \(name)=") }
        return number
    }
}

extension Double {
    /// The number if it is finite, because a trace cannot contain others; nil otherwise.
    var ifFinite: Double? { isFinite ? self : nil }
}
