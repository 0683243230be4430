// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized
// The names are Apple's.

import Glibc

/// A low-level lock for C-style calls: `os_unfair_lock_lock(&lock)`.
///
/// It is a POSIX mutex, which is neither fair nor recursive. Its address must not change while it is locked, so store
/// it in memory from `UnsafeMutablePointer.allocate`, or use `OSAllocatedUnfairLock`.
public struct os_unfair_lock_s {
    var mutex = pthread_mutex_t()

    public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Waits until the lock is free and locks it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    let result = pthread_mutex_lock(&lock.pointee.mutex)
    precondition(result == 0, "os_unfair_lock_lock failed with \(result)")
}

/// Locks the lock if it is free.
///
/// - Returns: Whether it was free.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    pthread_mutex_trylock(&lock.pointee.mutex) == 0
}

/// Unlocks the lock; only the thread that locked it may do so.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    let result = pthread_mutex_unlock(&lock.pointee.mutex)
    precondition(result == 0, "os_unfair_lock_unlock failed with \(result)")
}

/// A lock with the value that it protects. Copies share one lock and value.
///
/// - Important: Thread-safe; not recursive.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    // SAFETY: the value is only accessed while the mutex is locked, or by the `…Unchecked` methods at the caller's
    // risk.
    private let storage: ManagedBuffer<State, os_unfair_lock_s>

    private final class Storage: ManagedBuffer<State, os_unfair_lock_s> {
        deinit {
            _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy(&$0.pointee.mutex) }
        }
    }

    /// Creates a lock for a value that need not be sendable.
    public init(uncheckedState initialState: State) {
        storage = Storage.create(minimumCapacity: 1) { _ in initialState }
        storage.withUnsafeMutablePointerToElements { $0.initialize(to: os_unfair_lock_s()) }
    }

    /// Runs `body` with exclusive access to the value.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try storage.withUnsafeMutablePointers { state, lock in
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return try body(&state.pointee)
        }
    }

    /// Runs `body` with exclusive access to the value.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs `body` if the lock is free; otherwise returns nil.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        try storage.withUnsafeMutablePointers { state, lock in
            guard os_unfair_lock_trylock(lock) else { return nil }
            defer { os_unfair_lock_unlock(lock) }
            return try body(&state.pointee)
        }
    }

    /// Runs `body` if the lock is free; otherwise returns nil.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    public init() { self.init(uncheckedState: ()) }

    public func lock() { storage.withUnsafeMutablePointerToElements { os_unfair_lock_lock($0) } }
    public func unlock() { storage.withUnsafeMutablePointerToElements { os_unfair_lock_unlock($0) } }
    public func lockIfAvailable() -> Bool {
        storage.withUnsafeMutablePointerToElements { os_unfair_lock_trylock($0) }
    }

    /// Runs `body` while the lock is locked.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs `body` while the lock is locked.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs `body` if the lock is free; otherwise returns nil.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
}
