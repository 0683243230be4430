import CCaptureHAL
import Glibc

/// Runs actions when their time has come, one after another, on a thread that sleeps in between.
///
/// It begins with the first action. A timer of Dispatch's would wake three threads for each: its own, that of the queue,
/// and its own again to be set anew, which for a stream's watchdog is a twentieth of all that its frames cost.
/// - Important: Thread-safe.
final class TimerThread: @unchecked Sendable {
    // SAFETY: the variables are only touched with `mutex` locked; it and `isWanted` never move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Signalled when the thread must look again.
    private let isWanted: UnsafeMutablePointer<pthread_cond_t>
    private var timers = TimerQueue()
    private var hasBegun = false
    private var isStopped = false

    /// As large as those of Apple's threads, and smaller than a huge page, which the kernel would clear at first touch.
    private static let stackByteCount = 512 << 10

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        isWanted = .allocate(capacity: 1)
        isWanted.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        let failure = pthread_mutex_init(mutex, nil) + pthread_cond_init(isWanted, &attributes)
        pthread_condattr_destroy(&attributes)
        precondition(failure == 0, "a clock's lock could not be made: \(failure)")
    }

    deinit {
        pthread_cond_destroy(isWanted)
        pthread_mutex_destroy(mutex)
        isWanted.deallocate()
        mutex.deallocate()
    }

    /// Lets `action` run at a time of `CLOCK_MONOTONIC` in nanoseconds, or soon where that has passed.
    ///
    /// - Returns: The number by which it can be cancelled.
    func insert(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        locked {
            let before = timers.nextDue
            let order = timers.insert(due: due, action)
            if !hasBegun { begin() }
            if before.map({ due < $0 }) ?? true { pthread_cond_signal(isWanted) }
            return order
        }
    }

    /// Takes an action out; does nothing where it has begun.
    func cancel(_ order: UInt64) { _ = locked { timers.cancel(order) } }

    /// Runs nothing more, but for the action that may be under way.
    func stop() {
        locked {
            isStopped = true
            pthread_cond_signal(isWanted)
        }
    }

    /// The time of `CLOCK_MONOTONIC` in nanoseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: Private

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func begin() {
        hasBegun = true
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackByteCount)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<TimerThread>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_attr_destroy(&attributes)
        precondition(failure == 0, "a clock's thread could not be started: \(failure)")
    }

    private func run() {
        ccapturehal_name_thread("obscura.clock")
        while let entry = waitForNext() { entry.action() }
    }

    /// Sleeps until an action is due; nil where there is to be none any more.
    private func waitForNext() -> TimerQueue.Entry? {
        locked {
            while !isStopped {
                guard let due = timers.nextDue else {
                    pthread_cond_wait(isWanted, mutex)
                    continue
                }
                if due <= Self.now, let entry = timers.popDue(by: due) { return entry }
                var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
                pthread_cond_timedwait(isWanted, mutex, &time)
            }
            return nil
        }
    }
}
