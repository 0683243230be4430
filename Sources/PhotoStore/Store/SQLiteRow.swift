/// A row of the result of a query.
protocol SQLiteRow: Sendable {
    /// The columns, each with the property that stores its value.
    static var columns: [SQLiteColumn<Self>] { get }

    /// Creates a row with default values, which are then replaced by the values of the columns.
    init()
}

/// A row of a table with the integer primary key `id`.
protocol SQLiteRecord: SQLiteRow {
    static var table: String { get }
    /// Nil until inserted.
    var id: Int64? { get set }
}

/// A column and the property that stores its value.
struct SQLiteColumn<Row: Sendable>: Sendable {
    let name: String
    let value: @Sendable (Row) -> any SQLiteValue
    /// Sets the property to the value at a position of the statement's current row.
    let read: @Sendable (inout Row, SQLiteStatement, Int32) throws(SQLiteError) -> Void

    init<Value: SQLiteValue>(_ name: String, _ property: any (WritableKeyPath<Row, Value> & Sendable)) {
        self.name = name
        value = { $0[keyPath: property] }
        read = { row, statement, position throws(SQLiteError) in
            row[keyPath: property] = try statement.value(at: position)
        }
    }
}

extension SQLiteRecord {
    /// Inserts the row and sets its `id`.
    mutating func insert(_ database: SQLiteConnection) throws(SQLiteError) {
        let names = Self.columns.map(\.name).joined(separator: ", ")
        let parameters = Self.columns.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            "INSERT INTO \(Self.table) (\(names)) VALUES (\(parameters))", Self.columns.map { $0.value(self) })
        id = database.lastInsertedID
    }

    /// Updates the row with the same `id`.
    func update(_ database: SQLiteConnection) throws(SQLiteError) {
        let columns = Self.columns.filter { $0.name != "id" }
        let assignments = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        let values = columns.map { $0.value(self) }
        try database.execute("UPDATE \(Self.table) SET \(assignments) WHERE id = ?", values + [id])
    }

    /// Deletes the row with the same `id`.
    func delete(_ database: SQLiteConnection) throws(SQLiteError) {
        try database.execute("DELETE FROM \(Self.table) WHERE id = ?", [id])
    }
}
