import Foundation
import GRDB

/// A row of the table `asset`.
struct AssetRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "asset"

    /// Grows with each import; nil until inserted.
    var id: Int64?
    var localIdentifier: String
    /// `PHAssetMediaType`.
    var mediaType: Int
    /// `PHAssetMediaSubtype`.
    var mediaSubtypes: Int
    /// Of the picture as it is shown, upright.
    var pixelWidth: Int
    var pixelHeight: Int
    /// Seconds; 0 for pictures.
    var duration: Double
    /// Dates in seconds since 1970.
    var creationDate: Double
    var modificationDate: Double
    var addedDate: Double
    var isFavorite: Bool
    var isHidden: Bool
    /// The thumbnail's name in its folder.
    var thumbnailName: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A row of the table `resource`.
struct ResourceRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "resource"

    var id: Int64?
    var assetID: Int64
    /// Order within the asset, from 0.
    var position: Int
    /// `PHAssetResourceType`.
    var type: Int
    var uniformTypeIdentifier: String
    var originalFilename: String
    /// The name in the folder of originals.
    var fileName: String
    var byteCount: Int64
    var pixelWidth: Int
    var pixelHeight: Int

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
