/// Scheduled actions, ordered by due time and, within one time, by the order of scheduling.
///
/// Invariant: `heap` is a binary min-heap by (due, order).
struct TimerQueue {
    struct Entry {
        let due: Int64
        let order: UInt64
        let action: @Sendable () -> Void
    }

    private var heap: [Entry] = []
    private var cancelled: Set<UInt64> = []
    private var pending: Set<UInt64> = []
    private var nextOrder: UInt64 = 0

    /// Adds an action and gives the number by which it can be cancelled.
    mutating func insert(due: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let order = nextOrder
        nextOrder += 1
        pending.insert(order)
        heap.append(Entry(due: due, order: order, action: action))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return order
    }

    /// Takes an action out; does nothing where it has run.
    mutating func cancel(_ order: UInt64) {
        if pending.contains(order) { cancelled.insert(order) }
    }

    /// When the next action is due.
    mutating func nextDue() -> Int64? {
        discardCancelled()
        return heap.first?.due
    }

    /// Removes and gives the next action that is due at `limit` or before.
    mutating func popDue(by limit: Int64) -> Entry? {
        discardCancelled()
        guard let first = heap.first, first.due <= limit else { return nil }
        return popFirst()
    }

    private mutating func discardCancelled() {
        while let first = heap.first, cancelled.contains(first.order) {
            _ = popFirst()
        }
    }

    private mutating func popFirst() -> Entry {
        heap.swapAt(0, heap.count - 1)
        let entry = heap.removeLast()
        pending.remove(entry.order)
        cancelled.remove(entry.order)
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            if least == parent { return entry }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].due, heap[left].order) < (heap[right].due, heap[right].order)
    }
}
