/// Scheduled actions, ordered by due time and, within one time, by the order of scheduling.
///
/// A sorted array, as there are few at a time: to find one by its number costs less than to keep a table of numbers.
/// Invariant: the next is the last.
struct TimerQueue {
    struct Entry {
        let due: Int64
        let order: UInt64
        let action: @Sendable () -> Void
    }

    private var entries: [Entry] = []
    private var nextOrder: UInt64 = 0

    /// When the next action is due.
    var nextDue: Int64? { entries.last?.due }

    /// Adds an action and gives the number by which it can be cancelled.
    mutating func insert(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let order = nextOrder
        nextOrder += 1
        // Before those that are due at the same time, which are taken first.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, order: order, action: action), at: low)
        return order
    }

    /// Takes an action out and gives it, to be destroyed where that may take long; nil where it has run.
    mutating func cancel(_ order: UInt64) -> Entry? {
        entries.firstIndex { $0.order == order }.map { entries.remove(at: $0) }
    }

    /// Removes and gives the next action that is due at `limit` or before.
    mutating func popDue(by limit: Int64) -> Entry? {
        guard let next = nextDue, next <= limit else { return nil }
        return entries.removeLast()
    }
}
