public import Dispatch
public import Foundation
public import MediaTypes

/// The clock of a capture system: real time, or virtual time that a test advances.
///
/// - Important: Thread-safe.
public protocol CaptureClock: AnyObject, Sendable {
    /// The current time, in nanoseconds (`timescale` 1,000,000,000) since the clock's own origin.
    var now: CMTime { get }
    /// Whether the time is virtual: it advances only when a program calls the clock.
    var isVirtual: Bool { get }
    /// The date of `time` on this clock, for file and image metadata.
    func date(at time: CMTime) -> Date
    /// Runs `action` once, at `deadline`; as soon as possible if `deadline` is in the past.
    ///
    /// Actions due at the same time run in the order in which they were scheduled, one at a time.
    /// - Returns: The timer; it stays scheduled if the caller releases it.
    @discardableResult
    func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer
    /// Runs `callback` on the client's queue, then `finished` on any thread.
    ///
    /// On a serial queue callbacks run in the order of the calls. A virtual clock runs one callback at a time and waits
    /// until it has returned. `finished` runs when the callback has returned and the virtual time that it declared with
    /// `spend(_:)` has passed.
    func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () -> Void
    )
    /// Adds to the virtual duration of the delivered callback that calls this method; no effect in real time.
    func spend(_ cost: Duration)
    /// Creates a worker for work that must not block the caller in real time, such as encoding.
    ///
    /// - Parameters:
    ///   - label: The name of the thread in a debugger.
    func makeWorker(label: String) -> any ClockWorker
}

extension CaptureClock {
    /// Runs `callback` on the client's queue.
    public func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        deliver(on: queue, callback, finished: {})
    }
}

/// Runs work in the order of submission.
///
/// With a virtual clock the work runs before `submit` returns, so that its results arrive at a defined time.
public protocol ClockWorker: AnyObject, Sendable {
    /// Adds work to the end of the worker's queue.
    func submit(_ work: @escaping @Sendable () -> Void)
}

/// A scheduled action that can be cancelled.
public final class ClockTimer: Sendable {
    private let cancellation: @Sendable () -> Void

    /// Creates a timer.
    ///
    /// - Parameter cancel: Removes the action from the clock.
    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = cancel
    }

    /// Cancels the action. It has no effect if the action has started.
    public func cancel() {
        cancellation()
    }
}

extension Duration {
    /// The length in nanoseconds, rounded toward zero, and limited to about 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return product.addingWithLimits(attoseconds / 1_000_000_000)
    }
}

extension Int64 {
    /// Returns the sum of two times in nanoseconds, limited to the least and the greatest value.
    package func addingWithLimits(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }
}

extension CMTime {
    /// The time in nanoseconds, the unit of the clocks; halves are rounded away from zero.
    package var nanoseconds: Int64 {
        if timescale == 1_000_000_000, isNumeric { return value }
        return CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
    }

    /// Creates a time on a clock from nanoseconds.
    package init(nanoseconds: Int64) {
        self.init(value: nanoseconds, timescale: 1_000_000_000)
    }
}
