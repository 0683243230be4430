/// An asset with the name of its original, for lists.
package struct ListedAsset: Sendable {
    package var localIdentifier = ""
    /// The raw value of a `PHAssetMediaType`.
    private var mediaTypeValue = 0
    /// The name of the imported file; empty if the index lists no file.
    package var originalFilename = ""
    /// Pixels of the upright image.
    package var pixelWidth = 0
    package var pixelHeight = 0
    /// In seconds; 0 for photos.
    package var duration: Double = 0
    /// In seconds since 1970.
    package var creationDate: Double = 0
    package var cameraMake: String?
    package var cameraModel: String?
    /// Degrees, north and east positive; nil without a location.
    package var latitude: Double?
    package var longitude: Double?

    package var mediaType: PHAssetMediaType { PHAssetMediaType(rawValue: mediaTypeValue) ?? .unknown }
}

extension ListedAsset: SQLiteRow {
    static let columns: [SQLiteColumn<ListedAsset>] = [
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("mediaType", \.mediaTypeValue),
        SQLiteColumn("originalFilename", \.originalFilename),
        SQLiteColumn("pixelWidth", \.pixelWidth),
        SQLiteColumn("pixelHeight", \.pixelHeight),
        SQLiteColumn("duration", \.duration),
        SQLiteColumn("creationDate", \.creationDate),
        SQLiteColumn("cameraMake", \.cameraMake),
        SQLiteColumn("cameraModel", \.cameraModel),
        SQLiteColumn("latitude", \.latitude),
        SQLiteColumn("longitude", \.longitude),
    ]
}

extension LibraryIndex {
    /// Returns all assets that are not hidden, the oldest first.
    func listedAssets() throws(PHPhotosError) -> [ListedAsset] {
        try read { database in
            try database.rows(
                """
                SELECT asset.*, IFNULL(resource.originalFilename, '') AS originalFilename
                FROM asset LEFT JOIN resource ON resource.assetID = asset.id AND resource.position = 0
                WHERE asset.isHidden = 0 AND asset.deletedDate IS NULL ORDER BY asset.creationDate, asset.id
                """)
        }
    }
}
