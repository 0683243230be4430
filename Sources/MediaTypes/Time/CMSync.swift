// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A clock or a timebase. Only `CMClock` and `CMTimebase` conform.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The current time.
    var time: CMTime { get }
}

/// A clock or a timebase.
public typealias CMClockOrTimebase = any CMSyncProtocol

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

extension CMSyncProtocol {
    /// Returns the rate of this object relative to another one; see `CMSyncGetRelativeRate`.
    public func rate(relativeTo clockOrTimebase: any CMSyncProtocol) -> Float64 {
        CMSyncGetRelativeRate(self, relativeTo: clockOrTimebase)
    }

    /// Returns the relative rate, and the times of both objects at a common moment; the rate applies from then on.
    public func rateAndAnchorTime(
        relativeTo clockOrTimebase: any CMSyncProtocol
    ) throws -> (rate: Float64, anchorTime: CMTime, referenceTime: CMTime) {
        let rate = self.rate(relativeTo: clockOrTimebase)
        let (anchor, reference) = anchorTimes(relativeTo: clockOrTimebase)
        return (rate, anchor, reference)
    }

    /// Converts a time of this object to a time of another one; see `CMSyncConvertTime`.
    public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
        CMSyncConvertTime(time, from: self, to: clockOrTimebase)
    }

    /// Whether this object may drift apart from another one: true if their clocks differ.
    public func mightDrift(relativeTo clockOrTimebase: any CMSyncProtocol) -> Bool {
        ultimateClock !== clockOrTimebase.ultimateClock
    }

    /// The clock itself, or the clock at the end of a timebase's chain of sources.
    var ultimateClock: CMClock {
        if let clock = self as? CMClock { return clock }
        return (self as? CMTimebase)?.ultimateSourceClock ?? .monotonic
    }

    /// The rate relative to the ultimate clock; 1 for a clock.
    var rateRelativeToUltimateClock: Float64 { (self as? CMTimebase)?.effectiveRate ?? 1 }

    /// Converts a time of this object to a time of the ultimate clock; invalid if the rate of this object, or of a
    /// timebase that it follows, is 0.
    fileprivate func clockTime(at time: CMTime) -> CMTime {
        guard let timebase = self as? CMTimebase else { return time }
        let (source, mapping) = timebase.sourceAndMapping
        return source.clockTime(at: mapping.sourceTime(at: time))
    }

    /// Converts a time of the ultimate clock to a time of this object.
    fileprivate func time(atClockTime time: CMTime) -> CMTime {
        guard let timebase = self as? CMTimebase else { return time }
        let (source, mapping) = timebase.sourceAndMapping
        return mapping.time(atSourceTime: source.time(atClockTime: time))
    }

    /// Returns the times of this object and of another one at a common moment; the relative rate applies from then on.
    fileprivate func anchorTimes(relativeTo other: any CMSyncProtocol) -> (CMTime, CMTime) {
        if let timebase = self as? CMTimebase {
            let (source, mapping) = timebase.sourceAndMapping
            return (mapping.anchor, CMSyncConvertTime(mapping.sourceAnchor, from: source, to: other))
        }
        if let timebase = other as? CMTimebase {
            let (source, mapping) = timebase.sourceAndMapping
            return (CMSyncConvertTime(mapping.sourceAnchor, from: source, to: self), mapping.anchor)
        }
        let now = time
        return (now, CMSyncConvertTime(now, from: self, to: other))
    }
}

/// Returns the current time.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime { clockOrTimebase.time }

/// Whether two clocks or timebases may drift apart.
public func CMSyncMightDrift(_ clockOrTimebase1: CMClockOrTimebase, _ clockOrTimebase2: CMClockOrTimebase) -> Bool {
    clockOrTimebase1.mightDrift(relativeTo: clockOrTimebase2)
}

/// Converts a time from one clock or timebase to another.
///
/// Two clocks are assumed to run at the same rate; the difference of their current times is added.
///
/// - Returns: The converted time; `time` itself if both objects are identical; invalid if the rate of the timebase to
///   convert from, or of a timebase that it follows, is 0.
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
    if fromClockOrTimebase === toClockOrTimebase { return time }
    let (from, to) = (fromClockOrTimebase.ultimateClock, toClockOrTimebase.ultimateClock)
    var result = fromClockOrTimebase.clockTime(at: time)
    if from !== to { result = result + (to.time - from.time) }
    return toClockOrTimebase.time(atClockTime: result)
}

/// Returns the rate of one clock or timebase relative to another one; NaN if the rate of the other one is 0.
///
/// Clocks are assumed to run at the same rate.
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase
) -> Float64 {
    if ofClockOrTimebase === relativeToClockOrTimebase { return 1 }
    let reference = relativeToClockOrTimebase.rateRelativeToUltimateClock
    return reference == 0 ? .nan : ofClockOrTimebase.rateRelativeToUltimateClock / reference
}

/// Returns the relative rate, and the times of both objects at a common moment; the rate applies from then on.
@discardableResult
public func CMSyncGetRelativeRateAndAnchorTime(
    _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase,
    relativeRateOut outRelativeRate: UnsafeMutablePointer<Float64>?,
    anchorTimeOut outOfClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?,
    relativeToAnchorTimeOut outRelativeToClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?
) -> OSStatus {
    let (anchor, reference) = ofClockOrTimebase.anchorTimes(relativeTo: relativeToClockOrTimebase)
    outRelativeRate?.pointee = CMSyncGetRelativeRate(ofClockOrTimebase, relativeTo: relativeToClockOrTimebase)
    outOfClockOrTimebaseAnchorTime?.pointee = anchor
    outRelativeToClockOrTimebaseAnchorTime?.pointee = reference
    return noErr
}
