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

/// Returns a numeric time of `value / timescale` seconds in epoch 0; `.invalid` if `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns a numeric time of `value / timescale` seconds in an epoch; `.invalid` if `timescale` is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    guard timescale > 0 else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Returns the time nearest to a number of seconds, in epoch 0.
///
/// The timescale is halved until the value fits; if it does not fit at 1, the result is infinite. The time is marked as
/// rounded if its `seconds` differ from the argument.
///
/// - Returns: The time; `.invalid` if `preferredTimescale` is not positive or `seconds` is NaN.
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

/// Returns the time in seconds: NaN if invalid or indefinite, ±infinity if infinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// Converts a time to another timescale.
///
/// - Returns: The time, marked as rounded if this or an earlier result was rounded. Times that are not numeric are
///   returned unchanged. `.invalid` if `timescale` is not positive; ±∞ if the value overflows.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    guard time.rank != CMTime.invalidRank else { return .invalid }
    guard time.isComputable else { return time }
    guard timescale > 0 else { return .invalid }
    if timescale == time.timescale { return time }
    // Most conversions are exact, such as those of frame durations to nanoseconds.
    let (factor, remainder) = timescale.quotientAndRemainder(dividingBy: time.timescale)
    let (product, isTooLarge) = time.value.multipliedReportingOverflow(by: Int64(factor))
    if remainder == 0, !isTooLarge {
        return CMTime(
            value: product, timescale: timescale, flags: time.hasBeenRounded ? [.valid, .hasBeenRounded] : .valid,
            epoch: time.epoch)
    }
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

/// Returns the sum of two times.
///
/// The result's timescale is the least common multiple of both timescales, at most `kCMTimeMaxTimescale`, halved until
/// the value fits; if it does not fit at 1, the result is infinite. The result is marked as rounded if it or an
/// operand was rounded.
///
/// - Returns: The sum. It is `.invalid` if an operand is invalid, if +∞ and −∞ are added, or if the epochs differ and
///   neither is 0. The sum of an infinite and an indefinite time is infinite. The sum of two times in the same epoch is
///   in epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: 1) }

/// Returns the difference of two times, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: -1) }

/// Returns the product of a time and an integer, at the time's timescale, halved until the value fits.
///
/// - Returns: The product. Infinite times stay infinite, with the product's sign, and are `.invalid` times 0.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    if time.rank == CMTime.invalidRank { return .invalid }
    if time.isIndefinite { return time }
    if time.infiniteSign != 0 { return CMTime(infiniteOfSign: time.infiniteSign * Int(multiplier.signum())) }
    return CMTime(
        Int128(time.value) * Int128(multiplier), over: Int128(time.timescale), timescale: time.timescale,
        wasRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// Returns the product of a time and a number, rounded once.
///
/// The timescale is the time's, doubled until it is at least 65536, and halved until the value fits.
///
/// - Returns: The product. Infinite times stay infinite, with the product's sign, and are `.invalid` times 0;
///   `.invalid` for NaN.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns a time multiplied by the ratio of two integers.
///
/// The result is exact if it can be represented with a 32-bit timescale. Otherwise, it is rounded at the largest
/// possible timescale.
///
/// - Returns: The result. Invalid and indefinite times are returned unchanged. Infinite times take the sign of the
///   product and are `.invalid` times 0. If the divisor is 0, the result is the infinity with the sign of the product
///   of time and multiplier, or `.invalid` if one of them is 0.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// Compares two times in the order −∞ < numeric < indefinite < +∞ < invalid.
///
/// A larger epoch follows a smaller one, regardless of the values.
///
/// - Returns: −1, 0 or 1.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1.order(time2) }

/// Returns the lesser of two times by `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the greater of two times by `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 > time1 ? time2 : time1 }

/// Returns the absolute value of a time.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    return time.isComputable && time.value < 0 ? CMTimeMultiply(time, multiplier: -1) : time
}

/// Whether the time is valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// Whether the time is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// Whether the time is +∞.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// Whether the time is −∞.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// Whether the time is unknown.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// Whether the time is valid, finite and known.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// Whether the time is numeric and was rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// Returns the time as text.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? { time.description }

/// Prints the time to standard output.
public func CMTimeShow(_ time: CMTime) { print(time) }

/// The key of a time's value in a dictionary.
public let kCMTimeValueKey: CFString = "value"
/// The key of a time's timescale in a dictionary.
public let kCMTimeScaleKey: CFString = "timescale"
/// The key of a time's epoch in a dictionary.
public let kCMTimeEpochKey: CFString = "epoch"
/// The key of a time's flags in a dictionary.
public let kCMTimeFlagsKey: CFString = "flags"

/// Returns the time as a dictionary with the four `kCMTime…Key` entries.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
        kCMTimeFlagsKey: time.flags.rawValue,
    ]
}

/// Returns the time in a dictionary of `CMTimeCopyAsDictionary`; `.invalid` if an entry is missing or has another type.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    guard let fields = dictionaryRepresentation,
        let value = integerValue(fields[kCMTimeValueKey], as: Int64.self),
        let timescale = integerValue(fields[kCMTimeScaleKey], as: Int32.self),
        let epoch = integerValue(fields[kCMTimeEpochKey], as: Int64.self),
        let flags = integerValue(fields[kCMTimeFlagsKey], as: UInt32.self)
    else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}
