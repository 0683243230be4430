/// Scheduled actions, ordered by due time and, within one time, by the order of scheduling.
///
/// Invariant: `entries` is sorted so that the next action is the last element.
struct TimerQueue {
    /// A scheduled action.
    struct Entry {
        /// The deadline, in nanoseconds of the clock.
        let due: Int64
        /// The number of the action in the order of scheduling.
        let order: UInt64
        let action: @Sendable () -> Void
    }

    private var entries: [Entry] = []
    private var nextOrder: UInt64 = 0

    /// The deadline of the next action, in nanoseconds; nil if none is scheduled.
    var nextDue: Int64? { entries.last?.due }

    /// Adds an action and returns its number for `cancel(_:)`.
    mutating func insert(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let order = nextOrder
        nextOrder += 1
        // The new entry precedes the entries that are due at the same time, because those run before it.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, order: order, action: action), at: low)
        return order
    }

    /// Removes and returns an action; nil if it has run. The caller can release it outside a lock.
    mutating func cancel(_ order: UInt64) -> Entry? {
        entries.firstIndex { $0.order == order }.map { entries.remove(at: $0) }
    }

    /// Removes and returns the next action that is due at `limit` (in nanoseconds) or before; nil if there is none.
    mutating func popDue(by limit: Int64) -> Entry? {
        guard let next = nextDue, next <= limit else { return nil }
        return entries.removeLast()
    }
}
