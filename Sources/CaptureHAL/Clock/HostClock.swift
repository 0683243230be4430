public import Dispatch
public import Foundation
import Glibc
public import MediaTypes

/// Real time, monotonic: `CLOCK_MONOTONIC`, which V4L2 and ALSA stamp their buffers with.
public final class HostClock: CaptureClock {
    /// The clock of the process.
    public static let shared = HostClock()

    private let timers = TimerThread()

    public init() {}

    deinit { timers.stop() }

    public var now: CMTime { CMTime(nanoseconds: TimerThread.now) }

    public var isVirtual: Bool { false }

    public func date(at time: CMTime) -> Date {
        var present = timespec()
        clock_gettime(CLOCK_REALTIME, &present)
        let origin = Int64(present.tv_sec) * 1_000_000_000 + Int64(present.tv_nsec) - TimerThread.now
        return Date(timeIntervalSince1970: Double(origin + time.nanoseconds) / 1e9)
    }

    @discardableResult
    public func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        let order = timers.insert(due: deadline.nanoseconds, action)
        return ClockTimer { [timers] in timers.cancel(order) }
    }

    public func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        deliver(on: queue, SingleCallback(callback, finished: finished))
    }

    public func deliver(on queue: DispatchQueue, _ callback: any QueuedCallback) {
        if !DeliveryHold.keep(callback, for: queue) { callback.send(to: queue) }
    }

    public func spend(_ cost: Duration) {}

    public func makeWorker(label: String) -> any ClockWorker {
        QueueWorker(label: label)
    }
}

/// Work on a serial queue of its own.
private final class QueueWorker: ClockWorker {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
