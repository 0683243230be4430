import CWorld
import Glibc

/// A condition variable in real time.
final class ConditionVariable: @unchecked Sendable {
    // SAFETY: the functions of condition variables are thread-safe.
    fileprivate let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        condition = .allocate(capacity: 1)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes the threads that wait for it.
    func wake() { cworld_condition_broadcast(condition) }
}

/// State that is protected by a mutex. Threads wait in real time for changes of the state.
///
/// Unlike `Lock`, it releases its mutex while a thread waits.
/// - Important: Thread-safe. The closures run with the mutex locked and must not use the monitor.
final class Monitor<State>: @unchecked Sendable {
    // SAFETY: `state` is only accessed between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed = ConditionVariable()
    private var state: State

    init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the state, then wakes the threads that wait for any change.
    func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            changed.wake()
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
    /// - Parameters:
    ///   - deadline: The time on `CLOCK_MONOTONIC`, in nanoseconds, at which the wait ends; nil to wait without a limit.
    ///   - variable: If it is not nil, `isTrue` is called again only when an update wakes this variable. Updates that do
    ///     not concern the thread then cost it nothing.
    /// - Returns: Whether `isTrue` returned true.
    @discardableResult
    func wait(
        until isTrue: (inout State) -> Bool, deadline: Int64? = nil, on variable: ConditionVariable? = nil
    ) -> Bool {
        let condition = (variable ?? changed).condition
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isTrue(&state) {
            if cworld_condition_wait(condition, mutex, deadline ?? .max) == ETIMEDOUT { return isTrue(&state) }
        }
        return true
    }
}
