/// Scheduled actions, ordered by due time and, within one time, by the order of scheduling.
///
/// The cost of each operation grows with the logarithm of the number of actions.
struct TimerQueue {
    /// A scheduled action.
    struct Entry {
        /// The deadline, in nanoseconds of the clock.
        let due: Int64
        /// The number of the action in the order of scheduling.
        let order: UInt64
        let action: @Sendable () -> Void
    }

    /// The position of an action in the order.
    private struct Key: Comparable {
        let due: Int64
        let order: UInt64

        static func < (first: Key, second: Key) -> Bool { (first.due, first.order) < (second.due, second.order) }
    }

    /// The actions, by their numbers.
    private var entries: [UInt64: Entry] = [:]
    /// A binary heap: the children of the key at `index`, at `2 * index + 1` and `2 * index + 2`, are not less than it.
    /// It also has the keys of actions that were cancelled. Invariant: the first key is that of an action.
    private var heap: [Key] = []
    private var nextOrder: UInt64 = 0

    /// The deadline of the next action, in nanoseconds; nil if none is scheduled.
    var nextDue: Int64? { heap.first?.due }

    /// Adds an action and returns its number for `cancel(_:)`.
    mutating func insert(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let order = nextOrder
        nextOrder += 1
        entries[order] = Entry(due: due, order: order, action: action)
        let key = Key(due: due, order: order)
        heap.append(key)
        var index = heap.count - 1
        while index > 0, key < heap[(index - 1) / 2] {
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = key
        return order
    }

    /// Removes and returns an action; nil if it has run. The caller can release it outside a lock.
    mutating func cancel(_ order: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: order) else { return nil }
        removeCancelledKeys()
        return entry
    }

    /// Removes and returns the next action that is due at `limit` (in nanoseconds) or before; nil if there is none.
    mutating func popDue(by limit: Int64) -> Entry? {
        guard let next = heap.first, next.due <= limit else { return nil }
        let entry = entries.removeValue(forKey: next.order)
        removeCancelledKeys()
        return entry
    }

    /// Removes keys without an action: all if they are the majority, otherwise those at the start of the order.
    private mutating func removeCancelledKeys() {
        if heap.count > 2 * entries.count + 16 {
            // A sorted array is a heap.
            heap = heap.filter { entries[$0.order] != nil }.sorted()
        } else {
            while let first = heap.first, entries[first.order] == nil { removeFirstKey() }
        }
    }

    private mutating func removeFirstKey() {
        let key = heap.removeLast()
        guard !heap.isEmpty else { return }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < key else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = key
    }
}
