import CCaptureHAL
public import Dispatch
public import Foundation
import Glibc
public import MediaTypes

/// Real time, monotonic: `CLOCK_MONOTONIC`, the clock of V4L2 and ALSA timestamps.
public final class HostClock: CaptureClock {
    /// The clock of the process.
    public static let shared = HostClock()

    /// The actions that have not run.
    private let timers = Lock(TimerQueue())
    /// The queue that runs the actions, one at a time.
    private let queue = DispatchQueue(label: "obscura.clock")

    /// Creates a clock with its own timer queue.
    public init() {}

    public var now: CMTime { CMTime(nanoseconds: Self.read(CLOCK_MONOTONIC)) }

    public var isVirtual: Bool { false }

    public func date(at time: CMTime) -> Date {
        let origin = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
        return Date(timeIntervalSince1970: Double(origin + time.nanoseconds) / 1e9)
    }

    @discardableResult
    public func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        let due = max(0, deadline.nanoseconds)
        let order = timers.withLock { $0.insert(due: due, action) }
        // On Linux, the uptime of Dispatch is also the time of CLOCK_MONOTONIC.
        inRealTime {
            queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: UInt64(due))) { [weak self] in
                // Actions do not retain the clock. After its release, no further action runs.
                while let action = self?.nextAction(dueBy: due) { action() }
            }
        }
        return ClockTimer { [weak self] in
            // The action is released outside the lock.
            _ = self?.timers.withLock { $0.cancel(order) }
        }
    }

    public func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        inRealTime {
            queue.async {
                callback()
                finished()
            }
        }
    }

    public func spend(_ cost: Duration) {}

    public func makeWorker(label: String) -> any ClockWorker {
        QueueWorker(label: label)
    }

    /// Removes the next action that is due at `limit` or before.
    private func nextAction(dueBy limit: Int64) -> (@Sendable () -> Void)? {
        timers.withLock { $0.popDue(by: limit) }?.action
    }

    /// Reads a clock of the kernel in nanoseconds.
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        inRealTime { _ = clock_gettime(clock, &time) }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A worker with its own serial queue.
private final class QueueWorker: ClockWorker {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        inRealTime { queue.async(execute: work) }
    }
}

/// Runs `body` in real time: in programs that link `CaptureSimulation`, its system calls are not simulated.
private func inRealTime(_ body: () -> Void) {
    ccapturehal_enter_real_time()
    body()
    ccapturehal_leave_real_time()
}
