import Foundation

extension AssetQuery {
    /// The condition that SQL can express; see `remainder` for the rest.
    func sqlCondition() throws -> SQLCondition {
        var conditions: [SQLCondition] = []
        if let isDeleted { conditions.append(SQLCondition(sql: "deletedDate IS \(isDeleted ? "NOT " : "")NULL")) }
        if let type = mediaType { conditions.append(SQLCondition(sql: "mediaType = ?", values: [type.rawValue])) }
        if let localIdentifiers, !usesIdentifierOrder {
            conditions.append(try .isIn("localIdentifier", localIdentifiers))
        }
        if let selected = selectedIdentifiers { conditions.append(try .isIn("localIdentifier", selected.sorted())) }
        if !mediaSubtypes.isEmpty {
            conditions.append(SQLCondition(sql: "mediaSubtypes & ?", values: [Int(mediaSubtypes.rawValue)]))
        }
        if isSelfie { conditions.append(SQLCondition(sql: "mediaType = 1 AND lensModel LIKE '%front%'")) }
        if hasRawPhoto {
            conditions.append(
                SQLCondition(
                    sql: "asset.id IN (SELECT assetID FROM resource WHERE type = ? AND uniformTypeIdentifier = ?)",
                    values: [
                        PHAssetResourceType.alternatePhoto.rawValue, MediaKind.rawPhoto.uniformTypeIdentifier,
                    ]))
        }
        if let burstIdentifier {
            conditions.append(SQLCondition(sql: "burstIdentifier = ?", values: [burstIdentifier]))
        }
        if representsBurst {
            conditions.append(
                SQLCondition(
                    sql: """
                        asset.id IN (SELECT MIN(id) FROM asset WHERE burstIdentifier IS NOT NULL
                            AND deletedDate IS NULL GROUP BY burstIdentifier)
                        """))
        }
        if !representsBurst, !showsAllOfBursts {
            // A list of the other photos, so that the condition needs no column that the indexes of fetches lack. Without
            // bursts, SQLite does not search the list for each asset.
            conditions.append(
                SQLCondition(
                    sql: """
                        NOT EXISTS (SELECT 1 FROM asset WHERE burstIdentifier IS NOT NULL)
                        OR asset.id NOT IN (SELECT member.id FROM asset AS member
                            WHERE member.burstIdentifier IS NOT NULL AND member.deletedDate IS NULL
                            AND EXISTS (SELECT 1 FROM asset AS first
                                WHERE first.burstIdentifier = member.burstIdentifier AND first.deletedDate IS NULL
                                AND first.id < member.id))
                        """))
        }
        if let date = addedSince { conditions.append(SQLCondition(sql: "addedDate >= ?", values: [date])) }
        // The indexes are used for comparisons with a value only.
        if isFavorite { conditions.append(SQLCondition(sql: "isFavorite = 1")) }
        if isHidden { conditions.append(SQLCondition(sql: "isHidden = 1")) }
        if !includesHidden { conditions.append(SQLCondition(sql: "isHidden = 0")) }
        if let condition = predicate.flatMap(FormatPredicates.condition(of:))?.sqlCondition() {
            conditions.append(condition)
        }
        return conditions.isEmpty ? .always : .joined(conditions, by: "AND")
    }

    /// The predicate, if SQL cannot express all of it: it is then evaluated on the assets that match the rest of the
    /// query.
    var remainder: NSPredicate? {
        guard let predicate else { return nil }
        return FormatPredicates.condition(of: predicate)?.isExpressibleInSQL == true ? nil : predicate
    }

    /// Returns a statement that selects columns of the matching assets. It ignores the remainder of the predicate.
    ///
    /// - Parameters:
    ///   - rows: The only assets that are selected; nil for all.
    ///   - isOrdered: Whether the assets are in the order of the query.
    ///   - limit: The maximum number of assets; 0 for no limit.
    func statement(
        selecting columns: String, among rows: [Int64]? = nil, isOrdered: Bool = true, limit: Int
    ) throws -> (sql: String, values: [any SQLiteValue]) {
        var source = "asset"
        var terms = order.map { "asset.\($0.key.rawValue) \($0.isAscending ? "ASC" : "DESC")" }
        var values: [any SQLiteValue] = []
        if let albumIdentifier {
            source = """
                albumAsset JOIN asset ON asset.id = albumAsset.assetID
                    AND albumAsset.albumID = (SELECT id FROM album WHERE localIdentifier = ?)
                """
            terms.append("albumAsset.position")
            values.append(albumIdentifier)
        } else if usesIdentifierOrder {
            source = "json_each(?) AS listed JOIN asset ON asset.localIdentifier = listed.value"
            terms.append("listed.key")
            values.append(try SQLList(localIdentifiers ?? []))
        }
        terms.append("asset.id")
        if let rows {
            // The rows are looked up one by one. SQLite would prefer the index of the order, and read all of it.
            source = "json_each(?) AS listedRow CROSS JOIN \(source)"
            values.insert(try SQLList(rows), at: 0)
        }
        var condition = try sqlCondition()
        if rows != nil { condition = .joined([SQLCondition(sql: "asset.id = listedRow.value"), condition], by: "AND") }
        var sql = "SELECT \(columns) FROM \(source) WHERE \(condition.sql)"
        if isOrdered { sql += " ORDER BY " + terms.joined(separator: ", ") }
        if limit > 0 { sql += " LIMIT \(limit)" }
        return (sql, values + condition.values)
    }

    /// Returns the number of matching assets, regardless of the remainder of the predicate.
    func count(_ database: SQLiteConnection) throws -> Int {
        let (sql, values) = try statement(selecting: limit > 0 ? "1" : "COUNT(*)", isOrdered: false, limit: limit)
        let counts: [Int] = try database.values(limit > 0 ? "SELECT COUNT(*) FROM (\(sql))" : sql, values)
        return counts.first ?? 0
    }

    /// Whether the assets are in the order of their identifiers in the query.
    var usesIdentifierOrder: Bool { keepsIdentifierOrder && order.isEmpty && localIdentifiers != nil }
}

extension LibraryIndex {
    /// Returns the assets that match a query, in its order. Ignores the predicate and the limit.
    func assets(matching query: AssetQuery) throws(PHPhotosError) -> [AssetRecord] {
        try read { database in
            let (sql, values) = try query.statement(selecting: "asset.*", limit: 0)
            return try database.rows(sql, values)
        }
    }
}
