public import Dispatch
import Foundation
import MediaTypes

/// One callback that the clock delivers to a client's queue.
final class Delivery: Sendable {
    private struct State {
        var cost: Int64 = 0
        var isInProgress = true
    }

    let queue: DispatchQueue
    let callback: @Sendable () -> Void
    let finished: @Sendable () -> Void
    private let state = Lock(State())

    /// The delivery of the callback that the calling code belongs to. Tasks that the callback starts inherit it.
    @TaskLocal static var current: Delivery?

    init(
        queue: DispatchQueue, callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        self.queue = queue
        self.callback = callback
        self.finished = finished
    }

    /// Whether the callback has not returned yet. Tasks that it started inherit the delivery and may run longer.
    var isInProgress: Bool { state.withLock { $0.isInProgress } }

    /// The virtual time that the callback declared, in nanoseconds.
    var cost: Int64 { state.withLock { $0.cost } }

    /// Adds to the virtual duration of the callback; ignored after the callback has returned.
    func spend(_ nanoseconds: Int64) {
        state.withLock { state in
            if state.isInProgress { state.cost += nanoseconds }
        }
    }

    /// Runs the callback on this thread.
    func run() {
        Delivery.$current.withValue(self) { callback() }
        state.withLock { $0.isInProgress = false }
    }
}

extension SimClock {
    public func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        let delivery = Delivery(queue: queue, callback: callback, finished: finished)
        if let scheduler {
            return scheduler.deliver(on: queue) { [self] in
                runInOwner { delivery.run() }
                finish(delivery)
            }
        }
        state.withLock { state in
            state.deliveries.append(delivery)
            mark(queue)
        }
    }

    public func spend(_ cost: Duration) {
        Delivery.current?.spend(max(0, cost.nanoseconds))
    }

    /// Marks a queue that the clock waits for, so that an advance from this queue can be rejected.
    ///
    /// The main queue is not marked. Tests advance from the main thread, and the main thread then runs the main queue's
    /// work.
    func mark(_ queue: DispatchQueue) {
        guard !queue.isMain else { return }
        queue.setSpecific(key: queueKey, value: true)
    }

    /// Runs all deliveries and drains the registered queues until no work remains; called by the advancing thread.
    func settleNow() {
        if let scheduler { return scheduler.runReadyWork() }
        let queues = state.withLock { $0.registered }
        repeat {
            while let delivery = nextDelivery() { run(delivery) }
            // Work on one registered queue may submit work to another: a chain through all queues takes as many
            // iterations as there are queues.
            for _ in queues {
                for queue in queues { runAndWait(on: queue) }
            }
        } while state.withLock { !$0.deliveries.isEmpty }
    }

    private func nextDelivery() -> Delivery? {
        state.withLock { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst() }
    }

    private func run(_ delivery: Delivery) {
        runAndWait(on: delivery.queue) { self.runInOwner { delivery.run() } }
        finish(delivery)
    }

    /// Reports the end of a delivery when the virtual time that its callback declared has passed.
    private func finish(_ delivery: Delivery) {
        if delivery.cost == 0 {
            delivery.finished()
        } else {
            schedule(at: now + CMTime(nanoseconds: delivery.cost), delivery.finished)
        }
    }

    /// Runs `work` on `queue` after all work that was submitted before, and returns when it is done.
    ///
    /// On the main thread, the wait also runs the main queue's work if necessary. It does so immediately if `queue` is
    /// the main queue. For another queue, it does so after one second, because that queue may be blocked in
    /// `DispatchQueue.main.sync`.
    private func runAndWait(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void = {}) {
        let isOnMain = Thread.isMainThread
        if isOnMain, queue.isMain {
            let isDone = Lock(false)
            queue.async {
                work()
                isDone.withLock { $0 = true }
            }
            while !isDone.withLock({ $0 }) { Self.runMainRunLoop() }
            return
        }
        let done = DispatchSemaphore(value: 0)
        queue.async(flags: .barrier) {
            work()
            done.signal()
        }
        guard isOnMain else {
            if queue.isMain { waitForMainThread(done) } else { done.wait() }
            return
        }
        if done.wait(timeout: .now() + .seconds(1)) == .success { return }
        while done.wait(timeout: .now() + .milliseconds(1)) == .timedOut { Self.runMainRunLoop() }
    }

    /// Waits for work on the main queue. The main thread must run it while this thread advances the clock.
    private func waitForMainThread(_ done: DispatchSemaphore) {
        guard !state.withLock({ $0.isMainThreadReported }) else { return }
        let timeout = DispatchTimeInterval.nanoseconds(Int(mainQueueTimeout.nanoseconds))
        guard done.wait(timeout: .now() + timeout) == .timedOut else { return }
        state.withLock { $0.isMainThreadReported = true }
        reportMisuse(
            "-[SimClock advance] the main thread does not run its queue while another thread advances the clock; run "
                + "its run loop meanwhile, or advance from the main thread")
    }

    /// Runs the work that is waiting on the main queue; returns within a millisecond if there is none.
    private static func runMainRunLoop() {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
}
