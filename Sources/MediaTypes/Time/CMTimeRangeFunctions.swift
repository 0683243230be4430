// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The empty range at 0.
public let kCMTimeRangeZero = CMTimeRange.zero
/// The invalid range.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Returns a range from its start and duration; `.invalid` if the duration's epoch is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    guard duration.epoch == 0 else { return .invalid }
    return CMTimeRange(uncheckedStart: start, duration: duration)
}

/// Returns the range from one time to, but not including, another.
///
/// - Returns: The range; `.invalid` if the end is invalid or in another epoch. An end before the start results in a
///   negative duration, and thus an invalid range.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    if start.isNumeric && end.isNumeric && start.epoch != end.epoch { return .invalid }
    return CMTimeRangeMake(start: start, duration: end - start)
}

/// Returns the smallest range that contains both ranges; empty ranges are ignored.
///
/// - Returns: The union; `.invalid` if a range is invalid or the epochs differ.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValid && otherRange.isValid else { return .invalid }
    if otherRange.isEmpty { return range }
    if range.isEmpty { return otherRange }
    return CMTimeRangeFromTimeToTime(
        start: min(range.start, otherRange.start), end: max(range.end, otherRange.end))
}

/// Returns the largest range that both ranges contain.
///
/// - Returns: The intersection; `.zero` if the ranges do not overlap, `.invalid` if one is invalid.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValid && otherRange.isValid else { return .invalid }
    let start = max(range.start, otherRange.start)
    let end = min(range.end, otherRange.end)
    return start < end ? CMTimeRangeFromTimeToTime(start: start, end: end) : .zero
}

/// Whether two ranges have equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Whether a range contains a time; its end and invalid times are excluded.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    range.isValid && time.isValid && range.start <= time && time < range.end
}

/// Whether a range contains another range. An empty range is contained if its start is within the range or at its end.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.isValid && otherRange.isValid && range.start <= otherRange.start && otherRange.end <= range.end
}

/// Returns the first time after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Maps a time linearly from one range to another.
///
/// - Returns: The time; `.invalid` if a range is empty or the time is in another epoch than the first range. Between
///   two infinite ranges the time is translated but not scaled.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard t.isValid, fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty else { return .invalid }
    if t.isNumeric && t.epoch != fromRange.start.epoch { return .invalid }
    let offset = t - fromRange.start
    return scaled(offset, from: fromRange.duration, to: toRange.duration) + toRange.start
}

/// Scales a duration by the ratio of two ranges' durations.
///
/// - Returns: The duration; `.invalid` if a range is empty or the duration's epoch is not 0.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard dur.isValid, dur.epoch == 0, fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty
    else { return .invalid }
    return scaled(dur, from: fromRange.duration, to: toRange.duration)
}

/// Returns the time in a range that is nearest to a time: the time itself, or the range's start or end.
///
/// - Returns: The time; `.invalid` if the range is empty or invalid, or the time is invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
    return min(max(time, range.start), range.end)
}

/// Maps a time into a range by repeating the range.
///
/// - Returns: `time` plus or minus a multiple of the duration. `.invalid` if the range is empty or invalid, or the time
///   is not numeric or in another epoch. With an infinite range, the time is returned unchanged.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.isComputable, foldRange.isValid, !foldRange.isEmpty, foldRange.start.isComputable,
        time.epoch == foldRange.start.epoch
    else { return .invalid }
    guard foldRange.duration.isComputable else { return time }
    let offset = time - foldRange.start
    let duration = foldRange.duration
    guard offset.isComputable else { return .invalid }
    let common = Int128(offset.timescale) * Int128(duration.timescale)
    let length = Int128(duration.value) * Int128(offset.timescale)
    var remainder = Int128(offset.value) * Int128(duration.timescale) % length
    if remainder < 0 { remainder += length }
    // The least common multiple of the offset's and the duration's timescales represents the result exactly.
    let divisor = Int128(greatestCommonDivisor(UInt64(offset.timescale), UInt64(duration.timescale)))
    let folded = CMTime(
        remainder, over: common, timescale: CMTimeScale(clamping: common / divisor),
        wasRounded: offset.hasBeenRounded || duration.hasBeenRounded, epoch: 0)
    return folded + foldRange.start
}

/// Returns `time` · `to` / `from`, exact if the intermediate results fit in 128 bits.
private func scaled(_ time: CMTime, from: CMTime, to: CMTime) -> CMTime {
    if from == to { return time }
    guard from.isComputable, to.isComputable, time.isComputable else {
        if from.isPositiveInfinity { return to.isPositiveInfinity ? time : .invalid }
        if to.isPositiveInfinity {
            return time == .zero ? time : (time > .zero ? .positiveInfinity : .negativeInfinity)
        }
        return from.isIndefinite || to.isIndefinite ? .indefinite : time
    }
    // Reduce the ratio to.value·from.timescale / (to.timescale·from.value) together with the time.
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
        // The limits of `CMTime.init(_:over:timescale:wasRounded:epoch:)`.
        numerator >> 95 == 0, denominator >> 62 == 0
    {
        // Use the timescale of the target range if the result is exact, as in the edits of a movie.
        let signed = time.value < 0 ? -Int128(numerator) : Int128(numerator)
        let preferred = Int128(to.timescale)
        let timescale = preferred % Int128(denominator) == 0 ? preferred : Int128(denominator)
        return CMTime(
            signed, over: Int128(denominator), timescale: CMTimeScale(clamping: timescale), wasRounded: isRounded,
            epoch: 0)
    }
    let ratio = (Double(to.value) / Double(to.timescale)) / (Double(from.value) / Double(from.timescale))
    var result = CMTimeMultiplyByFloat64(time, multiplier: ratio)
    if result.isNumeric { result.flags.insert(.hasBeenRounded) }
    return result
}

/// Returns the product of factors; nil if it exceeds 128 bits.
private func product(_ factors: [UInt64]) -> UInt128? {
    var result = UInt128(1)
    for factor in factors {
        let (partial, overflow) = result.multipliedReportingOverflow(by: UInt128(factor))
        if overflow { return nil }
        result = partial
    }
    return result
}

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

/// Returns the range as a dictionary of two time dictionaries.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) ?? [:],
        kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) ?? [:],
    ]
}

/// Returns the range in a dictionary of `CMTimeRangeCopyAsDictionary`; `.invalid` if an entry is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    guard let start = dictionaryRepresentation[kCMTimeRangeStartKey] as? CFDictionary,
        let duration = dictionaryRepresentation[kCMTimeRangeDurationKey] as? CFDictionary
    else { return .invalid }
    return CMTimeRangeMake(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}

/// Returns the range as text.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? { range.description }

/// Prints the range to standard output.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(range) }
