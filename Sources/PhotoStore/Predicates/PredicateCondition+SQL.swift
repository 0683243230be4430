import Foundation

/// Translates conditions for assets to SQL. The result is exact: it selects the assets for which `isMet(by:)` is true.
extension PredicateCondition {
    /// Whether SQL can express the whole condition.
    var isExpressibleInSQL: Bool { translation != nil }

    /// Returns the condition in SQL. If SQL can express only some parts that must all be met, returns these parts; nil if
    /// it can express none.
    func sqlCondition() -> SQLCondition? {
        if let translation { return translation }
        guard case .all(let conditions) = self else { return nil }
        let parts = conditions.compactMap { $0.sqlCondition() }
        return parts.isEmpty ? nil : .joined(parts, by: "AND")
    }

    private var translation: SQLCondition? {
        switch self {
        case .constant(let value): return value ? .always : .never
        case .not(let condition): return condition.translation.map { !$0 }
        case .all(let conditions): return Self.translation(conditions, joinedBy: "AND", empty: .always)
        case .any(let conditions): return Self.translation(conditions, joinedBy: "OR", empty: .never)
        case .comparison(let first, let comparison, let second, let options):
            return Self.translation(first, comparison, second, options)
        }
    }

    private static func translation(
        _ conditions: [PredicateCondition], joinedBy operation: String, empty: SQLCondition
    ) -> SQLCondition? {
        let parts = conditions.compactMap(\.translation)
        guard parts.count == conditions.count else { return nil }
        return parts.isEmpty ? empty : .joined(parts, by: operation)
    }

    private static func translation(
        _ first: PredicateExpression, _ comparison: Comparison, _ second: PredicateExpression,
        _ options: Set<Character>
    ) -> SQLCondition? {
        if let (first, second) = first.constantValue.flatMap({ first in second.constantValue.map { (first, $0) } }) {
            // Constants need no object.
            let condition = PredicateCondition.comparison(
                .constant(first), comparison, .constant(second), options: options)
            return (try? condition.isMet(by: nil)).map { $0 ? .always : .never }
        }
        guard let left = SQLOperand(first) else {
            // A constant on the left side.
            guard let mirrored = comparison.mirrored, let right = SQLOperand(second), let value = first.constantValue
            else { return nil }
            return right.compared(mirrored, value, options)
        }
        if let value = second.constantValue { return left.compared(comparison, value, options) }
        return SQLOperand(second).flatMap { left.compared(comparison, $0) }
    }
}

extension PredicateCondition.Comparison {
    /// The comparison with exchanged sides; nil if there is none.
    fileprivate var mirrored: Self? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: nil
        }
    }

    /// The operator of SQL; nil if there is none.
    var sqlOperator: String? {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: nil
        }
    }
}

extension PredicateExpression {
    /// The value, if it does not depend on the object.
    fileprivate var constantValue: PredicateValue? {
        switch self {
        case .constant(let value): return value
        case .list(let expressions):
            let values = expressions.compactMap(\.constantValue)
            return values.count == expressions.count ? .list(values) : nil
        case .bits(let first, let second, _):
            guard first.constantValue != nil, second.constantValue != nil else { return nil }
            return try? value(of: nil)
        case .object, .key: return nil
        }
    }
}
