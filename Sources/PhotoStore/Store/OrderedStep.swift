import Foundation

/// A change to the ordered content of an album or folder. Items are local identifiers.
enum OrderedStep: Sendable {
    /// Appends items; those that are already contained keep their positions.
    case add([String])
    case remove([String])
    /// Inserts items, or moves contained ones, so that they are at the indexes afterwards.
    case insert([String], at: IndexSet)
    case removeAt(IndexSet)
    case replace(IndexSet, with: [String])
    /// Moves items so that the first one is at an index afterwards.
    case move(IndexSet, to: Int)

    /// Applies the step. Insertions and moves to an index beyond the content append the items; other indexes beyond the
    /// content are ignored.
    func apply(to items: inout [String]) {
        switch self {
        case .add(let new):
            var known = Set(items)
            for item in new where known.insert(item).inserted { items.append(item) }
        case .remove(let old):
            items.removeAll(where: Set(old).contains)
        case .insert(let new, let indexes):
            items.removeAll(where: Set(new).contains)
            for (item, index) in zip(new, indexes) { items.insert(item, at: min(index, items.count)) }
        case .removeAt(let indexes):
            for index in indexes.reversed() where index < items.count { items.remove(at: index) }
        case .replace(let indexes, let new):
            let replaced = Set(indexes.filter { $0 < items.count }.map { items[$0] })
            let inserted = Set(new)
            items.removeAll { inserted.contains($0) && !replaced.contains($0) }
            var rest = new[...]
            items = items.compactMap { replaced.contains($0) ? rest.popFirst() : $0 } + rest
        case .move(let indexes, let target):
            let moved = indexes.filter { $0 < items.count }.map { items[$0] }
            items.removeAll(where: Set(moved).contains)
            items.insert(contentsOf: moved, at: min(max(0, target), items.count))
        }
    }

    /// Returns the content after steps.
    ///
    /// - Parameter base: The content to which the indexes refer; nil for the current content. Items that are no longer
    ///   contained are skipped, and items that were added since are at the end.
    static func content(_ current: [String], base: [String]?, after steps: [OrderedStep]) -> [String] {
        var items = current
        if let base {
            let (currentSet, baseSet) = (Set(current), Set(base))
            items = base.filter(currentSet.contains) + current.filter { !baseSet.contains($0) }
        }
        for step in steps { step.apply(to: &items) }
        return items
    }
}
