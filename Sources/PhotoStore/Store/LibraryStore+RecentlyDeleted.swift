import Foundation

/// Deleted assets. Their rows and files remain until the assets are restored, or removed after 30 days.
extension LibraryStore {
    /// The time in seconds after which a deleted asset is removed: 30 days.
    static let keptSeconds = 30.0 * 24 * 3600

    /// Moves an asset to Recently Deleted.
    func delete(
        _ identifier: String, at date: Date, _ outcome: inout ChangeOutcome, _ database: SQLiteConnection
    ) throws {
        guard var asset = try record(identifier, database) else { return }
        asset.deletedDate = date.timeIntervalSince1970
        try asset.update(database)
        outcome.deleted.append(identifier)
        try addAlbums(with: asset, to: &outcome, database)
    }

    /// Returns an asset from Recently Deleted to the library.
    func restore(_ identifier: String, _ outcome: inout ChangeOutcome, _ database: SQLiteConnection) throws {
        guard var asset = try deletedRecord(identifier, database) else { return }
        asset.deletedDate = nil
        try asset.update(database)
        outcome.inserted.append(identifier)
        try addAlbums(with: asset, to: &outcome, database)
    }

    /// Removes an asset from the index.
    ///
    /// - Returns: Its files.
    func remove(
        _ identifier: String, _ outcome: inout ChangeOutcome, _ database: SQLiteConnection
    ) throws -> [URL] {
        let visible = try record(identifier, database)
        guard let asset = try visible ?? deletedRecord(identifier, database) else { return [] }
        if visible != nil {
            outcome.deleted.append(identifier)
            try addAlbums(with: asset, to: &outcome, database)
        }
        return try remove(asset, database)
    }

    /// Removes the assets that were deleted 30 days ago or earlier.
    ///
    /// - Returns: Their files.
    func removeExpired(at date: Date, _ database: SQLiteConnection) throws -> [URL] {
        let expired: [AssetRecord] = try database.rows(
            "SELECT * FROM asset WHERE deletedDate IS NOT NULL AND deletedDate <= ?",
            [date.timeIntervalSince1970 - Self.keptSeconds])
        return try expired.flatMap { try remove($0, database) }
    }

    private func remove(_ asset: AssetRecord, _ database: SQLiteConnection) throws -> [URL] {
        let resources: [ResourceRecord] = try database.rows("SELECT * FROM resource WHERE assetID = ?", [asset.id])
        try asset.delete(database)
        try database.execute(
            "INSERT OR REPLACE INTO formerAsset (id, localIdentifier) VALUES (?, ?)", [asset.id, asset.localIdentifier])
        return resources.map { folder.original($0.fileName) } + [folder.thumbnail(asset.thumbnailName)]
    }

    private func deletedRecord(_ identifier: String, _ database: SQLiteConnection) throws -> AssetRecord? {
        let assets: [AssetRecord] = try database.rows(
            "SELECT * FROM asset WHERE localIdentifier = ? AND deletedDate IS NOT NULL", [identifier])
        return assets.first
    }

    /// Adds the albums that contain an asset to the changed objects.
    private func addAlbums(
        with asset: AssetRecord, to outcome: inout ChangeOutcome, _ database: SQLiteConnection
    ) throws {
        let albums: [String] = try database.values(
            """
            SELECT album.localIdentifier FROM albumAsset JOIN album ON album.id = albumAsset.albumID
            WHERE albumAsset.assetID = ? ORDER BY album.id
            """, [asset.id])
        outcome.updated += albums.filter { !outcome.inserted.contains($0) && !outcome.updated.contains($0) }
    }
}
