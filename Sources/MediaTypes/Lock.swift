import Glibc

/// A value behind one POSIX mutex.
///
/// `State` decides; the code around it acts after `withLock` has returned. Never call foreign code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package final class Lock<State>: @unchecked Sendable {
    // SAFETY: `state` is only touched between lock and unlock of `mutex`, whose storage never moves.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value; not recursive.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
