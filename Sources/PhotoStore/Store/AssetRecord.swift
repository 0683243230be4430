import Foundation
import GRDB

/// A row of the table `asset`.
struct AssetRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "asset"

    /// Increases with each import; nil until inserted.
    var id: Int64?
    var localIdentifier: String
    /// The raw value of a `PHAssetMediaType`.
    var mediaType: Int
    /// The raw value of a `PHAssetMediaSubtype`.
    var mediaSubtypes: Int
    /// The size of the upright image in pixels.
    var pixelWidth: Int
    var pixelHeight: Int
    /// In seconds; 0 for photos.
    var duration: Double
    /// The dates are in seconds since 1970.
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

    /// Nil until inserted.
    var id: Int64?
    /// The `id` of the asset.
    var assetID: Int64
    /// The index among the resources of the asset; the resource at index 0 is displayed.
    var position: Int
    /// The raw value of a `PHAssetResourceType`.
    var type: Int
    var uniformTypeIdentifier: String
    var originalFilename: String
    /// The file name in the folder `originals`.
    var fileName: String
    var byteCount: Int64
    /// The size of the upright image in pixels; 0 for a raw photo.
    var pixelWidth: Int
    var pixelHeight: Int

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
