public import Glibc

/// A value that a POSIX mutex protects.
///
/// Make decisions inside `withLock`, and act on them after it returns. Do not call client code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package typealias Lock = _Lock

/// The implementation of `Lock`; not intended for clients.
///
/// It is public because only public code is inlined and specialized in other modules, which makes locking ten times
/// faster; each frame takes several locks.
// swift-format-ignore: NoLeadingUnderscores
public final class _Lock<State>: @unchecked Sendable {
    // SAFETY: `state` is only touched between lock and unlock of `mutex`; neither ever moves.
    // Both are in one allocation behind plain pointers, so that no access is checked at run time.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let state: UnsafeMutablePointer<State>
    #if DEBUG
        @usableFromInline let identity: LockIdentity
    #endif

    /// Creates a lock.
    ///
    /// - Parameter order: Its position in the lock order.
    @inlinable
    public init(
        _ state: consuming State, order: _LockOrder = .leaf, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        #if DEBUG
            identity = LockIdentity(order: order, fileID: fileID, line: line)
        #endif
        let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<State>.alignment)
        let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<State>.size, alignment: alignment)
        mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        self.state = (memory + offset).bindMemory(to: State.self, capacity: 1)
        self.state.initialize(to: consume state)
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        state.deinitialize(count: 1)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Runs `body` with exclusive access to the value; not recursive.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if DEBUG
            LockChecker.willAcquire(identity)
            defer { LockChecker.didRelease() }
        #endif
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
