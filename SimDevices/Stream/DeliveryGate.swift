import Dispatch
import Glibc
import MediaTypes

/// Lets a stream's `stop()` wait for the event that another thread is delivering.
final class DeliveryGate: Sendable {
    private struct State {
        /// The thread inside, if any.
        var thread: pthread_t?
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Lock(State())

    /// Runs `body` as the one delivery at a time.
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

    /// Returns when no delivery is under way on another thread.
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
