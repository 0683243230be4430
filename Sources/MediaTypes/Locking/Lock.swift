public import Glibc

/// A value that a POSIX mutex protects.
///
/// Make decisions inside `withLock`, and act on them after it returns. Do not call client code inside.
/// A pthread mutex is used because the thread sanitizer understands it on Linux.
package typealias Lock = _Lock

/// The implementation of `Lock`; not intended for clients.
///
/// It is public because only public code is inlined and specialized in other modules. This makes locking ten times
/// faster, and several locks are acquired for each frame.
// swift-format-ignore: NoLeadingUnderscores
public struct _Lock<State>: @unchecked Sendable {
    // SAFETY: the value is only accessed while the mutex is locked; neither is ever moved.
    // Both are in one allocation and accessed through pointers, which avoids exclusivity checks at run time.
    @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>
    #if DEBUG
    @usableFromInline let identity: LockIdentity
    #endif

    /// Creates a lock. All copies refer to the same value and mutex.
    ///
    /// - Parameters:
    ///   - order: The position in the lock order.
    ///   - fileID: The file for messages about violations of the lock order.
    ///   - line: The line for messages about violations of the lock order.
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
