package import Glibc

/// A value behind one POSIX mutex.
///
/// `State` decides; the code around it acts after `withLock` has returned. Never call foreign code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package final class Lock<State>: @unchecked Sendable {
    // SAFETY: `place` never changes, and the state in it is only touched between lock and unlock of the mutex beside it.
    @usableFromInline
    struct Place {
        @usableFromInline var mutex = pthread_mutex_t()
        @usableFromInline var state: State

        init(_ state: State) { self.state = state }
    }

    /// One piece of memory for both; through a pointer, so that no access is checked at run time.
    @usableFromInline let place: UnsafeMutablePointer<Place>

    package init(_ state: State) {
        place = .allocate(capacity: 1)
        place.initialize(to: Place(state))
        let result = pthread_mutex_init(&place.pointee.mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
    }

    deinit {
        pthread_mutex_destroy(&place.pointee.mutex)
        place.deinitialize(count: 1)
        place.deallocate()
    }

    /// Runs `body` with exclusive access to the value; not recursive.
    ///
    /// Inlinable, since it stands on the way of every frame.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(&place.pointee.mutex)
        defer { pthread_mutex_unlock(&place.pointee.mutex) }
        return try body(&place.pointee.state)
    }
}
