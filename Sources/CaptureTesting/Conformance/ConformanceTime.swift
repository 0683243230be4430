public import CaptureHAL
import Dispatch
import MediaTypes

/// How time passes for a host that is being checked.
public struct ConformanceTime: Sendable {
    /// The clock in which the host stamps its frames.
    public let clock: any CaptureClock
    private let pass: @Sendable (_ limit: Duration, _ condition: (() -> Bool)?) -> Bool

    /// Time that something of your own moves, as a test bench with a fake driver.
    ///
    /// - Parameters:
    ///   - clock: The clock in which the host stamps its frames.
    ///   - pass: Lets `limit` of the clock's time pass; with a condition no more than until it holds. Tells whether it
    ///     holds; true without one. It runs on a thread of the suite's, one call at a time.
    public init(
        clock: any CaptureClock, pass: @escaping @Sendable (_ limit: Duration, _ condition: (() -> Bool)?) -> Bool
    ) {
        self.clock = clock
        self.pass = pass
    }

    /// Virtual time, which the suite itself advances.
    public static func virtual(_ clock: SimClock) -> ConformanceTime {
        ConformanceTime(clock: clock) { limit, condition in
            let end = clock.now + CMTime(nanoseconds: limit.nanoseconds)
            if let condition, clock.run(until: condition, limit: limit) { return true }
            // Where nothing is scheduled any more, the clock stands before the end.
            if clock.now < end { clock.advance(to: end) }
            return condition?() ?? true
        }
    }

    /// Real time, which passes by itself.
    public static func real(_ clock: HostClock = .shared) -> ConformanceTime {
        ConformanceTime(clock: clock) { limit, condition in
            let end = clock.now + CMTime(nanoseconds: limit.nanoseconds)
            let tick = DispatchSemaphore(value: 0)
            while condition.map({ !$0() }) ?? true {
                let now = clock.now
                if now >= end { return condition == nil }
                let next = condition == nil ? end : min(end, now + CMTime(value: 1, timescale: 1000))
                clock.schedule(at: next) { tick.signal() }
                tick.wait()
            }
            return true
        }
    }

    /// Lets so much time pass.
    func pass(_ duration: Duration) { _ = pass(duration, nil) }

    /// Lets time pass until `condition` holds.
    ///
    /// - Returns: Whether it holds.
    func pass(until condition: () -> Bool, limit: Duration) -> Bool {
        withoutActuallyEscaping(condition) { pass(limit, $0) }
    }
}
