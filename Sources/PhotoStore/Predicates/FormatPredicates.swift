import Foundation
import MediaTypes

/// The conditions of the predicates that were created from format strings. An `NSPredicate` cannot store them.
///
/// - Important: Thread-safe.
enum FormatPredicates {
    private struct Entry {
        weak var predicate: NSPredicate?
        var condition: PredicateCondition
        var format: String
    }

    private struct State {
        /// The entries of released predicates remain until `nextRemovalCount` is reached.
        var entries: [ObjectIdentifier: Entry] = [:]
        var nextRemovalCount = 64
    }

    private static let state = Lock(State(), order: .primitive)

    static func register(_ predicate: NSPredicate, _ condition: PredicateCondition, format: String) {
        state.withLock { state in
            if state.entries.count >= state.nextRemovalCount {
                state.entries = state.entries.filter { $0.value.predicate != nil }
                state.nextRemovalCount = max(64, 2 * state.entries.count)
            }
            state.entries[ObjectIdentifier(predicate)] = Entry(
                predicate: predicate, condition: condition, format: format)
        }
    }

    /// Returns the condition of a predicate; nil for a predicate that is not composed of format strings.
    static func condition(of predicate: NSPredicate) -> PredicateCondition? {
        if let compound = predicate as? NSCompoundPredicate {
            let parts = compound.subpredicates.map(condition(of:))
            let conditions = parts.compactMap(\.self)
            guard conditions.count == parts.count else { return nil }
            switch compound.compoundPredicateType {
            case .and: return .all(conditions)
            case .or: return .any(conditions)
            case .not: return conditions.first.map { .not($0) }
            @unknown default: return nil
            }
        }
        return entry(of: predicate)?.condition
    }

    /// Describes a predicate in messages: its format string, if it has one.
    static func description(of predicate: NSPredicate) -> String {
        if let format = entry(of: predicate)?.format { return "the predicate \"\(format)\"" }
        return predicate is NSCompoundPredicate ? "a compound predicate" : "a predicate block"
    }

    private static func entry(of predicate: NSPredicate) -> Entry? {
        // The address of a released predicate can be used again.
        state.withLock { $0.entries[ObjectIdentifier(predicate)] }.flatMap { $0.predicate === predicate ? $0 : nil }
    }
}
