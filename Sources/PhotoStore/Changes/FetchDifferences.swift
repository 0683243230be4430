import Foundation

/// The differences between two fetch results.
///
/// Indexes of removed objects refer to the first result, all other indexes to the second.
struct FetchDifferences: Sendable, Equatable {
    var removed = IndexSet()
    var inserted = IndexSet()
    var changed = IndexSet()
    /// Whether the order of the remaining objects is different.
    var hasMoves = false

    init() {}

    /// Compares the keys of the objects of two results.
    ///
    /// - Parameter changed: The keys of the changed objects.
    init<Key: Hashable>(from before: [Key], to after: [Key], changed changedKeys: Set<Key>) {
        let (old, new) = (Set(before), Set(after))
        removed = IndexSet(before.indices.filter { !new.contains(before[$0]) })
        inserted = IndexSet(after.indices.filter { !old.contains(after[$0]) })
        changed = IndexSet(after.indices.filter { changedKeys.contains(after[$0]) && old.contains(after[$0]) })
        hasMoves = before.filter(new.contains) != after.filter(old.contains)
    }

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && !hasMoves }
}
