import Foundation
import GRDB

/// A row of the table `album`.
struct AlbumRecord: Codable, Sendable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "album"

    /// Grows with each creation; nil until inserted.
    var id: Int64?
    var localIdentifier: String
    var title: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// An album with what its assets tell.
struct AlbumSummary: Codable, Sendable, Equatable, FetchableRecord {
    var localIdentifier: String
    var title: String
    var assetCount: Int
    /// The creation dates of the oldest and the newest asset, in seconds since 1970; nil where there is none.
    var startDate: Double?
    var endDate: Double?
}

/// Which albums a fetch asks for.
struct AlbumQuery: Sendable {
    /// Nil for all.
    var localIdentifiers: [String]?
    /// Nil for all; else only those that hold the asset.
    var assetIdentifier: String?
}
