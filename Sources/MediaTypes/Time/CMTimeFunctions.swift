// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The invalid time.
public let kCMTimeInvalid = CMTime.invalid
/// The indefinite time.
public let kCMTimeIndefinite = CMTime.indefinite
/// +∞.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// −∞.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// 0/1.
public let kCMTimeZero = CMTime.zero

/// Makes a numeric time of `value / timescale` seconds in epoch 0.
///
/// - Returns: The time; `.invalid` where `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Makes a numeric time of `value / timescale` seconds in an epoch.
///
/// - Returns: The time; `.invalid` where `timescale` is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    guard timescale > 0 else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Makes the time nearest to a number of seconds, in epoch 0.
///
/// The timescale is halved while the value overflows; what still overflows at 1 is infinite. The time counts as
/// rounded where it gives other seconds than the argument.
///
/// - Returns: The time; `.invalid` where `preferredTimescale` is not positive or `seconds` is NaN.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
    var scale = preferredTimescale
    while true {
        let product = (seconds * Double(scale)).rounded(.toNearestOrAwayFromZero)
        if let value = Int64(exactly: product) {
            let isExact = Double(value) / Double(scale) == seconds
            return CMTime(
                value: value, timescale: scale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
        }
        guard scale > 1, seconds.isFinite else {
            return seconds > 0 ? .positiveInfinity : .negativeInfinity
        }
        scale /= 2
    }
}

/// The time in seconds: NaN when invalid or indefinite, ±infinity when infinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// Brings a time to another timescale.
///
/// - Returns: The time, marked as rounded where it was. A time that is not numeric comes back as it is; `.invalid` where
///   `timescale` is not positive; ±∞ where the value overflows.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    guard time.rank != 4 else { return .invalid }
    guard time.isComputable else { return time }
    guard timescale > 0 else { return .invalid }
    var rounding = method
    if method == .quickTime {
        rounding = timescale < time.timescale ? .roundTowardZero : .roundAwayFromZero
    }
    let (quotient, isExact) = divide(Int128(time.value) * Int128(timescale), by: Int128(time.timescale), rounding)
    guard var value = Int64(exactly: quotient) else {
        return time.value > 0 ? .positiveInfinity : .negativeInfinity
    }
    if method == .quickTime && value == 0 && time.value < 0 { value = -1 }
    let isRounded = time.hasBeenRounded || !isExact
    return CMTime(
        value: value, timescale: timescale, flags: isRounded ? [.valid, .hasBeenRounded] : .valid, epoch: time.epoch)
}

/// The sum of two times.
///
/// The result has the least common multiple of both timescales, or `kCMTimeMaxTimescale` where that is larger, or the
/// first half, quarter, … of it at which the value fits; past that it is infinite. It is marked as rounded where it,
/// or a summand, was.
///
/// - Returns: The sum. `.invalid` where a summand is, for +∞ and −∞ together, and for two unequal epochs neither of
///   which is 0. Infinity wins over indefinite. Two times of one epoch make a duration, in epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: 1) }

/// The difference of two times, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: -1) }

/// A time times an integer, at the time's own timescale, which is halved while the value overflows.
///
/// - Returns: The product; an infinite time stays infinite, with the product's sign, and is `.invalid` times 0.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    if time.rank == 4 { return .invalid }
    if time.isIndefinite { return time }
    if time.infiniteSign != 0 { return CMTime(infiniteOfSign: time.infiniteSign * Int(multiplier.signum())) }
    return CMTime(
        Int128(time.value) * Int128(multiplier), over: Int128(time.timescale), timescale: time.timescale,
        wasRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// A time times a number, at the time's timescale doubled until it is at least 65536, and halved while the value
/// overflows.
///
/// The product is exact before it is rounded once.
///
/// - Returns: The product; an infinite time stays infinite, with the product's sign; `.invalid` for NaN, and for an
///   infinite time times 0.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    time.multiplied(by: multiplier)
}

/// A time times an integer, over another.
///
/// The exact value is kept where a 32-bit timescale can hold it; else it is rounded at the largest that does.
///
/// - Returns: The result; an invalid or indefinite time comes back as it is. An infinite one gets the sign of the ratio,
///   and is `.invalid` times 0. With the divisor 0, `.invalid` where the time or the multiplier is 0 too, else an
///   infinity with the sign of their product.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// −1, 0 or 1: how two times stand in the order −∞ < numeric < indefinite < +∞ < invalid.
///
/// A larger epoch comes after a smaller one, whatever the values.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1.order(time2) }

/// The lesser of two times by `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// The greater of two times by `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 > time1 ? time2 : time1 }

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    return time.isComputable && time.value < 0 ? CMTimeMultiply(time, multiplier: -1) : time
}

/// Whether the time is anything but invalid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// Whether the time is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// Whether the time is +∞.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// Whether the time is −∞.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// Whether the time is valid and not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// Whether the time is valid, finite and known.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// Whether the time is numeric and was rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// The time as text.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? { time.description }

/// Prints the time on standard output.
public func CMTimeShow(_ time: CMTime) { print(time) }

/// The key of a time's value in a dictionary.
public let kCMTimeValueKey: CFString = "value"
/// The key of a time's timescale in a dictionary.
public let kCMTimeScaleKey: CFString = "timescale"
/// The key of a time's epoch in a dictionary.
public let kCMTimeEpochKey: CFString = "epoch"
/// The key of a time's flags in a dictionary.
public let kCMTimeFlagsKey: CFString = "flags"

/// The time as a dictionary with the four `kCMTime…Key` entries.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
        kCMTimeFlagsKey: time.flags.rawValue,
    ]
}

/// The time that a dictionary of `CMTimeCopyAsDictionary` holds; `.invalid` where an entry is missing or of another type.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    guard let fields = dictionaryRepresentation,
        let value = integer(fields[kCMTimeValueKey], as: Int64.self),
        let timescale = integer(fields[kCMTimeScaleKey], as: Int32.self),
        let epoch = integer(fields[kCMTimeEpochKey], as: Int64.self),
        let flags = integer(fields[kCMTimeFlagsKey], as: UInt32.self)
    else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}
