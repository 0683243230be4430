public import CaptureHAL
import Dispatch
import MediaTypes

/// The clock of a host under test, and a function that advances it.
public struct ConformanceTime: Sendable {
    /// The clock of the timestamps of the host.
    public let clock: any CaptureClock
    /// Whether the suite advances virtual time and the events of streams are actions of the clock.
    let isSimulated: Bool
    private let advance: @Sendable (_ limit: Duration, _ condition: (() -> Bool)?) -> Bool

    /// Creates a time from a clock and a function that advances it, for example in a test with a fake driver.
    ///
    /// - Parameters:
    ///   - clock: The clock of the timestamps of the host.
    ///   - advance: Advances the clock by `limit`. If there is a condition, stops earlier when it is true, and returns
    ///     whether it is true; without a condition, returns true. Called on threads of the suite, one call at a time.
    public init(
        clock: any CaptureClock, advance: @escaping @Sendable (_ limit: Duration, _ condition: (() -> Bool)?) -> Bool
    ) {
        self.init(clock: clock, isSimulated: false, advance: advance)
    }

    private init(
        clock: any CaptureClock, isSimulated: Bool,
        advance: @escaping @Sendable (_ limit: Duration, _ condition: (() -> Bool)?) -> Bool
    ) {
        self.clock = clock
        self.isSimulated = isSimulated
        self.advance = advance
    }

    /// Returns virtual time, which the suite advances.
    public static func virtual(_ clock: SimClock) -> ConformanceTime {
        ConformanceTime(clock: clock, isSimulated: true) { limit, condition in
            let end = clock.now + CMTime(nanoseconds: limit.nanoseconds)
            if let condition, clock.run(until: condition, limit: limit) { return true }
            // If no event is scheduled, the clock can stop before the end.
            if clock.now < end { clock.advance(to: end) }
            return condition?() ?? true
        }
    }

    /// Returns real time. Advancing it blocks the thread until the time has passed, or until the condition is true. The
    /// condition is evaluated once per millisecond.
    public static func real(_ clock: HostClock = .shared) -> ConformanceTime {
        ConformanceTime(clock: clock) { limit, condition in
            let end = clock.now + CMTime(nanoseconds: limit.nanoseconds)
            let timerFired = DispatchSemaphore(value: 0)
            while condition.map({ !$0() }) ?? true {
                let now = clock.now
                if now >= end { return condition == nil }
                let next = condition == nil ? end : min(end, now + CMTime(value: 1, timescale: 1000))
                clock.schedule(at: next) { timerFired.signal() }
                timerFired.wait()
            }
            return true
        }
    }

    /// Advances time by a duration.
    func advance(_ duration: Duration) { _ = advance(duration, nil) }

    /// Advances time until a condition is true.
    ///
    /// - Returns: Whether the condition is true; false if it does not become true within `limit`.
    func advance(until condition: () -> Bool, limit: Duration) -> Bool {
        withoutActuallyEscaping(condition) { advance(limit, $0) }
    }
}
