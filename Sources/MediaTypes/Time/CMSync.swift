// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A clock or a timebase: `CMClock` and `CMTimebase` are the only ones.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The current time.
    var time: CMTime { get }
}

/// A clock or a timebase.
public typealias CMClockOrTimebase = any CMSyncProtocol

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

extension CMSyncProtocol {
    /// Returns how fast this object runs relative to another one; see `CMSyncGetRelativeRate`.
    public func rate(relativeTo clockOrTimebase: any CMSyncProtocol) -> Float64 {
        CMSyncGetRelativeRate(self, relativeTo: clockOrTimebase)
    }

    /// Returns the relative rate, and times of both objects at the same moment since which it applies.
    public func rateAndAnchorTime(
        relativeTo clockOrTimebase: any CMSyncProtocol
    ) throws -> (rate: Float64, anchorTime: CMTime, referenceTime: CMTime) {
        let rate = self.rate(relativeTo: clockOrTimebase)
        let (anchor, reference) = anchorTimes(relativeTo: clockOrTimebase)
        return (rate, anchor, reference)
    }

    /// Returns another object's time when this one shows `time`; see `CMSyncConvertTime`.
    public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
        CMSyncConvertTime(time, from: self, to: clockOrTimebase)
    }

    /// Whether this object may drift apart from another one: true if their clocks differ.
    public func mightDrift(relativeTo clockOrTimebase: any CMSyncProtocol) -> Bool {
        ultimateClock !== clockOrTimebase.ultimateClock
    }

    /// The clock itself, or the clock that a timebase finally follows.
    var ultimateClock: CMClock {
        if let clock = self as? CMClock { return clock }
        return (self as? CMTimebase)?.ultimateSourceClock ?? .monotonic
    }

    /// The rate relative to the ultimate clock.
    var rateOfUltimateClock: Float64 { (self as? CMTimebase)?.effectiveRate ?? 1 }

    /// Returns the ultimate clock's time when this object shows `time`; invalid if the object stands still.
    fileprivate func clockTime(at time: CMTime) -> CMTime {
        guard let timebase = self as? CMTimebase else { return time }
        let (source, mapping) = timebase.sourceAndMapping
        return source.clockTime(at: mapping.sourceTime(at: time))
    }

    /// Returns this object's time when the ultimate clock shows `time`.
    fileprivate func time(atClockTime time: CMTime) -> CMTime {
        guard let timebase = self as? CMTimebase else { return time }
        let (source, mapping) = timebase.sourceAndMapping
        return mapping.time(atSourceTime: source.time(atClockTime: time))
    }

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
/// - Returns: The converted time; `time` itself if both are the same, invalid if the timebase to convert from, or one
///   that it follows, stands still.
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
    if fromClockOrTimebase === toClockOrTimebase { return time }
    let (from, to) = (fromClockOrTimebase.ultimateClock, toClockOrTimebase.ultimateClock)
    var result = fromClockOrTimebase.clockTime(at: time)
    if from !== to { result = result + (to.time - from.time) }
    return toClockOrTimebase.time(atClockTime: result)
}

/// Returns how fast one clock or timebase runs relative to another one; NaN if the other one stands still.
///
/// Clocks are assumed to run at the same rate.
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase
) -> Float64 {
    if ofClockOrTimebase === relativeToClockOrTimebase { return 1 }
    let reference = relativeToClockOrTimebase.rateOfUltimateClock
    return reference == 0 ? .nan : ofClockOrTimebase.rateOfUltimateClock / reference
}

/// Returns the relative rate, and times of both objects at the same moment since which it applies.
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
