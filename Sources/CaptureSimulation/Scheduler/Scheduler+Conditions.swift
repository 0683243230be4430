import CWorld
import Glibc
import MediaTypes

/// Waits for condition variables of the C library, which `NSCondition`, `Operation` and `NSConditionLock` use, and for
/// threads.
extension Scheduler {
    /// A wait of world code for a condition. Used only while the monitor is locked.
    final class ConditionWait: Sendable {
        // SAFETY: accessed only while the monitor is locked.
        nonisolated(unsafe) var isSignalled = false
    }

    /// The real time that a wait gives to threads that belong to no world, in nanoseconds.
    private static let externalTime: Int64 = 200_000_000

    /// Waits for a condition on the calling thread, which holds the mutex, while other items run.
    ///
    /// As in the C library, the mutex is unlocked during the wait, and a signal ends the wait that began first.
    /// - Parameter deadline: The virtual time at which the wait ends, in nanoseconds; nil for no limit.
    /// - Returns: 0 or `ETIMEDOUT`.
    func wait(
        forCondition condition: UnsafeMutableRawPointer, releasing mutex: UnsafeMutablePointer<pthread_mutex_t>,
        until deadline: Int64?, in world: SimulatedWorld
    ) -> Int32 {
        let conditionWait = ConditionWait()
        cworld_add_condition_waiters(1)
        monitor.update { $0.conditionWaits[condition, default: []].append(conditionWait) }
        pthread_mutex_unlock(mutex)
        // The thread continues when no parked item holds the mutex.
        while wait(
            in: world, for: "a condition", until: deadline, isExternal: true, isBlocked: { !isUnlocked(mutex) },
            { conditionWait.isSignalled }) == nil, deadline == nil
        {
            // No work of the world can signal the condition. A thread that belongs to no world can, or can submit work.
            monitor.wait { conditionWait.isSignalled || (world.isOpen && $0.work.canChoose(in: $0.worlds)) }
        }
        let isSignalled = monitor.update { state in
            state.conditionWaits[condition]?.removeAll { $0 === conditionWait }
            if state.conditionWaits[condition]?.isEmpty == true { state.conditionWaits[condition] = nil }
            return conditionWait.isSignalled
        }
        cworld_add_condition_waiters(-1)
        pthread_mutex_lock(mutex)
        return isSignalled ? 0 : ETIMEDOUT
    }

    /// Ends the first wait for a condition, or all.
    func signalCondition(_ condition: UnsafeMutableRawPointer, isBroadcast: Bool) {
        monitor.update { state in
            let waits = state.conditionWaits[condition, default: []].filter { !$0.isSignalled }
            for wait in isBroadcast ? waits[...] : waits.prefix(1) { wait.isSignalled = true }
        }
    }

    /// Begins a wait that a thread outside of all worlds can end.
    func beginExternal(_ wait: WorkItem.Wait) {
        let end = cworld_real_time() + Self.externalTime
        monitor.update { $0.externalWaits[ObjectIdentifier(wait)] = (wait, end) }
    }

    func endExternal(_ wait: WorkItem.Wait) {
        monitor.update { $0.externalWaits[ObjectIdentifier(wait)] = nil }
    }

    /// When no item is ready, gives threads that the client has created real time to end the waits of worlds.
    ///
    /// Virtual time would otherwise advance at once, and the thread would end the wait at a later virtual time.
    /// - Returns: Whether an item may be ready now.
    func waitForOtherThreads() -> Bool {
        guard cworld_client_thread_count() > 0 else { return false }
        // The end of a thread does not notify the monitor, so poll.
        let pollNanoseconds: Int64 = 1_000_000
        let waits = monitor.update { $0.externalWaits.values.filter { !$0.wait.isOver() } }
        let end = waits.map(\.end).max() ?? 0
        while cworld_real_time() < end {
            let isOver = monitor.wait(
                until: { state in state.work.canChoose(in: state.worlds) || waits.contains { $0.wait.isOver() } },
                deadline: cworld_real_time() + pollNanoseconds)
            if isOver { return true }
        }
        return false
    }
}

/// Whether no thread holds a mutex.
private func isUnlocked(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    pthread_mutex_unlock(mutex)
    return true
}
