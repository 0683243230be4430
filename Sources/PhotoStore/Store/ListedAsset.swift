package import Foundation

/// An asset with its files and albums, for tools.
package struct ListedAsset: Sendable {
    /// A file of an asset.
    package struct File: Sendable {
        package var type: PHAssetResourceType
        /// The name of the imported file.
        package var originalFilename: String
        /// The location in the library.
        package var url: URL
        package var uniformTypeIdentifier: String
        package var byteCount: Int64
        /// Pixels of the upright image; 0 for a raw photo.
        package var pixelWidth: Int
        package var pixelHeight: Int
        /// The SHA-256 checksum in hexadecimal digits; nil if it is not known.
        package var checksum: String?
    }

    /// The number of the asset in the index.
    var row: Int64 = 0
    package var localIdentifier = ""
    /// The raw value of a `PHAssetMediaType`.
    private var mediaTypeValue = 0
    /// The raw value of a `PHAssetMediaSubtype`.
    private var mediaSubtypesValue = 0
    /// The name of the imported file; empty if the index lists no file.
    package var originalFilename = ""
    /// Pixels of the upright image.
    package var pixelWidth = 0
    package var pixelHeight = 0
    /// In seconds; 0 for photos.
    package var duration: Double = 0
    /// The dates are in seconds since 1970.
    package var creationDate: Double = 0
    package var modificationDate: Double = 0
    package var addedDate: Double = 0
    /// Nil for an asset that is not in Recently Deleted.
    package var deletedDate: Double?
    package var isFavorite = false
    package var isHidden = false
    /// The number of stars; 0 for none.
    package var rating = 0
    /// The format identifier of the adjustment data of an edited asset; nil for an original.
    package var adjustmentFormat: String?
    package var cameraMake: String?
    package var cameraModel: String?
    /// Degrees, north and east positive; nil without a location.
    package var latitude: Double?
    package var longitude: Double?
    /// Meters above sea level; nil if unknown.
    package var altitude: Double?
    /// The titles of its albums, in the order of their creation.
    package var albums: [String] = []
    /// The primary original first.
    package var files: [File] = []

    package var mediaType: PHAssetMediaType { PHAssetMediaType(rawValue: mediaTypeValue) ?? .unknown }
    package var mediaSubtypes: PHAssetMediaSubtype { PHAssetMediaSubtype(rawValue: UInt(mediaSubtypesValue)) }
}

extension ListedAsset: SQLiteRow {
    static let columns: [SQLiteColumn<ListedAsset>] = [
        SQLiteColumn("id", \.row),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("mediaType", \.mediaTypeValue),
        SQLiteColumn("mediaSubtypes", \.mediaSubtypesValue),
        SQLiteColumn("originalFilename", \.originalFilename),
        SQLiteColumn("pixelWidth", \.pixelWidth),
        SQLiteColumn("pixelHeight", \.pixelHeight),
        SQLiteColumn("duration", \.duration),
        SQLiteColumn("creationDate", \.creationDate),
        SQLiteColumn("modificationDate", \.modificationDate),
        SQLiteColumn("addedDate", \.addedDate),
        SQLiteColumn("deletedDate", \.deletedDate),
        SQLiteColumn("isFavorite", \.isFavorite),
        SQLiteColumn("isHidden", \.isHidden),
        SQLiteColumn("rating", \.rating),
        SQLiteColumn("adjustmentFormat", \.adjustmentFormat),
        SQLiteColumn("cameraMake", \.cameraMake),
        SQLiteColumn("cameraModel", \.cameraModel),
        SQLiteColumn("latitude", \.latitude),
        SQLiteColumn("longitude", \.longitude),
        SQLiteColumn("altitude", \.altitude),
    ]
}

extension LibraryStore {
    /// Returns the assets that match a query, in its order, with their albums and files.
    func listedAssets(_ query: ListedAssetQuery) throws(PHPhotosError) -> [ListedAsset] {
        try index.read { database in
            let (sql, values) = try query.statement()
            var assets: [ListedAsset] = try database.rows(sql, values)
            guard query.includesDetails else { return assets }
            let rows = try SQLList(assets.map(\.row))
            let albums: [ListedAlbum] = try database.rows(
                """
                SELECT albumAsset.assetID, album.title FROM albumAsset JOIN album ON album.id = albumAsset.albumID
                WHERE albumAsset.assetID IN (SELECT value FROM json_each(?)) ORDER BY album.id
                """, [rows])
            let resources: [ResourceRecord] = try database.rows(
                """
                SELECT * FROM resource WHERE assetID IN (SELECT value FROM json_each(?)) ORDER BY assetID, position
                """, [rows])
            let titles = Dictionary(grouping: albums, by: \.assetID)
            let files = Dictionary(grouping: resources, by: \.assetID)
            for index in assets.indices {
                assets[index].albums = titles[assets[index].row]?.map(\.title) ?? []
                assets[index].files = files[assets[index].row]?.map(file) ?? []
            }
            return assets
        }
    }

    private func file(_ resource: ResourceRecord) -> ListedAsset.File {
        ListedAsset.File(
            type: PHAssetResourceType(rawValue: resource.type) ?? .photo, originalFilename: resource.originalFilename,
            url: folder.original(resource.fileName), uniformTypeIdentifier: resource.uniformTypeIdentifier,
            byteCount: resource.byteCount, pixelWidth: resource.pixelWidth, pixelHeight: resource.pixelHeight,
            checksum: resource.checksum)
    }
}

/// An album that contains an asset.
private struct ListedAlbum: SQLiteRow {
    static let columns: [SQLiteColumn<ListedAlbum>] = [
        SQLiteColumn("assetID", \.assetID), SQLiteColumn("title", \.title),
    ]

    var assetID: Int64 = 0
    var title = ""
}
