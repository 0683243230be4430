/// Writes changes of albums to the index, within a database transaction.
struct AlbumWriter {
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) {
        self.database = database
    }

    /// Creates an empty album at the top level.
    func create(_ identifier: String, title: String) throws {
        var album = AlbumRecord(id: nil, localIdentifier: identifier, title: title)
        try album.insert(database)
        try CollectionListWriter(database).append(identifier)
    }

    func update(_ identifier: String, _ edits: CollectionEdits) throws {
        guard var album = try record(identifier) else {
            throw PHPhotosError(.identifierNotFound, "the library has no album \(identifier)")
        }
        if let title = edits.title {
            album.title = title
            try album.update(database)
        }
        try apply(edits, in: album)
    }

    /// Deletes an album but not its assets. Returns whether the album existed.
    func delete(_ identifier: String) throws -> Bool {
        guard let album = try record(identifier) else { return false }
        try album.delete(database)
        try CollectionListWriter(database).remove(identifier)
        return true
    }

    private func record(_ identifier: String) throws -> AlbumRecord? {
        let albums: [AlbumRecord] = try database.rows("SELECT * FROM album WHERE localIdentifier = ?", [identifier])
        return albums.first
    }

    private func apply(_ edits: CollectionEdits, in album: AlbumRecord) throws {
        let rewrites = edits.steps.contains {
            switch $0 {
            case .add, .remove: false
            case .insert, .removeAt, .replace, .move: true
            }
        }
        if rewrites { return try rewrite(edits, in: album) }
        for step in edits.steps {
            switch step {
            case .add(let identifiers):
                for identifier in identifiers { try add(identifier, to: album) }
            case .remove(let identifiers):
                for identifier in identifiers {
                    try database.execute(
                        """
                        DELETE FROM albumAsset WHERE albumID = ?
                        AND assetID = (SELECT id FROM asset WHERE localIdentifier = ?)
                        """, [album.id, identifier])
                }
            case .insert, .removeAt, .replace, .move: break  // See `rewrite`.
            }
        }
    }

    /// Applies steps that contain indexes, and writes the whole content in its new order.
    private func rewrite(_ edits: CollectionEdits, in album: AlbumRecord) throws {
        let current: [String] = try database.values(
            """
            SELECT asset.localIdentifier FROM albumAsset
            JOIN asset ON asset.id = albumAsset.assetID AND asset.deletedDate IS NULL
            WHERE albumAsset.albumID = ? ORDER BY albumAsset.position
            """, [album.id])
        let content = OrderedStep.content(current, base: edits.base, after: edits.steps)
        // Assets in Recently Deleted keep their entries, and thereby come first if they are restored.
        try database.execute(
            """
            DELETE FROM albumAsset WHERE albumID = ?
            AND assetID NOT IN (SELECT id FROM asset WHERE deletedDate IS NOT NULL)
            """, [album.id])
        for identifier in content { try add(identifier, to: album) }
    }

    /// Appends an asset. An asset that is already in the album keeps its position.
    private func add(_ identifier: String, to album: AlbumRecord) throws {
        try database.execute(
            """
            INSERT INTO albumAsset (albumID, assetID)
            SELECT ?, id FROM asset WHERE localIdentifier = ? AND deletedDate IS NULL
            ON CONFLICT (albumID, assetID) DO NOTHING
            """, [album.id, identifier])
        let assets: [Int64] = try database.values(
            "SELECT id FROM asset WHERE localIdentifier = ? AND deletedDate IS NULL", [identifier])
        guard !assets.isEmpty else {
            throw PHPhotosError(.identifierNotFound, "the library has no asset \(identifier) to add to an album")
        }
    }
}
