import Foundation
import GRDB

/// A row of the table `album`.
struct AlbumRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "album"

    /// Increases with each created album; nil until inserted.
    var id: Int64?
    var localIdentifier: String
    var title: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// An album with the number and dates of its assets.
struct AlbumSummary: Codable, Sendable, Equatable, FetchableRecord {
    var localIdentifier: String
    var title: String
    var assetCount: Int
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
