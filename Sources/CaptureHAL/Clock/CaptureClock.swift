public import Dispatch
public import Foundation
public import MediaTypes

/// The time in which a capture system lives: real, or virtual and moved by a test.
///
/// - Important: Thread-safe.
public protocol CaptureClock: AnyObject, Sendable {
    /// The present, in nanoseconds (`timescale` 1,000,000,000) since the clock's own origin.
    var now: CMTime { get }
    /// Whether time moves only when someone advances it.
    var isVirtual: Bool { get }
    /// The date that `time` on this clock stands for, for file and picture metadata.
    func date(at time: CMTime) -> Date
    /// Runs `action` once, at `deadline` or, where that has passed, as soon as possible.
    ///
    /// Actions due at the same time run in the order in which they were scheduled, one at a time.
    /// - Returns: The timer; it stays in force when the caller lets go of it.
    @discardableResult
    func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer
    /// Runs `callback` on the user's queue, then `finished` on any thread.
    ///
    /// On a serial queue callbacks come in the order of the calls. Virtual time hands out one at a time and waits until
    /// each has returned. `finished` comes when the callback has returned and the virtual time that it declared by
    /// `spend(_:)` has passed.
    func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () -> Void
    )
    /// Makes `callback` on the user's queue and then lets it finish, as the deliveries of closures do.
    func deliver(on queue: DispatchQueue, _ callback: any QueuedCallback)
    /// Declares, inside a delivered callback, that its work takes `cost` of virtual time; real time takes its own.
    func spend(_ cost: Duration)
    /// A place for work that must not hold up the caller in real time, as encoding.
    ///
    /// - Parameters:
    ///   - label: Names the thread in a debugger.
    func makeWorker(label: String) -> any ClockWorker
}

extension CaptureClock {
    public func deliver(on queue: DispatchQueue, _ callback: any QueuedCallback) {
        deliver(on: queue, { callback.make() }, finished: { callback.finish() })
    }

    /// Runs `callback` on the user's queue.
    public func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        deliver(on: queue, callback, finished: {})
    }
}

/// Does work in the order in which it was handed over.
///
/// On a virtual clock the work is done before `submit` returns, so that its results come at one fixed moment.
public protocol ClockWorker: AnyObject, Sendable {
    func submit(_ work: @escaping @Sendable () -> Void)
}

/// A scheduled action that can be called off.
public final class ClockTimer: Sendable {
    private let cancellation: @Sendable () -> Void

    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = cancel
    }

    /// Calls the action off; does nothing where it has begun.
    public func cancel() {
        cancellation()
    }
}

extension Duration {
    /// The length in whole nanoseconds, rounded toward zero.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

extension CMTime {
    /// The time in nanoseconds, rounded half away from zero, as the clocks count it.
    package var nanoseconds: Int64 {
        if timescale == 1_000_000_000, isNumeric { return value }
        return CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
    }

    package init(nanoseconds: Int64) {
        self.init(value: nanoseconds, timescale: 1_000_000_000)
    }
}
