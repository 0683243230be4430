public import Dispatch
public import Foundation

/// A timer that fires at a time of a timebase.
struct TimebaseTimer: @unchecked Sendable {
    // SAFETY: dispatch sources are thread-safe; Foundation protects the fire date of a run loop timer with a lock.
    enum Kind {
        case dispatch(any DispatchSourceTimer)
        case runLoop(Timer)
    }

    /// The time at which a timer fires, on a host time clock.
    struct Deadline {
        let clock: CMClock
        let time: CMTime
        let delayNanoseconds: Int64
    }

    let kind: Kind
    /// The time on the timebase at which the timer fires; invalid if it does not fire, or has fired.
    var fireTime = CMTime.invalid
    /// The deadline; nil if the timer does not fire, or has fired.
    private(set) var deadline: Deadline?

    /// The longest delay, about 126 years, which fits in 64 bits in nanoseconds.
    private static let longestDelaySeconds = 4e9
    /// The largest difference between clocks that is ignored, 1 µs. Run loops round times by less than that.
    private static let tolerance = CMTime(value: 1, timescale: 1_000_000)

    init(kind: Kind) {
        self.kind = kind
    }

    /// The timer's identity.
    var object: AnyObject {
        switch kind {
        case .dispatch(let source): source as AnyObject
        case .runLoop(let timer): timer
        }
    }

    /// Whether the deadline has passed: the timer has fired or is about to fire.
    var isDue: Bool { deadline.map { $0.time <= $0.clock.time + Self.tolerance } ?? false }

    /// Sets the deadline to a number of seconds from now on a host time clock; nil for never.
    mutating func arm(after seconds: Double?, _ clock: CMClock) {
        deadline = seconds.map { seconds in
            let delay = Int64((min(seconds, Self.longestDelaySeconds) * 1e9).rounded(.up))
            return Deadline(
                clock: clock, time: clock.time + CMTime(value: delay, timescale: 1_000_000_000),
                delayNanoseconds: delay)
        }
    }

    /// Removes the fire time and the deadline.
    mutating func disarm() {
        fireTime = .invalid
        deadline = nil
    }

    /// Schedules the dispatch source or the run loop timer for the deadline, or for the distant future if there is
    /// none.
    func schedule() {
        let delay = deadline?.delayNanoseconds
        switch kind {
        case .dispatch(let source):
            source.schedule(deadline: delay.map { DispatchTime.now() + .nanoseconds(Int($0)) } ?? .distantFuture)
        case .runLoop(let timer):
            timer.fireDate = delay.map { Date(timeIntervalSinceNow: Double($0) / 1e9) } ?? .distantFuture
        }
    }
}

/// Timers that fire at times of the timebase, also if its time or rate changes.
///
/// A timer fires once for each fire time that is set, even if the timebase reaches that time again.
/// - Note: Delays are measured by Dispatch or the run loop. They are exact only if the ultimate clock is the host
///   clock.
extension CMTimebase {
    /// The name of the notification of a changed effective rate; the object is the timebase.
    public static let effectiveRateChanged = Notification.Name(kCMTimebaseNotification_EffectiveRateChanged)
    /// The name of the notification of a changed time; the object is the timebase.
    public static let timeJumped = Notification.Name(kCMTimebaseNotification_TimeJumped)

    /// A key of the notifications' user info.
    public struct NotificationKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The host time of the change, as a dictionary.
        public static let eventTime = NotificationKey(rawValue: kCMTimebaseNotificationKey_EventTime)
    }

    /// The minimum interval of run loop timers, in seconds.
    public static let veryLongTimeInterval: CFTimeInterval = 256 * 365 * 24 * 60 * 60

    /// Adds a repeating timer with a very long interval, which the client has added to a run loop.
    ///
    /// - Throws: `kCMTimebaseError_TimerIntervalTooShort` if the interval is less than `veryLongTimeInterval`.
    public func addTimer(_ timer: Timer, on runloop: RunLoop) throws {
        guard timer.timeInterval >= Self.veryLongTimeInterval else {
            throw mediaError(
                kCMTimebaseError_TimerIntervalTooShort,
                "the timer must repeat with an interval of at least veryLongTimeInterval")
        }
        add(TimebaseTimer(kind: .runLoop(timer)))
    }

    public func removeTimer(_ timer: Timer) throws { try require(remove(timer)) }

    /// Sets the time at which the timer fires; it never fires if the time is not numeric.
    public func setTimerNextFireTime(_ timer: Timer, fireTime: CMTime) throws {
        try require(setFireTime(fireTime, of: timer))
    }

    public func setTimerToFireImmediately(_ timer: Timer) throws { try require(fireImmediately(timer)) }

    /// Adds a timer source, which the client has resumed.
    public func addTimer<T: DispatchSourceTimer>(_ timer: T) throws { add(TimebaseTimer(kind: .dispatch(timer))) }

    public func removeTimer<T: DispatchSourceTimer>(_ timer: T) throws { try require(remove(timer as AnyObject)) }

    /// Sets the time at which the timer fires; it never fires if the time is not numeric.
    public func setTimerNextFireTime<T: DispatchSourceTimer>(_ timer: T, fireTime: CMTime) throws {
        try require(setFireTime(fireTime, of: timer as AnyObject))
    }

    public func setTimerToFireImmediately<T: DispatchSourceTimer>(_ timer: T) throws {
        try require(fireImmediately(timer as AnyObject))
    }

    /// Returns after all notifications of earlier changes were posted: immediately, because each change posts its
    /// notifications before it returns.
    public func notificationBarrier() throws {}

    /// Throws `kCMTimebaseError_InvalidParameter` if a timer is not known.
    private func require(_ isKnown: Bool) throws {
        guard isKnown else {
            throw mediaError(kCMTimebaseError_InvalidParameter, "the timer was not added to the timebase")
        }
    }
}
