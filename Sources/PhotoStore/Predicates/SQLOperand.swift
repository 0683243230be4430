import Foundation

/// A property of assets, or integers combined with it, in SQL.
struct SQLOperand {
    private enum Kind {
        case integer, number, text
        /// Seconds since 1970.
        case date
    }

    private var kind: Kind
    private var sql: String
    private var values: [any SQLiteValue] = []

    /// - Returns: Nil if the expression contains no property of assets, or if SQL cannot express it.
    init?(_ expression: PredicateExpression) {
        switch expression {
        case .key(let path):
            guard path.count == 1, let (kind, column) = Self.column(of: path[0]) else { return nil }
            self.init(kind: kind, sql: "asset.\(column)")
        case .bits(let first, let second, let isUnion):
            guard let left = Self.integer(first), let right = Self.integer(second) else { return nil }
            self.init(
                kind: .integer, sql: "(\(left.sql) \(isUnion ? "|" : "&") \(right.sql))",
                values: left.values + right.values)
        case .constant, .object, .list: return nil
        }
    }

    private init(kind: Kind, sql: String, values: [any SQLiteValue] = []) {
        self.kind = kind
        self.sql = sql
        self.values = values
    }

    private static func integer(_ expression: PredicateExpression) -> SQLOperand? {
        if case .constant(.integer(let value)) = expression {
            return SQLOperand(kind: .integer, sql: "?", values: [value])
        }
        return SQLOperand(expression).flatMap { $0.kind == .integer ? $0 : nil }
    }

    /// Returns the column of a key; nil for keys that no column stores.
    private static func column(of key: String) -> (Kind, String)? {
        switch key {
        case "localIdentifier": (.text, key)
        case "creationDate", "modificationDate", "addedDate": (.date, key)
        case "mediaType", "mediaSubtypes", "pixelWidth", "pixelHeight", "isFavorite", "isHidden": (.integer, key)
        case "mediaSubtype": (.integer, "mediaSubtypes")
        case "favorite": (.integer, "isFavorite")
        case "hidden": (.integer, "isHidden")
        case "duration": (.number, key)
        default: nil
        }
    }

    /// Returns a comparison with another property; nil if SQL cannot express it.
    func compared(_ comparison: PredicateCondition.Comparison, _ other: SQLOperand) -> SQLCondition? {
        guard let operation = comparison.sqlOperator else { return nil }
        switch (kind, other.kind) {
        case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
            return SQLCondition(sql: "\(sql) \(operation) \(other.sql)", values: values + other.values)
        case (.date, .date):
            return SQLCondition(sql: "\(referenceSeconds) \(operation) \(other.referenceSeconds)")
        default: return nil
        }
    }

    /// Returns a comparison with a constant; nil if SQL cannot express it.
    func compared(
        _ comparison: PredicateCondition.Comparison, _ value: PredicateValue, _ options: Set<Character>
    ) -> SQLCondition? {
        switch comparison {
        case .between:
            guard case .list(let limits) = value, limits.count == 2 else { return .never }
            guard let lower = compared(.greaterOrEqual, limits[0], options),
                let upper = compared(.lessOrEqual, limits[1], options)
            else { return nil }
            return .joined([lower, upper], by: "AND")
        case .isIn:
            guard case .list(let elements) = value else { return nil }
            return isIn(elements, options)
        case .beginsWith, .endsWith, .contains:
            guard kind == .text, options.isEmpty, let text = Self.plain(value), !text.isEmpty else { return nil }
            switch comparison {
            case .beginsWith: return SQLCondition(sql: "substr(\(sql), 1, ?) = ?", values: [text.utf8.count, text])
            case .endsWith: return SQLCondition(sql: "substr(\(sql), ?) = ?", values: [-text.utf8.count, text])
            default: return SQLCondition(sql: "instr(\(sql), ?) > 0", values: [text])
            }
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return ordered(comparison, value, options)
        case .like, .matches: return nil
        }
    }

    private func isIn(_ elements: [PredicateValue], _ options: Set<Character>) -> SQLCondition? {
        if kind == .text, options.isEmpty {
            let texts = elements.compactMap(Self.plain)
            return texts.count == elements.count ? try? .isIn(sql, texts) : nil
        }
        let parts = elements.compactMap { ordered(.equal, $0, options) }
        // SQLite limits the depth of expressions.
        guard parts.count == elements.count, parts.count <= 100 else { return nil }
        return parts.isEmpty ? .never : .joined(parts, by: "OR")
    }

    private func ordered(
        _ comparison: PredicateCondition.Comparison, _ value: PredicateValue, _ options: Set<Character>
    ) -> SQLCondition? {
        guard let operation = comparison.sqlOperator else { return nil }
        switch (kind, value) {
        case (.integer, .integer(let constant)), (.number, .integer(let constant)):
            return SQLCondition(sql: "\(sql) \(operation) ?", values: values + [constant])
        case (.integer, .number(let constant)), (.number, .number(let constant)):
            guard constant.isFinite else { return nil }
            return SQLCondition(sql: "\(sql) \(operation) ?", values: values + [constant])
        case (.date, .date(let date)): return ordered(comparison, date)
        case (.text, .string):
            guard options.isEmpty, let text = Self.plain(value) else { return nil }
            return SQLCondition(sql: "\(sql) \(operation) ?", values: [text])
        default:
            // Values of different types are not equal, and have no order.
            return comparison == .notEqual ? .always : .never
        }
    }

    /// The seconds since the reference date, which is how `Date` stores them. Not all times before it have different
    /// values.
    private var referenceSeconds: String { "(\(sql) - \(Date.timeIntervalBetween1970AndReferenceDate))" }

    private func ordered(_ comparison: PredicateCondition.Comparison, _ date: Date) -> SQLCondition? {
        guard let operation = comparison.sqlOperator else { return nil }
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite else { return nil }
        // Half of the years since 1970: differences of later times are exact. An index can be used only without
        // arithmetic.
        let offset = Date.timeIntervalBetween1970AndReferenceDate
        guard seconds + offset > offset / 2 else {
            return SQLCondition(sql: "\(referenceSeconds) \(operation) ?", values: [seconds])
        }
        var first = seconds + offset
        while first.nextDown - offset >= seconds { first = first.nextDown }
        while first - offset < seconds { first = first.nextUp }
        var later = first
        while later - offset <= seconds { later = later.nextUp }
        switch comparison {
        case .less: return SQLCondition(sql: "\(sql) < ?", values: [first])
        case .greaterOrEqual: return SQLCondition(sql: "\(sql) >= ?", values: [first])
        case .lessOrEqual: return SQLCondition(sql: "\(sql) < ?", values: [later])
        case .greater: return SQLCondition(sql: "\(sql) >= ?", values: [later])
        case .equal: return SQLCondition(sql: "\(sql) >= ? AND \(sql) < ?", values: [first, later])
        case .notEqual: return SQLCondition(sql: "\(sql) < ? OR \(sql) >= ?", values: [first, later])
        default: return nil
        }
    }

    /// Returns a string that Swift and SQLite compare equally: one of ASCII characters.
    private static func plain(_ value: PredicateValue) -> String? {
        guard case .string(let text) = value, text.utf8.allSatisfy({ $0 > 0 && $0 < 128 }) else { return nil }
        return text
    }
}
