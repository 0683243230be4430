import CSQLite

/// A type with values that can be bound to parameters and read from columns of a statement.
protocol SQLiteValue: Sendable {
    /// Binds the value to the parameter at a position, which starts at 1, and returns SQLite's result code.
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32

    /// Reads the column at a position, which starts at 0; nil if its value has another type.
    init?(_ statement: OpaquePointer, at position: Int32)
}

extension SQLiteValue where Self: FixedWidthInteger {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        sqlite3_bind_int64(statement, position, Int64(self))
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        guard sqlite3_column_type(statement, position) == SQLITE_INTEGER else { return nil }
        self.init(exactly: sqlite3_column_int64(statement, position))
    }
}

extension Int64: SQLiteValue {}
extension Int: SQLiteValue {}

extension Bool: SQLiteValue {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        sqlite3_bind_int64(statement, position, self ? 1 : 0)
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        guard let number = Int64(statement, at: position) else { return nil }
        self = number != 0
    }
}

extension Double: SQLiteValue {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        sqlite3_bind_double(statement, position, self)
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        guard [SQLITE_FLOAT, SQLITE_INTEGER].contains(sqlite3_column_type(statement, position)) else { return nil }
        self = sqlite3_column_double(statement, position)
    }
}

extension String: SQLiteValue {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        csqlite_bind_text(statement, position, self, UInt64(utf8.count))
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        guard sqlite3_column_type(statement, position) == SQLITE_TEXT,
            let text = sqlite3_column_text(statement, position)
        else { return nil }
        let byteCount = Int(sqlite3_column_bytes(statement, position))
        self.init(decoding: UnsafeBufferPointer(start: text, count: byteCount), as: UTF8.self)
    }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        self?.bind(to: statement, at: position) ?? sqlite3_bind_null(statement, position)
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        if sqlite3_column_type(statement, position) == SQLITE_NULL {
            self = .none
        } else {
            guard let wrapped = Wrapped(statement, at: position) else { return nil }
            self = .some(wrapped)
        }
    }
}
