/// A row of the table `album`.
struct AlbumRecord: SQLiteRecord {
    static let table = "album"
    static let columns: [SQLiteColumn<AlbumRecord>] = [
        SQLiteColumn("id", \.id),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("title", \.title),
    ]

    /// Increases with each created album; nil until inserted.
    var id: Int64?
    var localIdentifier = ""
    var title = ""
}

/// A row of the table `collectionList`: a folder.
struct CollectionListRecord: SQLiteRecord {
    static let table = "collectionList"
    static let columns: [SQLiteColumn<CollectionListRecord>] = [
        SQLiteColumn("id", \.id),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("title", \.title),
    ]

    /// Increases with each created folder; nil until inserted.
    var id: Int64?
    var localIdentifier = ""
    var title = ""
}

/// The conditions of a fetch of folders.
struct CollectionListQuery: Sendable {
    /// The folders to fetch; nil for all.
    var localIdentifiers: [String]?
    /// A collection that the folder must contain; nil for no condition.
    var child: String?
}

/// An album with the number and dates of its assets.
struct AlbumSummary: SQLiteRow {
    static let columns: [SQLiteColumn<AlbumSummary>] = [
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("title", \.title),
        SQLiteColumn("assetCount", \.assetCount),
        SQLiteColumn("startDate", \.startDate),
        SQLiteColumn("endDate", \.endDate),
    ]

    var localIdentifier = ""
    var title = ""
    var assetCount = 0
    /// The creation dates of the oldest and the newest asset, in seconds since 1970; nil if it has no assets.
    var startDate: Double?
    var endDate: Double?
}

/// The conditions of a fetch of albums.
struct AlbumQuery: Sendable {
    /// The albums to fetch; nil for all.
    var localIdentifiers: [String]?
    /// An asset that the albums must contain; nil for no condition.
    var assetIdentifier: String?
}

/// An asset in an album.
private struct AlbumEntry: SQLiteRow {
    static let columns: [SQLiteColumn<AlbumEntry>] = [
        SQLiteColumn("localIdentifier", \.localIdentifier), SQLiteColumn("title", \.title),
    ]

    /// The local identifier of the asset.
    var localIdentifier = ""
    /// The title of the album.
    var title = ""
}

extension LibraryIndex {
    /// Returns the titles of the albums with each asset in an album, in the order of their creation.
    func albumTitles() throws(PHPhotosError) -> [String: [String]] {
        let entries: [AlbumEntry] = try read { database in
            try database.rows(
                """
                SELECT asset.localIdentifier, album.title FROM albumAsset
                JOIN album ON album.id = albumAsset.albumID
                JOIN asset ON asset.id = albumAsset.assetID AND asset.deletedDate IS NULL
                ORDER BY album.id
                """)
        }
        return Dictionary(grouping: entries, by: \.localIdentifier).mapValues { $0.map(\.title) }
    }
}
