import Foundation

/// The result of a fetch of assets, by their numbers in the index.
struct FetchedRows {
    var rows: [Int64] = []
    /// The records of the first rows.
    var records: [AssetRecord] = []
    /// The last change before the fetch.
    var lastChange: Int64 = 0
    /// The number of assets on which the remainder of the predicate was evaluated.
    var evaluatedCount = 0
}

/// The result of a fetch after changes.
struct UpdatedRows {
    var rows: [Int64]
    var lastChange: Int64
    var differences: FetchDifferences
    /// The assets that the changes affected, whether or not they match the query.
    var touchedRows: [Int64]
    /// The records of the affected assets that match the query, or of some of them.
    var records: [AssetRecord]
}

extension LibraryIndex {
    /// The largest number of affected assets for which a result is updated. For more, the fetch is performed again.
    private static let updatedCount = 100
    /// The number of assets on which a predicate is evaluated at a time.
    private static let evaluatedCount = 500

    /// Performs a fetch.
    ///
    /// - Parameter isIncluded: Evaluates the remainder of the query's predicate.
    func fetch(
        _ query: AssetQuery, isIncluded: (AssetRecord) -> Bool
    ) throws(PHPhotosError) -> FetchedRows {
        try read { database in
            var result = try Self.fetch(query, database, isIncluded)
            result.lastChange = try Self.lastChange(database)
            return result
        }
    }

    /// Performs a fetch on a connection that has a transaction. The result has no `lastChange`.
    static func fetch(
        _ query: AssetQuery, among rows: [Int64]? = nil, _ database: SQLiteConnection,
        _ isIncluded: (AssetRecord) -> Bool
    ) throws -> FetchedRows {
        let hasRemainder = query.remainder != nil
        let (sql, values) = try query.statement(
            selecting: "asset.id", among: rows, limit: hasRemainder ? 0 : query.limit)
        let found = try database.integers(sql, values)
        guard hasRemainder else {
            // Assets of a large result are read when they are used.
            guard found.count <= AssetList.pageCount else { return FetchedRows(rows: found) }
            let records = try assets(found[...], database)
            return FetchedRows(rows: found, records: found.compactMap { records[$0] })
        }
        var result = FetchedRows()
        for start in stride(from: 0, to: found.count, by: evaluatedCount) {
            let part = found[start..<min(start + evaluatedCount, found.count)]
            let records = try assets(part, database)
            for row in part where query.limit == 0 || result.rows.count < query.limit {
                result.evaluatedCount += 1
                guard let record = records[row], isIncluded(record) else { continue }
                result.rows.append(row)
                if result.records.count < AssetList.pageCount { result.records.append(record) }
            }
        }
        return result
    }

    /// Updates the result of a fetch with the changes since, which the history of the index lists.
    ///
    /// - Parameters:
    ///   - rows: The result of the query after the change `lastChange`.
    ///   - isIncluded: Evaluates the remainder of the query's predicate.
    /// - Returns: Nil if there are no changes.
    func update(
        _ rows: [Int64], of query: AssetQuery, since lastChange: Int64, isIncluded: (AssetRecord) -> Bool
    ) throws(PHPhotosError) -> UpdatedRows? {
        try read { database in
            let newLastChange = try Self.lastChange(database)
            // The history does not contain the selection of a limited authorization.
            guard newLastChange != lastChange || query.selectedIdentifiers != nil else { return nil }
            let touchedAssets = try Self.touchedAssets(since: lastChange, database)
            let touched = touchedAssets.map(\.id)
            guard query.canBeUpdated, touched.count <= Self.updatedCount,
                try query.showsAllOfBursts || !Self.affectsBursts(touched, database)
            else {
                let after = try Self.fetch(query, database, isIncluded)
                return UpdatedRows(
                    rows: after.rows, lastChange: newLastChange,
                    differences: FetchDifferences(from: rows, to: after.rows, changed: Set(touched)),
                    touchedRows: touched, records: after.records)
            }
            let matching = try Self.fetch(query, among: touched, database, isIncluded)
            let (newRows, differences) = try Self.replace(
                touchedAssets.filter { !$0.isNew }.map(\.id), in: rows, with: matching.rows, order: query.order,
                database)
            return UpdatedRows(
                rows: newRows, lastChange: newLastChange, differences: differences, touchedRows: touched,
                records: matching.records)
        }
    }

    /// Returns the assets that changes after a number affected.
    private static func touchedAssets(
        since lastChange: Int64, _ database: SQLiteConnection
    ) throws -> [TouchedAsset] {
        try database.rows(
            """
            SELECT id, MIN(effect = \(HistoryRow.Effect.inserted.rawValue)) AS isNew FROM (
                SELECT asset.id, effect FROM changedObject CROSS JOIN asset USING (localIdentifier)
                WHERE changeID > ?1
                UNION ALL
                SELECT formerAsset.id, effect FROM changedObject CROSS JOIN formerAsset USING (localIdentifier)
                WHERE changeID > ?1)
            GROUP BY id
            """, [lastChange])
    }

    /// Whether a change of these assets can change which photo represents a burst. Of removed assets, the index does not
    /// store the burst.
    private static func affectsBursts(_ rows: [Int64], _ database: SQLiteConnection) throws -> Bool {
        let answers: [Bool] = try database.values(
            """
            SELECT EXISTS (SELECT 1 FROM asset WHERE burstIdentifier IS NOT NULL)
                AND EXISTS (SELECT 1 FROM json_each(?) AS touched LEFT JOIN asset ON asset.id = touched.value
                    WHERE asset.id IS NULL OR burstIdentifier IS NOT NULL)
            """, [try SQLList(rows)])
        return answers.first ?? false
    }

    /// Removes the affected assets from a result, and inserts those that match the query now at their positions.
    ///
    /// - Parameters:
    ///   - touched: The affected assets that the result can contain.
    ///   - matching: The assets to insert, in the order of the query.
    private static func replace(
        _ touched: [Int64], in rows: [Int64], with matching: [Int64], order: [AssetQuery.SortTerm],
        _ database: SQLiteConnection
    ) throws -> ([Int64], FetchDifferences) {
        var differences = FetchDifferences()
        let oldIndexes = touched.compactMap { rows.firstIndex(of: $0) }.sorted()
        var newRows = rows
        for index in oldIndexes.reversed() { newRows.remove(at: index) }
        let oldRows = oldIndexes.map { rows[$0] }
        let matchingSet = Set(matching)
        // Of each asset that remains: how many unaffected ones precede it.
        var oldPlaces: [Int64: Int] = [:]
        for (count, index) in oldIndexes.enumerated() {
            if matchingSet.contains(rows[index]) {
                oldPlaces[rows[index]] = index - count
            } else {
                differences.removed.insert(index)
            }
        }
        for (count, row) in matching.enumerated() {
            let oldIndex = oldPlaces[row].map { $0 + count }
            let index = try insertionIndex(of: row, in: newRows, near: oldIndex, order, database)
            newRows.insert(row, at: index)
            if let place = oldPlaces[row] {
                differences.changed.insert(index)
                if place != index - count { differences.hasMoves = true }
            } else {
                differences.inserted.insert(index)
            }
        }
        if matching.filter({ oldPlaces[$0] != nil }) != oldRows.filter(matchingSet.contains) {
            differences.hasMoves = true
        }
        return (newRows, differences)
    }

    /// Returns the index at which an asset belongs into an ordered result that does not contain it.
    ///
    /// - Parameter index: The index that is tried first, because most changes do not move an asset.
    private static func insertionIndex(
        of row: Int64, in rows: [Int64], near index: Int?, _ order: [AssetQuery.SortTerm], _ database: SQLiteConnection
    ) throws -> Int {
        let keys = try order.map { try sortValue($0, of: row, database) }
        func precedes(_ other: Int64) throws -> Bool {
            for (term, key) in zip(order, keys) {
                let otherKey = try sortValue(term, of: other, database)
                if otherKey != key { return term.isAscending == (otherKey ?? .number(0) < key ?? .number(0)) }
            }
            return other < row
        }
        var indexes = 0..<rows.count
        if let index, index <= rows.count {
            let follows = try index == 0 || precedes(rows[index - 1])
            let isBefore = try index == rows.count || !precedes(rows[index])
            if follows, isBefore { return index }
        }
        while !indexes.isEmpty {
            let middle = indexes.lowerBound + indexes.count / 2
            if try precedes(rows[middle]) {
                indexes = middle + 1..<indexes.upperBound
            } else {
                indexes = indexes.lowerBound..<middle
            }
        }
        return indexes.lowerBound
    }

    private static func sortValue(
        _ term: AssetQuery.SortTerm, of row: Int64, _ database: SQLiteConnection
    ) throws -> SortValue? {
        let values: [SortValue] = try database.values("SELECT \(term.key.rawValue) FROM asset WHERE id = ?", [row])
        return values.first
    }

    /// Returns the assets with these numbers. Those of deleted assets have an identifier and no other properties.
    func assets(_ rows: [Int64]) throws(PHPhotosError) -> [Int64: AssetRecord] {
        try read { database in
            var records = try Self.assets(rows[...], database)
            guard records.count < rows.count else { return records }
            let former: [AssetIdentifier] = try database.rows(
                "SELECT * FROM formerAsset WHERE id IN (SELECT value FROM json_each(?))", [try SQLList(rows)])
            for asset in former where records[asset.id] == nil {
                records[asset.id] = AssetRecord(id: asset.id, localIdentifier: asset.localIdentifier)
            }
            return records
        }
    }

    private static func assets(_ rows: ArraySlice<Int64>, _ database: SQLiteConnection) throws -> [Int64: AssetRecord] {
        guard !rows.isEmpty else { return [:] }
        let records: [AssetRecord] = try database.rows(
            "SELECT * FROM asset WHERE id IN (SELECT value FROM json_each(?))", [try SQLList(Array(rows))])
        return Dictionary(records.map { ($0.id ?? 0, $0) }) { first, _ in first }
    }

    /// Returns the numbers of the assets with these identifiers, in any order.
    func rows(of localIdentifiers: [String]) throws(PHPhotosError) -> [Int64] {
        try read { database in
            let condition = try SQLCondition.isIn("localIdentifier", localIdentifiers)
            return try database.values("SELECT id FROM asset WHERE \(condition.sql)", condition.values)
        }
    }

    /// Returns the identifiers of the assets with these numbers, by their numbers.
    func localIdentifiers(of rows: [Int64]) throws(PHPhotosError) -> [Int64: String] {
        try read { database in
            let found: [AssetIdentifier] = try database.rows(
                """
                SELECT id, localIdentifier FROM asset WHERE id IN (SELECT value FROM json_each(?1))
                UNION ALL
                SELECT id, localIdentifier FROM formerAsset WHERE id IN (SELECT value FROM json_each(?1))
                """, [try SQLList(rows)])
            return Dictionary(found.map { ($0.id, $0.localIdentifier) }) { first, _ in first }
        }
    }

    /// Returns the number of the assets of a type.
    func count(of mediaType: PHAssetMediaType, among rows: [Int64]) throws(PHPhotosError) -> Int {
        let counts: [Int] = try read { database in
            try database.values(
                "SELECT COUNT(*) FROM asset WHERE mediaType = ? AND id IN (SELECT value FROM json_each(?))",
                [mediaType.rawValue, try SQLList(rows)])
        }
        return counts.first ?? 0
    }
}

extension AssetQuery {
    /// Whether the order of the result depends on properties of the assets only, and each asset matches regardless of
    /// the others.
    fileprivate var canBeUpdated: Bool {
        limit == 0 && albumIdentifier == nil && !usesIdentifierOrder && selectedIdentifiers == nil && !representsBurst
    }
}

/// An asset that changes affected.
private struct TouchedAsset: SQLiteRow {
    static let columns: [SQLiteColumn<TouchedAsset>] = [
        SQLiteColumn("id", \.id), SQLiteColumn("isNew", \.isNew),
    ]

    var id: Int64 = 0
    /// Whether the changes only inserted the asset, so that no earlier result contains it.
    var isNew = false
}

/// The number and the identifier of an asset.
private struct AssetIdentifier: SQLiteRow {
    static let columns: [SQLiteColumn<AssetIdentifier>] = [
        SQLiteColumn("id", \.id), SQLiteColumn("localIdentifier", \.localIdentifier),
    ]

    var id: Int64 = 0
    var localIdentifier = ""
}
