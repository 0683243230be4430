public import Glibc

/// A value behind one POSIX mutex.
///
/// `State` decides; the code around it acts after `withLock` has returned. Never call foreign code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package typealias Lock = _Lock

/// What the package calls `Lock`, and of no use to others.
///
/// Locks stand on the way of every frame. Only what is public is compiled into the modules that use it, each time for
/// their own `State`; all else costs ten times as much.
// swift-format-ignore: NoLeadingUnderscores
public final class _Lock<State>: @unchecked Sendable {
    // SAFETY: `state` is only touched between lock and unlock of `mutex`; neither ever moves.
    // Both lie in one piece of memory, and behind plain pointers: no access is checked at run time.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let state: UnsafeMutablePointer<State>
    #if DEBUG
        @usableFromInline let identity: LockIdentity
    #endif

    /// Creates a lock.
    ///
    /// - Parameter order: Its place in the order of locks that are held together.
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
