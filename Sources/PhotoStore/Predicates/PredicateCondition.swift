import Foundation

/// The condition of a predicate.
indirect enum PredicateCondition {
    enum Comparison {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case isIn, between, contains, beginsWith, endsWith, like, matches
    }

    case constant(Bool)
    case not(PredicateCondition)
    case all([PredicateCondition])
    case any([PredicateCondition])
    case comparison(PredicateExpression, Comparison, PredicateExpression, options: Set<Character>)

    func isMet(by object: Any?) throws(PredicateFormatError) -> Bool {
        switch self {
        case .constant(let value): return value
        case .not(let condition): return try !condition.isMet(by: object)
        case .all(let conditions):
            for condition in conditions {
                if try !condition.isMet(by: object) { return false }
            }
            return true
        case .any(let conditions):
            for condition in conditions {
                if try condition.isMet(by: object) { return true }
            }
            return false
        case .comparison(let first, let comparison, let second, let options):
            return Self.compare(
                try first.value(of: object), comparison, try second.value(of: object), options)
        }
    }

    private static func compare(
        _ first: PredicateValue, _ comparison: Comparison, _ second: PredicateValue, _ options: Set<Character>
    ) -> Bool {
        let order = order(first, second, options)
        switch comparison {
        case .equal: return isEqual(first, second, options)
        case .notEqual: return !isEqual(first, second, options)
        case .less: return order == .orderedAscending
        case .lessOrEqual: return order == .orderedAscending || order == .orderedSame
        case .greater: return order == .orderedDescending
        case .greaterOrEqual: return order == .orderedDescending || order == .orderedSame
        case .between:
            guard case .list(let limits) = second, limits.count == 2 else { return false }
            return compare(first, .greaterOrEqual, limits[0], options)
                && compare(first, .lessOrEqual, limits[1], options)
        case .isIn: return contains(second, first, options)
        case .contains: return contains(first, second, options)
        case .beginsWith: return texts(first, second, options).map { $0.hasPrefix($1) } ?? false
        case .endsWith: return texts(first, second, options).map { $0.hasSuffix($1) } ?? false
        case .like:
            return texts(first, second, options).map { text, pattern in
                let expression = NSRegularExpression.escapedPattern(for: pattern)
                    .replacingOccurrences(of: "\\*", with: ".*").replacingOccurrences(of: "\\?", with: ".")
                return matches(text, expression)
            } ?? false
        case .matches:
            // A regular expression cannot be folded to lower case: `\D` is the opposite of `\d`.
            return texts(first, second, options.subtracting(["c"])).map {
                matches($0, $1, flags: options.contains("c") ? "i" : "")
            } ?? false
        }
    }

    /// Returns the order of two values, after folding strings by the options; nil if they cannot be compared.
    private static func order(
        _ first: PredicateValue, _ second: PredicateValue, _ options: Set<Character>
    ) -> ComparisonResult? {
        guard let (first, second) = texts(first, second, options) else { return first.order(second) }
        return PredicateValue.string(first).order(.string(second))
    }

    private static func isEqual(
        _ first: PredicateValue, _ second: PredicateValue, _ options: Set<Character>
    ) -> Bool {
        texts(first, second, options).map { $0 == $1 } ?? first.isEqual(to: second)
    }

    private static func contains(
        _ container: PredicateValue, _ value: PredicateValue, _ options: Set<Character>
    ) -> Bool {
        if case .list(let values) = container { return values.contains { isEqual($0, value, options) } }
        return texts(container, value, options).map { $0.contains($1) } ?? false
    }

    /// Returns both values as strings, folded by the options; nil if one of them is not a string.
    private static func texts(
        _ first: PredicateValue, _ second: PredicateValue, _ options: Set<Character>
    ) -> (String, String)? {
        guard let first = first.text(options), let second = second.text(options) else { return nil }
        return (first, second)
    }

    /// Returns whether a whole string matches a regular expression with flags: `i` ignores case.
    private static func matches(_ text: String, _ expression: String, flags: String = "") -> Bool {
        text.range(of: "^(?\(flags):\(expression))$", options: .regularExpression) != nil
    }
}
