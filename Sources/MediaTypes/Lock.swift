import Glibc

/// A value behind one POSIX mutex.
///
/// `State` decides; the code around it acts after `withLock` has returned. Never call foreign code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package final class Lock<State>: @unchecked Sendable {
    // SAFETY: `state` is only touched between lock and unlock of `mutex`; neither ever moves.
    // Both lie in one piece of memory, and behind plain pointers: no access is checked at run time, and code that is not
    // specialized for `State` looks nothing up. Locks stand on the way of every frame.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let state: UnsafeMutablePointer<State>

    package init(_ state: State) {
        let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<State>.alignment)
        let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<State>.size, alignment: alignment)
        mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        self.state = (memory + offset).bindMemory(to: State.self, capacity: 1)
        self.state.initialize(to: state)
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        state.deinitialize(count: 1)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Runs `body` with exclusive access to the value; not recursive.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
