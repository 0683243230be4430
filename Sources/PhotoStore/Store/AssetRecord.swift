import Foundation
import GRDB

/// A row of the table `asset`.
struct AssetRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "asset"

    /// Increases with each import; nil until inserted.
    var id: Int64?
    var localIdentifier: String
    /// `PHAssetMediaType`.
    var mediaType: Int
    /// `PHAssetMediaSubtype`.
    var mediaSubtypes: Int
    /// Pixels of the upright image.
    var pixelWidth: Int
    var pixelHeight: Int
    /// Seconds; 0 for photos.
    var duration: Double
    /// Dates in seconds since 1970.
    var creationDate: Double
    var modificationDate: Double
    var addedDate: Double
    var isFavorite: Bool
    var isHidden: Bool
    /// The file name of the thumbnail.
    var thumbnailName: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A row of the table `resource`.
struct ResourceRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "resource"

    var id: Int64?
    var assetID: Int64
    /// The index within the asset.
    var position: Int
    /// `PHAssetResourceType`.
    var type: Int
    var uniformTypeIdentifier: String
    var originalFilename: String
    /// The file name in the folder `originals`.
    var fileName: String
    var byteCount: Int64
    var pixelWidth: Int
    var pixelHeight: Int

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
