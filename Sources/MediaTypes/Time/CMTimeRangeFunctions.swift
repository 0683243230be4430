// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The empty range at 0.
public let kCMTimeRangeZero = CMTimeRange.zero
/// The invalid range.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Makes a range from its start and duration.
///
/// - Returns: The range; `.invalid` where the duration's epoch is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    guard duration.epoch == 0 else { return .invalid }
    return CMTimeRange(uncheckedStart: start, duration: duration)
}

/// Makes the range from one time up to, and without, another.
///
/// - Returns: The range; `.invalid` where the end is not valid or of another epoch. An end before the start leaves a
///   negative duration, and thus a range that is not valid.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    if start.isNumeric && end.isNumeric && start.epoch != end.epoch { return .invalid }
    return CMTimeRangeMake(start: start, duration: end - start)
}

/// The smallest range that holds all times of both; an empty range adds nothing.
///
/// - Returns: The union; `.invalid` where one of the ranges is, or they are of unequal epochs.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValid && otherRange.isValid else { return .invalid }
    if otherRange.isEmpty { return range }
    if range.isEmpty { return otherRange }
    return CMTimeRangeFromTimeToTime(
        start: min(range.start, otherRange.start), end: max(range.end, otherRange.end))
}

/// The largest range whose times are in both.
///
/// - Returns: The intersection; `.zero` where the ranges have no time in common, `.invalid` where one is invalid.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValid && otherRange.isValid else { return .invalid }
    let start = max(range.start, otherRange.start)
    let end = min(range.end, otherRange.end)
    return start < end ? CMTimeRangeFromTimeToTime(start: start, end: end) : .zero
}

/// Whether two ranges have equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Whether a time is in a range; the range's end is not, and an invalid time never is.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    range.isValid && time.isValid && range.start <= time && time < range.end
}

/// Whether a range lies wholly in another; an empty one does where its start does, or is the end.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.isValid && otherRange.isValid && range.start <= otherRange.start && otherRange.end <= range.end
}

/// The first time after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Carries a time from one range to another, the start to the start and the end to the end, linearly.
///
/// - Returns: The time; `.invalid` where a range is empty or the time is of another epoch than the first range. Between
///   two ranges without end the time is moved but not scaled.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard t.isValid, fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty else { return .invalid }
    if t.isNumeric && t.epoch != fromRange.start.epoch { return .invalid }
    let offset = difference(t, fromRange.start)
    return sum(scaled(offset, from: fromRange.duration, to: toRange.duration), toRange.start)
}

/// Carries a duration from one range to another, in proportion to their durations.
///
/// - Returns: The duration; `.invalid` where a range is empty or the duration's epoch is not 0.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard dur.isValid, dur.epoch == 0, fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty
    else { return .invalid }
    return scaled(dur, from: fromRange.duration, to: toRange.duration)
}

/// The time of a range that is nearest to a time: the time itself, or the range's start or end.
///
/// - Returns: The time; `.invalid` where the range is empty or invalid, or the time invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
    return min(max(time, range.start), range.end)
}

/// The time of a range that a loop over the range shows at a time.
///
/// - Returns: `time` plus or minus a whole number of durations; `.invalid` where the range is empty or invalid, or the
///   time is not numeric or of another epoch. In a range without end the time comes back as it is.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.isComputable, foldRange.isValid, !foldRange.isEmpty, foldRange.start.isComputable,
        time.epoch == foldRange.start.epoch
    else { return .invalid }
    guard foldRange.duration.isComputable else { return time }
    let offset = difference(time, foldRange.start)
    let duration = foldRange.duration
    guard offset.isComputable else { return .invalid }
    let common = Int128(offset.timescale) * Int128(duration.timescale)
    let length = Int128(duration.value) * Int128(offset.timescale)
    var rest = Int128(offset.value) * Int128(duration.timescale) % length
    if rest < 0 { rest += length }
    // The offset's scale already holds the sum's; the least common one with the duration's holds the rest exactly.
    let divisor = Int128(greatestCommonDivisor(UInt64(offset.timescale), UInt64(duration.timescale)))
    let folded = CMTime(
        rest, over: common, timescale: CMTimeScale(clamping: common / divisor),
        wasRounded: offset.hasBeenRounded || duration.hasBeenRounded, epoch: 0)
    return sum(folded, foldRange.start)
}

/// `time` · `to` / `from`, exact before it is rounded where that needs no more than 128 bits.
private func scaled(_ time: CMTime, from: CMTime, to: CMTime) -> CMTime {
    if from == to { return time }
    guard from.isComputable, to.isComputable, time.isComputable else {
        if from.isPositiveInfinity { return to.isPositiveInfinity ? time : .invalid }
        if to.isPositiveInfinity {
            return time == .zero ? time : (time > .zero ? .positiveInfinity : .negativeInfinity)
        }
        return from.isIndefinite || to.isIndefinite ? .indefinite : time
    }
    // The ratio to.value·from.timescale / (to.timescale·from.value), reduced crosswise with the time.
    var numerators = [time.value.magnitude, to.value.magnitude, UInt64(from.timescale)]
    var denominators = [UInt64(time.timescale), UInt64(to.timescale), from.value.magnitude]
    for i in numerators.indices {
        for j in denominators.indices {
            let divisor = greatestCommonDivisor(numerators[i], denominators[j])
            guard divisor > 1 else { continue }
            numerators[i] /= divisor
            denominators[j] /= divisor
        }
    }
    let isRounded = time.hasBeenRounded || from.hasBeenRounded || to.hasBeenRounded
    if let numerator = product(numerators), let denominator = product(denominators),
        numerator >> 95 == 0, denominator >> 62 == 0
    {
        // Prefer the target's own timescale where it is exact, as a movie's edits are on its timescale.
        let signed = time.value < 0 ? -Int128(numerator) : Int128(numerator)
        let own = Int128(to.timescale)
        let timescale = own % Int128(denominator) == 0 ? own : Int128(denominator)
        return CMTime(
            signed, over: Int128(denominator), timescale: CMTimeScale(clamping: timescale), wasRounded: isRounded,
            epoch: 0)
    }
    let ratio = (Double(to.value) / Double(to.timescale)) / (Double(from.value) / Double(from.timescale))
    var result = CMTimeMultiplyByFloat64(time, multiplier: ratio)
    if result.isNumeric { result.flags.insert(.hasBeenRounded) }
    return result
}

private func product(_ factors: [UInt64]) -> UInt128? {
    var result = UInt128(1)
    for factor in factors {
        let (partial, overflow) = result.multipliedReportingOverflow(by: UInt128(factor))
        if overflow { return nil }
        result = partial
    }
    return result
}

/// The duration between two times of one epoch.
private func difference(_ time: CMTime, _ start: CMTime) -> CMTime { time - start }

/// A duration after a time, in the time's epoch.
private func sum(_ duration: CMTime, _ start: CMTime) -> CMTime { duration + start }

/// Whether the range is valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }
/// Whether the range is not valid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }
/// Whether the range is valid and one of its times is indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }
/// Whether the range is valid and its duration 0.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// The key of a range's start in a dictionary.
public let kCMTimeRangeStartKey: CFString = "start"
/// The key of a range's duration in a dictionary.
public let kCMTimeRangeDurationKey: CFString = "duration"

/// The range as a dictionary of two dictionaries of times.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) ?? [:],
        kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) ?? [:],
    ]
}

/// The range that a dictionary of `CMTimeRangeCopyAsDictionary` holds; `.invalid` where an entry is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    guard let start = dictionaryRepresentation[kCMTimeRangeStartKey] as? CFDictionary,
        let duration = dictionaryRepresentation[kCMTimeRangeDurationKey] as? CFDictionary
    else { return .invalid }
    return CMTimeRangeMake(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}

/// The range as text.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? { range.description }

/// Prints the range on standard output.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(range) }
