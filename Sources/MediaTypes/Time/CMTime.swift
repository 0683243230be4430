/// The numerator of a `CMTime`.
public typealias CMTimeValue = Int64

/// The denominator of a `CMTime`, in units per second; positive in every numeric time.
public typealias CMTimeScale = Int32

/// The number of a loop or an item of a timeline. Times of different epochs can be compared, but not added unless one
/// epoch is 0.
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public let kCMTimeMaxTimescale: CMTimeScale = 0x7fff_ffff

/// The state bits of a `CMTime`.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid; unset in zeroed memory.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The value was rounded or calculated from a rounded one.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is +∞; the other fields are ignored.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is −∞; the other fields are ignored.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is unknown, for example the duration of a live broadcast; the other fields are ignored.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The flags of times whose value is determined by the flags alone.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// The rounding method of a conversion to another timescale.
public enum CMTimeRoundingMethod: UInt32, Hashable, Sendable {
    /// To the nearest, halves away from zero; the default.
    case roundHalfAwayFromZero = 1
    /// Toward zero.
    case roundTowardZero = 2
    /// Away from zero.
    case roundAwayFromZero = 3
    /// Toward zero when converting to a smaller timescale, away from zero to a larger one; a negative time never
    /// becomes 0.
    case quickTime = 4
    /// Toward +∞.
    case roundTowardPositiveInfinity = 5
    /// Toward −∞.
    case roundTowardNegativeInfinity = 6

    /// The default method: `roundHalfAwayFromZero`.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

/// A rational time: `value / timescale` seconds, or one of the states invalid, indefinite, +∞ and −∞.
///
/// Arithmetic follows Apple's `CMTime.h`: results are exact if they can be represented, otherwise rounded once and
/// marked with `hasBeenRounded`. Equality and order are those of `CMTimeCompare`, so 1/2 equals 300/600.
public struct CMTime: Sendable {
    /// The numerator.
    public var value: CMTimeValue
    /// The denominator, in units per second.
    public var timescale: CMTimeScale
    /// The state; without `.valid` the time is invalid, regardless of the other fields.
    public var flags: CMTimeFlags
    /// The loop or item of the timeline; 0 for durations and timelines with only one.
    public var epoch: CMTimeEpoch

    /// Creates an invalid time.
    public init() {
        self.init(value: 0, timescale: 0, flags: [], epoch: 0)
    }

    /// Creates a time from its fields without checks.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Creates a numeric time of `value / timescale` seconds in epoch 0; see `CMTimeMake`.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self = CMTimeMake(value: value, timescale: timescale)
    }

    /// Creates a numeric time from any integer type.
    public init(value: some BinaryInteger, timescale: CMTimeScale) {
        self = CMTimeMake(value: CMTimeValue(value), timescale: timescale)
    }

    /// Creates the time nearest to a number of seconds; see `CMTimeMakeWithSeconds`.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// The invalid time, which results from undefined calculations.
    public static let invalid = CMTime()
    /// An unknown time.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// +∞.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// −∞.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// 0/1.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// Whether the time is valid.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is +∞.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is −∞.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the time is unknown.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is valid, finite and known.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
    /// Whether the value was rounded or calculated from a rounded one; false if the time is not numeric.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The time in seconds: NaN if invalid or indefinite, ±infinity if infinite; ignores the epoch.
    public var seconds: Double {
        if isPositiveInfinity { return .infinity }
        if isNegativeInfinity { return -.infinity }
        guard isNumeric, timescale > 0 else { return .nan }
        return Double(value) / Double(timescale)
    }

    /// Returns the time at another timescale; see `CMTimeConvertScale`.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }
}

extension CMTime: Comparable {
    /// Whether two times are equal in value and epoch, regardless of their timescales; invalid equals invalid.
    public static func == (first: CMTime, second: CMTime) -> Bool { first.order(second) == 0 }
    /// Whether a time precedes another in the order −∞, numeric, indefinite, +∞, invalid.
    @inlinable
    public static func < (first: CMTime, second: CMTime) -> Bool {
        first.sharesScale(with: second) ? first.value < second.value : first.order(second) < 0
    }

    /// Whether both times are numeric, not rounded, and have the same timescale and epoch, so that their values can be
    /// compared directly.
    @inlinable
    func sharesScale(with other: CMTime) -> Bool {
        // 1 is `CMTimeFlags.valid`.
        flags.rawValue == 1 && other.flags.rawValue == 1 && timescale == other.timescale && timescale > 0
            && epoch == other.epoch
    }
}

extension CMTime: Hashable {
    /// Hashes the values that `==` compares: the reduced fraction, or the state.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard rank == CMTime.numericRank else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / CMTimeValue(divisor))
        hasher.combine(UInt64(timescale) / divisor)
        hasher.combine(epoch)
    }
}

extension CMTime {
    /// Returns the sum; see `CMTimeAdd`.
    public static func + (lhs: CMTime, rhs: CMTime) -> CMTime { CMTimeAdd(lhs, rhs) }
    /// Returns the difference; see `CMTimeSubtract`.
    public static func - (lhs: CMTime, rhs: CMTime) -> CMTime { CMTimeSubtract(lhs, rhs) }
    /// Adds in place.
    public static func += (lhs: inout CMTime, rhs: CMTime) { lhs = lhs + rhs }
    /// Subtracts in place.
    public static func -= (lhs: inout CMTime, rhs: CMTime) { lhs = lhs - rhs }
    /// Returns the negated time.
    public static prefix func - (time: CMTime) -> CMTime { CMTimeMultiply(time, multiplier: -1) }
}

extension CMTime: CustomStringConvertible {
    /// The time in Apple's format: `{3/2 = 1.500}`, with epoch and rounding if present.
    public var description: String {
        if !isValid { return "{INVALID}" }
        if isPositiveInfinity { return "{+INFINITY}" }
        if isNegativeInfinity { return "{-INFINITY}" }
        if isIndefinite { return "{INDEFINITE}" }
        var text = "{\(value)/\(timescale) = \(thousandths)"
        if epoch != 0 { text += ", epoch = \(epoch)" }
        if hasBeenRounded { text += ", rounded" }
        return text + "}"
    }

    /// The seconds with three decimals, truncated.
    private var thousandths: String {
        guard timescale > 0 else { return "nan" }
        let count = Int128(value.magnitude) * 1000 / Int128(timescale)
        let digits = String(Int(count % 1000) + 1000).dropFirst()
        return (value < 0 ? "-" : "") + "\(count / 1000).\(digits)"
    }
}

extension CMTime: Codable {
    private enum CodingKeys: String, CodingKey {
        case value, timescale, flags, epoch
    }

    /// Decodes the four fields.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            value: try fields.decode(CMTimeValue.self, forKey: .value),
            timescale: try fields.decode(CMTimeScale.self, forKey: .timescale),
            flags: CMTimeFlags(rawValue: try fields.decode(UInt32.self, forKey: .flags)),
            epoch: try fields.decode(CMTimeEpoch.self, forKey: .epoch))
    }

    /// Encodes the four fields.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(value, forKey: .value)
        try fields.encode(timescale, forKey: .timescale)
        try fields.encode(flags.rawValue, forKey: .flags)
        try fields.encode(epoch, forKey: .epoch)
    }
}
