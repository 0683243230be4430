import Dispatch
import Glibc
import MediaTypes

/// Makes code that stops a stream wait until a delivery in progress on another thread has ended.
package final class DeliveryGate: Sendable {
    private struct State {
        /// The thread that is delivering, if any.
        var thread: pthread_t?
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Lock(State())

    /// Creates a gate.
    package init() {}

    /// Runs `body` as a delivery. Deliveries must not overlap.
    package func deliver<Result>(_ body: () -> Result) -> Result {
        let thread = pthread_self()
        state.withLock { $0.thread = thread }
        let result = body()
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
        return result
    }

    /// Waits for a delivery on another thread. Returns immediately on the delivering thread.
    package func wait() {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard let thread = state.thread, pthread_equal(thread, pthread_self()) == 0 else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }
}
