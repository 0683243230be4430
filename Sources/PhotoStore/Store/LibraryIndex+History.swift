/// An object that a change affected.
struct HistoryRow: SQLiteRow {
    enum Effect: Int {
        case inserted = 1
        case updated = 2
        case deleted = 3
    }

    static let columns: [SQLiteColumn<HistoryRow>] = [
        SQLiteColumn("changeID", \.changeID),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("effect", \.effect),
    ]

    /// Increases with each change.
    var changeID: Int64 = 0
    var localIdentifier = ""
    /// A raw value of `Effect`.
    var effect = 0
}

extension LibraryIndex {
    /// Adds a change to the history, within the transaction of the change.
    ///
    /// - Returns: Its number; nil if nothing changed.
    @discardableResult
    static func record(_ outcome: ChangeOutcome, _ database: SQLiteConnection) throws -> Int64? {
        guard !outcome.isEmpty else { return nil }
        try database.execute("INSERT INTO change DEFAULT VALUES")
        let number = database.lastInsertedID
        for (effect, identifiers) in [
            (HistoryRow.Effect.inserted, outcome.inserted), (.updated, outcome.updated), (.deleted, outcome.deleted),
        ] {
            for identifier in identifiers {
                try database.execute(
                    "INSERT INTO changedObject (changeID, localIdentifier, effect) VALUES (?, ?, ?)",
                    [number, identifier, effect.rawValue])
            }
        }
        return number
    }

    /// The number of the last change; 0 if there is none.
    func lastChange() throws(PHPhotosError) -> Int64 {
        try read(Self.lastChange)
    }

    static func lastChange(_ database: SQLiteConnection) throws -> Int64 {
        let numbers: [Int64] = try database.values("SELECT IFNULL(MAX(id), 0) FROM change")
        return numbers.first ?? 0
    }

    /// Returns the objects that the changes after a number affected, the oldest first.
    func history(since number: Int64) throws(PHPhotosError) -> [HistoryRow] {
        try read { database in
            try database.rows("SELECT * FROM changedObject WHERE changeID > ? ORDER BY changeID, rowid", [number])
        }
    }
}
