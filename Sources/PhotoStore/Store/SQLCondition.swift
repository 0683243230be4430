/// A condition in SQL with the values of its parameters.
struct SQLCondition: Sendable {
    var sql: String
    var values: [any SQLiteValue] = []

    static let always = SQLCondition(sql: "TRUE")
    static let never = SQLCondition(sql: "FALSE")

    static prefix func ! (condition: SQLCondition) -> SQLCondition {
        SQLCondition(sql: "NOT (\(condition.sql))", values: condition.values)
    }

    /// Joins conditions with `AND` or `OR`.
    static func joined(_ conditions: [SQLCondition], by operation: String) -> SQLCondition {
        guard conditions.count != 1 else { return conditions[0] }
        return SQLCondition(
            sql: "(" + conditions.map { "(\($0.sql))" }.joined(separator: " \(operation) ") + ")",
            values: conditions.flatMap(\.values))
    }

    /// Requires that a column has one of the values of a list.
    static func isIn<Element: Encodable>(_ column: String, _ list: [Element]) throws -> SQLCondition {
        SQLCondition(sql: "\(column) IN (SELECT value FROM json_each(?))", values: [try SQLList(list)])
    }
}
