// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// A source of time that only moves forward.
///
/// Thread-safe. A clock made here carries a closure; the world that owns the closure decides what time is.
public final class CMClock: Sendable {
    /// What a refusal of a clock is about.
    package let label: String
    private let now: @Sendable () -> CMTime

    /// Shows any source of time as a clock.
    ///
    /// - Parameter now: The present time; called on any thread, must not block.
    package init(label: String, now: @escaping @Sendable () -> CMTime) {
        self.label = label
        self.now = now
    }

    /// The present time.
    public var time: CMTime { now() }

    /// The clock that device times are told in: the world's clock where one is set, else the monotonic clock.
    public static var hostTimeClock: CMClock {
        hostTimeClockResolver.withLock { $0 }() ?? monotonic
    }

    /// Tells which clock is the host time clock for the calling task; nil leaves the monotonic clock.
    ///
    /// The closure runs at every use of `hostTimeClock`, on the user's thread, outside any lock.
    package static func setHostTimeClockResolver(_ resolver: @escaping @Sendable () -> CMClock?) {
        hostTimeClockResolver.withLock { $0 = resolver }
    }

    private static let hostTimeClockResolver = Lock<@Sendable () -> CMClock?> { nil }

    /// The system's monotonic clock, in nanoseconds since an unsaid start.
    package static let monotonic = CMClock(label: "monotonic") {
        var moment = timespec()
        clock_gettime(CLOCK_MONOTONIC, &moment)
        return CMTime(value: Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec), timescale: 1_000_000_000)
    }

    /// The time on another clock at the moment when this one shows `time`; see `CMSyncConvertTime`.
    public func convertTime(_ time: CMTime, to clock: CMClock) -> CMTime {
        CMSyncConvertTime(time, from: self, to: clock)
    }

    /// Whether the two clocks can drift apart: any two that are not one clock.
    public func mightDrift(relativeTo otherClock: CMClock) -> Bool { self !== otherClock }
}

extension CMClock: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMClock, rhs: CMClock) -> Bool { lhs === rhs }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A clock or a timebase; here a clock.
public typealias CMClockOrTimebase = CMClock

/// The clock that device times are told in.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// The clock's present time.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// Whether the two clocks can drift apart.
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
    clock.mightDrift(relativeTo: otherClock)
}

/// The clock's present time.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime { clockOrTimebase.time }

/// Whether the two clocks can drift apart.
public func CMSyncMightDrift(_ clockOrTimebase1: CMClockOrTimebase, _ clockOrTimebase2: CMClockOrTimebase) -> Bool {
    clockOrTimebase1.mightDrift(relativeTo: clockOrTimebase2)
}

/// The time that one clock shows at the moment when the other shows `time`.
///
/// Both clocks are taken to run at one rate: the distance between their present times is added.
///
/// - Returns: `time` itself between a clock and itself.
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
    if fromClockOrTimebase === toClockOrTimebase { return time }
    return time + (toClockOrTimebase.time - fromClockOrTimebase.time)
}
