import Dispatch
import Glibc
import MediaTypes

/// Blocks a stream's `stop()` until a delivery on another thread has ended.
final class DeliveryGate: Sendable {
    private struct State {
        /// The thread that is delivering, if any.
        var thread: pthread_t?
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Lock(State())

    /// Runs `body` as a delivery. Deliveries must not overlap.
    func deliver(_ body: () -> Void) {
        let thread = pthread_self()
        state.withLock { $0.thread = thread }
        body()
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Waits for a delivery on another thread. Returns at once on the delivering thread.
    func wait() {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard let thread = state.thread, pthread_equal(thread, pthread_self()) == 0 else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }
}
