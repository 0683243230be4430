/// A row of the table `asset`.
struct AssetRecord: SQLiteRecord {
    static let table = "asset"
    static let columns: [SQLiteColumn<AssetRecord>] = [
        SQLiteColumn("id", \.id),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("mediaType", \.mediaType),
        SQLiteColumn("mediaSubtypes", \.mediaSubtypes),
        SQLiteColumn("pixelWidth", \.pixelWidth),
        SQLiteColumn("pixelHeight", \.pixelHeight),
        SQLiteColumn("duration", \.duration),
        SQLiteColumn("creationDate", \.creationDate),
        SQLiteColumn("modificationDate", \.modificationDate),
        SQLiteColumn("addedDate", \.addedDate),
        SQLiteColumn("isFavorite", \.isFavorite),
        SQLiteColumn("isHidden", \.isHidden),
        SQLiteColumn("thumbnailName", \.thumbnailName),
        SQLiteColumn("latitude", \.latitude),
        SQLiteColumn("longitude", \.longitude),
        SQLiteColumn("altitude", \.altitude),
        SQLiteColumn("adjustmentFormat", \.adjustmentFormat),
        SQLiteColumn("cameraMake", \.cameraMake),
        SQLiteColumn("cameraModel", \.cameraModel),
        SQLiteColumn("thumbnailChecksum", \.thumbnailChecksum),
        SQLiteColumn("deletedDate", \.deletedDate),
        SQLiteColumn("lensModel", \.lensModel),
        SQLiteColumn("burstIdentifier", \.burstIdentifier),
        SQLiteColumn("rating", \.rating),
    ]

    /// Increases with each import; nil until inserted.
    var id: Int64?
    var localIdentifier = ""
    /// The raw value of a `PHAssetMediaType`.
    var mediaType = 0
    /// The raw value of a `PHAssetMediaSubtype`.
    var mediaSubtypes = 0
    /// The size of the upright image in pixels.
    var pixelWidth = 0
    var pixelHeight = 0
    /// In seconds; 0 for photos.
    var duration: Double = 0
    /// The dates are in seconds since 1970.
    var creationDate: Double = 0
    var modificationDate: Double = 0
    var addedDate: Double = 0
    var isFavorite = false
    var isHidden = false
    /// The file name of the thumbnail.
    var thumbnailName = ""
    /// Degrees, north and east positive; nil without a location.
    var latitude: Double?
    var longitude: Double?
    /// Meters above sea level; nil if unknown.
    var altitude: Double?
    /// The format identifier of the adjustment data of an edited asset; nil for an original.
    var adjustmentFormat: String?
    /// The manufacturer and the name of the camera; nil if unknown.
    var cameraMake: String?
    var cameraModel: String?
    /// The SHA-256 checksum of the thumbnail in hexadecimal digits; nil if it is not known.
    var thumbnailChecksum: String?
    /// When the user deleted the asset, in seconds since 1970; nil for an asset that is not in Recently Deleted.
    var deletedDate: Double?
    /// The name of the lens, with which cameras name the front camera; nil if unknown.
    var lensModel: String?
    /// The identifier of the burst that the photo belongs to; nil for all others.
    var burstIdentifier: String?
    /// The raw value of a `PHAsset.Rating`.
    var rating = 0
}

/// A row of the table `resource`.
struct ResourceRecord: SQLiteRecord {
    static let table = "resource"
    static let columns: [SQLiteColumn<ResourceRecord>] = [
        SQLiteColumn("id", \.id),
        SQLiteColumn("assetID", \.assetID),
        SQLiteColumn("position", \.position),
        SQLiteColumn("type", \.type),
        SQLiteColumn("uniformTypeIdentifier", \.uniformTypeIdentifier),
        SQLiteColumn("originalFilename", \.originalFilename),
        SQLiteColumn("fileName", \.fileName),
        SQLiteColumn("byteCount", \.byteCount),
        SQLiteColumn("pixelWidth", \.pixelWidth),
        SQLiteColumn("pixelHeight", \.pixelHeight),
        SQLiteColumn("checksum", \.checksum),
    ]

    /// Nil until inserted.
    var id: Int64?
    /// The `id` of the asset.
    var assetID: Int64 = 0
    /// The index among the resources of the asset; the resource at index 0 is displayed.
    var position = 0
    /// The raw value of a `PHAssetResourceType`.
    var type = 0
    var uniformTypeIdentifier = ""
    var originalFilename = ""
    /// The file name in the folder `originals`.
    var fileName = ""
    var byteCount: Int64 = 0
    /// The size of the upright image in pixels; 0 for a raw photo.
    var pixelWidth = 0
    var pixelHeight = 0
    /// The SHA-256 checksum of the file in hexadecimal digits; nil if it is not known.
    var checksum: String?

    /// Whether the file is an edited photo or movie, which is displayed instead of the original.
    var isEditedContent: Bool {
        PHAssetResourceType(rawValue: type)?.isEditedContent ?? false
    }

    /// Whether the file was created by an edit.
    var belongsToEdit: Bool { isEditedContent || type == PHAssetResourceType.adjustmentData.rawValue }
}
