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
public struct _Lock<State>: @unchecked Sendable {
    // SAFETY: the value is only touched between lock and unlock of the mutex; neither ever moves.
    // Both are in one allocation, reached by pointers, so that no access is checked at run time.
    @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>
    #if DEBUG
        @usableFromInline let identity: LockIdentity
    #endif

    /// Creates a lock. Copies of it are the same lock.
    ///
    /// - Parameter order: Its position in the lock order.
    @inlinable
    public init(
        _ state: consuming State, order: _LockOrder = .leaf, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        #if DEBUG
            identity = LockIdentity(order: order, fileID: fileID, line: line)
        #endif
        var state = Optional(state)
        storage = _LockStorage<State>.create(minimumCapacity: 1) { _ in state.take()! }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            let result = pthread_mutex_init(mutex, nil)
            precondition(result == 0, "pthread_mutex_init failed with \(result)")
        }
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
        return try storage.withUnsafeMutablePointers { state, mutex throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}

/// The value of a lock, followed by its mutex.
// swift-format-ignore: NoLeadingUnderscores
@usableFromInline
final class _LockStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
