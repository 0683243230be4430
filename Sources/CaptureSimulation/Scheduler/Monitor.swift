import Glibc

/// State that is protected by a mutex. A condition variable lets threads wait in real time for changes of the state.
///
/// Unlike `Lock`, it releases its mutex while a thread waits.
/// - Important: Thread-safe. The closures run with the mutex locked and must not use the monitor.
final class Monitor<State>: @unchecked Sendable {
    // SAFETY: `state` is only accessed between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the state, then wakes all waiting threads.
    func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Runs `body` with exclusive access to the state.
    func read<Result>(_ body: (State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(state)
    }

    /// Blocks the thread until `isTrue` returns true for the state. `isTrue` is called again after each update.
    ///
    /// - Parameter deadline: The time on `CLOCK_MONOTONIC`, in nanoseconds, at which the wait ends; nil to wait without
    ///   a limit.
    /// - Returns: Whether `isTrue` returned true.
    @discardableResult
    func wait(until isTrue: (inout State) -> Bool, deadline: Int64? = nil) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isTrue(&state) {
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return isTrue(&state) }
        }
        return true
    }
}
