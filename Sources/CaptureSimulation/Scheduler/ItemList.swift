/// Work items in the order of a number, such as that of their submission.
///
/// The list searches by halving. It removes its first item, and adds an item with the greatest number, in constant time.
struct ItemList {
    private struct Entry {
        let number: UInt64
        /// Nil before `start`.
        var item: WorkItem?
    }

    private var entries: [Entry] = []
    /// The index of the first entry that is in use.
    private var start = 0

    var count: Int { entries.count - start }

    var isEmpty: Bool { entries.count == start }

    var first: WorkItem? { isEmpty ? nil : entries[start].item }

    var all: [WorkItem] { entries[start...].compactMap(\.item) }

    /// The item at a position, from 0.
    subscript(position: Int) -> WorkItem? { entries[start + position].item }

    mutating func insert(_ item: WorkItem, _ number: UInt64) {
        let entry = Entry(number: number, item: item)
        if let last = entries.last, last.number > number, !isEmpty {
            entries.insert(entry, at: index(of: number))
        } else {
            entries.append(entry)
        }
    }

    /// Removes the item with a number, if it is in the list.
    mutating func remove(_ number: UInt64) {
        let index = index(of: number)
        guard index < entries.count, entries[index].number == number else { return }
        guard index == start else {
            entries.remove(at: index)
            return
        }
        entries[start].item = nil
        start += 1
        if start > 32, start > entries.count / 2 {
            entries.removeFirst(start)
            start = 0
        }
    }

    /// The index of the first entry with a number that is equal to `number` or greater.
    private func index(of number: UInt64) -> Int {
        var (low, high) = (start, entries.count)
        if low < high, entries[low].number >= number { return low }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
