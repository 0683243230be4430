// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// A monotonic source of time.
///
/// - Important: Thread-safe. The time is returned by a closure, for example of the capture system that owns the clock.
public final class CMClock: Sendable {
    /// The clock's name for error messages.
    package let label: String
    private let now: @Sendable () -> CMTime

    /// Creates a clock from a closure.
    ///
    /// - Parameter now: Returns the current time; called on any thread, must not block.
    package init(label: String, now: @escaping @Sendable () -> CMTime) {
        self.label = label
        self.now = now
    }

    /// The current time.
    public var time: CMTime { now() }

    /// The clock of device timestamps: the clock of the caller's capture system, or the monotonic clock if there is
    /// none.
    public static var hostTimeClock: CMClock {
        hostTimeClockResolver.withLock { $0 }() ?? monotonic
    }

    /// Sets the closure that returns the host time clock for the calling task, or nil for the monotonic clock.
    ///
    /// The closure runs at each use of `hostTimeClock`, on the caller's thread, outside any lock.
    package static func setHostTimeClockResolver(_ resolver: @escaping @Sendable () -> CMClock?) {
        hostTimeClockResolver.withLock { $0 = resolver }
    }

    private static let hostTimeClockResolver = Lock<@Sendable () -> CMClock?> { nil }

    /// The operating system's monotonic clock, in nanoseconds since an unspecified start.
    package static let monotonic = CMClock(label: "monotonic") {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return CMTime(value: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), timescale: 1_000_000_000)
    }
}

extension CMClock: Hashable {
    /// Whether both are the same object.
    public static func == (lhs: CMClock, rhs: CMClock) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns the clock of device timestamps.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the clock's current time.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// Whether two clocks may drift apart.
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
    clock.mightDrift(relativeTo: otherClock)
}
