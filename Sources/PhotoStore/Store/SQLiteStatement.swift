import CSQLite

/// A prepared statement with the values of its parameters.
///
/// - Important: Not thread-safe: one thread at a time uses a connection and its statements.
final class SQLiteStatement {
    private let connection: OpaquePointer
    private let handle: OpaquePointer
    private let sql: String

    /// Prepares one statement, and binds values to its parameters in their order.
    init(_ sql: String, _ values: [any SQLiteValue], connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
        guard let handle else { throw SQLiteError(connection: connection, sql: sql) }
        self.connection = connection
        self.handle = handle
        self.sql = sql
        guard sqlite3_bind_parameter_count(handle) == values.count else {
            throw SQLiteError(
                extendedCode: SQLITE_RANGE, message: "\(values.count) values do not match the parameters", sql: sql)
        }
        for (index, value) in values.enumerated() {
            guard value.bind(to: handle, at: Int32(index + 1)) == SQLITE_OK else {
                throw SQLiteError(connection: connection, sql: sql)
            }
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Executes the statement up to the next row.
    ///
    /// - Returns: Whether there is a row.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(connection: connection, sql: sql)
        }
    }

    /// Executes the statement and returns the integers in its first column. Faster than reading them one by one.
    func integers() throws(SQLiteError) -> [Int64] {
        var integers: [Int64] = []
        var result = sqlite3_step(handle)
        while result == SQLITE_ROW {
            integers.append(sqlite3_column_int64(handle, 0))
            result = sqlite3_step(handle)
        }
        guard result == SQLITE_DONE else { throw SQLiteError(connection: connection, sql: sql) }
        return integers
    }

    /// Returns the position of a column of the result. Like SQLite, it ignores the case of the name.
    func position(of name: String) throws(SQLiteError) -> Int32 {
        for position in 0..<sqlite3_column_count(handle)
        where sqlite3_stricmp(sqlite3_column_name(handle, position), name) == 0 {
            return position
        }
        throw SQLiteError(extendedCode: SQLITE_ERROR, message: "the result has no column \(name)", sql: sql)
    }

    /// Returns the value of a column of the current row.
    ///
    /// - Throws: `SQLITE_MISMATCH` if it has another type.
    func value<Value: SQLiteValue>(at position: Int32) throws(SQLiteError) -> Value {
        guard let value = Value(handle, at: position) else {
            throw SQLiteError(
                extendedCode: SQLITE_MISMATCH, message: "column \(position) has another type than \(Value.self)",
                sql: sql)
        }
        return value
    }
}
