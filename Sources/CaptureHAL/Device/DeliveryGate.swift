import Dispatch
import Glibc
import MediaTypes

/// Makes code that stops a source of deliveries wait until a delivery in progress on another thread has ended.
///
/// In virtual time nothing waits: one action runs at a time, so code that runs on another thread during a delivery was
/// called by the receiver, which may wait for it.
package final class DeliveryGate: Sendable {
    private struct State {
        /// The threads that are delivering; one element for each delivery.
        var threads: [pthread_t] = []
        /// Each is signaled at the end of a delivery.
        var waiting: [DispatchSemaphore] = []

        var isOtherThreadDelivering: Bool { threads.contains { pthread_equal($0, pthread_self()) == 0 } }
    }

    private let state = Lock(State(), order: .primitive)
    private let isVirtual: Bool

    /// Creates a gate for deliveries in the time of a clock.
    package init(clock: any CaptureClock) { isVirtual = clock.isVirtual }

    /// Marks the beginning of a delivery on this thread.
    package func begin() {
        if isVirtual { return }
        state.withLock { $0.threads.append(pthread_self()) }
    }

    /// Marks the end of the delivery that began last on this thread.
    package func end() {
        if isVirtual { return }
        let waiting = state.withLock { state in
            if let index = state.threads.lastIndex(where: { pthread_equal($0, pthread_self()) != 0 }) {
                state.threads.remove(at: index)
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Waits until no other thread is delivering.
    package func wait() {
        while let semaphore = addWaiter() { semaphore.wait() }
    }

    /// Returns a semaphore that is signaled at the end of a delivery; nil if no other thread is delivering.
    private func addWaiter() -> DispatchSemaphore? {
        state.withLock { state in
            guard state.isOtherThreadDelivering else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
    }
}
