#if DEBUG
import Glibc

/// The identity of a lock in messages: its position in the lock order, and the file and line that created it.
@usableFromInline
struct LockIdentity: Sendable {
    let order: _LockOrder
    let fileID: StaticString
    let line: UInt

    @usableFromInline
    init(order: _LockOrder, fileID: StaticString, line: UInt) {
        self.order = order
        self.fileID = fileID
        self.line = line
    }

    var name: String { "\(order) (\(fileID):\(line))" }
}

/// The locks that one thread holds, in the order of their acquisition.
///
/// Invariant: unless a violation was reported, each lock has a higher order than the previous one.
struct HeldLocks {
    private var locks: [LockIdentity] = []

    /// Adds a lock that the thread is about to acquire.
    ///
    /// - Returns: The last held lock if `lock` must not be acquired while it is held; otherwise nil.
    mutating func add(_ lock: LockIdentity) -> LockIdentity? {
        defer { locks.append(lock) }
        guard let last = locks.last, last.order.rawValue >= lock.order.rawValue else { return nil }
        return last
    }

    /// Removes the lock that was acquired last.
    mutating func removeLast() { locks.removeLast() }
}

/// Checks the lock order of each thread.
@usableFromInline
enum LockChecker {
    private final class ThreadLocks {
        var held = HeldLocks()
        /// Receives the messages about violations. If nil, a violation stops the program.
        var report: ((String) -> Void)?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { pointer in
            if let pointer { Unmanaged<ThreadLocks>.fromOpaque(pointer).release() }
        }
        precondition(result == 0, "pthread_key_create failed with \(result)")
        return key
    }()

    private static var current: ThreadLocks {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<ThreadLocks>.fromOpaque(pointer).takeUnretainedValue()
        }
        let new = ThreadLocks()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    /// Checks a lock that the calling thread is about to acquire.
    ///
    /// The check precedes the acquisition, because a thread that violates the order may wait forever.
    @usableFromInline
    static func willAcquire(_ lock: LockIdentity) {
        let thread = current
        guard let held = thread.held.add(lock) else { return }
        let message = "lock order: \(lock.name) must not be acquired while \(held.name) is held"
        guard let report = thread.report else { fatalError(message) }
        report(message)
    }

    /// Removes the lock that the calling thread acquired last.
    @usableFromInline
    static func didRelease() { current.held.removeLast() }

    /// Runs `body` and passes messages about violations by the calling thread to `report` instead of stopping the
    /// program.
    static func reportingViolations(to report: @escaping (String) -> Void, _ body: () throws -> Void) rethrows {
        let thread = current
        let previous = thread.report
        thread.report = report
        defer { thread.report = previous }
        try body()
    }
}
#endif
