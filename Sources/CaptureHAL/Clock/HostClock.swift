public import Dispatch
public import Foundation
import Glibc
public import MediaTypes

/// Real time, monotonic: `CLOCK_MONOTONIC`, which V4L2 and ALSA stamp their buffers with.
public final class HostClock: CaptureClock {
    /// The clock of the process.
    public static let shared = HostClock()

    private struct State {
        var timers = TimerQueue()
        /// The due time for which `source` is set, if any.
        var armed: Int64?
    }

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.clock", qos: .userInteractive)
    // SAFETY: a dispatch source may be used from any thread; Dispatch does not say so to the compiler on Linux.
    private nonisolated(unsafe) let source: any DispatchSourceTimer

    public init() {
        source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        source.setEventHandler { @Sendable [weak self] in self?.fire() }
        source.activate()
    }

    deinit { source.cancel() }

    public var now: CMTime { CMTime(nanoseconds: Self.read(CLOCK_MONOTONIC)) }

    public var isVirtual: Bool { false }

    public func date(at time: CMTime) -> Date {
        let origin = Self.read(CLOCK_REALTIME) - Self.read(CLOCK_MONOTONIC)
        return Date(timeIntervalSince1970: Double(origin + time.nanoseconds) / 1e9)
    }

    @discardableResult
    public func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        let order = state.withLock { state in
            let order = state.timers.insert(due: deadline.nanoseconds, action)
            arm(&state)
            return order
        }
        return ClockTimer { [weak self] in self?.state.withLock { $0.timers.cancel(order) } }
    }

    public func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        deliver(on: queue, SingleCallback(callback, finished: finished))
    }

    public func deliver(on queue: DispatchQueue, _ callback: any QueuedCallback) {
        let delivery = HeldDelivery(queue: queue, callback: callback)
        if !HeldDelivery.keep(delivery) { delivery.send() }
    }

    public func spend(_ cost: Duration) {}

    public func makeWorker(label: String) -> any ClockWorker {
        QueueWorker(label: label)
    }

    private func fire() {
        while let entry = state.withLock({ state in
            state.armed = nil
            let entry = state.timers.popDue(by: Self.read(CLOCK_MONOTONIC))
            if entry == nil { arm(&state) }
            return entry
        }) {
            entry.action()
        }
    }

    private func arm(_ state: inout State) {
        guard let due = state.timers.nextDue(), state.armed.map({ due < $0 }) ?? true else { return }
        state.armed = due
        let wait = max(0, due - Self.read(CLOCK_MONOTONIC))
        source.schedule(deadline: .now() + .nanoseconds(Int(clamping: wait)), leeway: .nanoseconds(0))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
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
