import CSQLite
import Foundation

/// A connection to an SQLite database in write-ahead logging (WAL) mode.
///
/// - Important: Not thread-safe: one thread at a time uses a connection.
final class SQLiteConnection {
    /// What a connection does with a database.
    enum Access {
        /// Reads and changes it, creates it if it does not exist, enforces foreign keys, and flushes each commit to the
        /// disk.
        case writing
        /// Reads it. It must be in WAL mode.
        case reading
        /// Reads it without locks and without files beside it. No process may change it, and its write-ahead log must
        /// be empty.
        case readingUnchanged
    }

    private let handle: OpaquePointer
    private let access: Access

    /// Opens a database.
    ///
    /// - Parameter busyMilliseconds: The timeout of statements that wait for a lock of another connection.
    init(path: String, for access: Access, busyMilliseconds: Int32) throws(SQLiteError) {
        var name = path
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch access {
        case .writing: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .reading: flags |= SQLITE_OPEN_READONLY
        case .readingUnchanged:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = URL(fileURLWithPath: path).absoluteString + "?immutable=1"
        }
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            // SQLite allocates a connection even if it cannot open the file.
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(connection: handle, sql: nil)
        }
        self.handle = handle
        self.access = access
        setBusyTimeout(milliseconds: busyMilliseconds)
        guard access == .writing else { return }
        let mode: [String] = try values("PRAGMA journal_mode = WAL")
        guard mode == ["wal"] else {
            throw SQLiteError(extendedCode: SQLITE_ERROR, message: "write-ahead mode is not available", sql: nil)
        }
        try setFlushesCommits(true)
        try execute("PRAGMA foreign_keys = ON")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// The `id` of the row that was inserted last.
    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed, without the effects of foreign keys.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    func setBusyTimeout(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Sets whether commits are flushed. If not, a power failure can lose the last ones, but leaves the database whole.
    private func setFlushesCommits(_ flushes: Bool) throws(SQLiteError) {
        try execute("PRAGMA synchronous = \(flushes ? "FULL" : "NORMAL")")
    }

    /// Executes one statement, with values for its parameters in their order.
    func execute(_ sql: String, _ values: [any SQLiteValue] = []) throws(SQLiteError) {
        let statement = try SQLiteStatement(sql, values, connection: handle)
        while try statement.step() {}
    }

    /// Executes one statement and returns the first column of its result.
    func values<Value: SQLiteValue>(_ sql: String, _ values: [any SQLiteValue] = []) throws(SQLiteError) -> [Value] {
        let statement = try SQLiteStatement(sql, values, connection: handle)
        var result: [Value] = []
        while try statement.step() { result.append(try statement.value(at: 0)) }
        return result
    }

    /// Executes one statement and returns the integers in the first column of its result.
    func integers(_ sql: String, _ values: [any SQLiteValue] = []) throws(SQLiteError) -> [Int64] {
        try SQLiteStatement(sql, values, connection: handle).integers()
    }

    /// Executes one statement and returns the rows of its result, which has all columns of `Row`.
    func rows<Row: SQLiteRow>(_ sql: String, _ values: [any SQLiteValue] = []) throws(SQLiteError) -> [Row] {
        let statement = try SQLiteStatement(sql, values, connection: handle)
        var positions: [Int32] = []
        for column in Row.columns { positions.append(try statement.position(of: column.name)) }
        var rows: [Row] = []
        while try statement.step() {
            var row = Row()
            for (column, position) in zip(Row.columns, positions) { try column.read(&row, statement, position) }
            rows.append(row)
        }
        return rows
    }

    /// Runs `body` in a transaction that is committed when `body` returns, and rolled back if it throws.
    ///
    /// A transaction of a connection that can write holds the write lock of the database from the beginning. A
    /// transaction of a read-only connection holds no lock; it reads a snapshot, which its first statement creates.
    /// - Parameter isFlushed: Whether the commit is flushed to disk; see `setFlushesCommits`.
    func transaction<Result>(isFlushed: Bool = true, _ body: () throws -> Result) throws -> Result {
        // SQLite does not change this setting inside of a transaction.
        if !isFlushed { try setFlushesCommits(false) }
        defer { if !isFlushed { try? setFlushesCommits(true) } }
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // Fails if SQLite has already rolled back, as it does after some errors such as a full disk.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Begins a transaction, see `transaction(isFlushed:_:)`. Releasing the connection rolls it back.
    func begin() throws(SQLiteError) { try execute(access == .writing ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED") }

    func commit() throws(SQLiteError) { try execute("COMMIT") }
}
