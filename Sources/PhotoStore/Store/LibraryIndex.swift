import Foundation
import GRDB

/// The library's database of assets, resources and albums.
///
/// It uses SQLite in write-ahead mode with full synchronization, so that committed changes survive a power failure.
/// - Important: Thread-safe. One writer at a time, across processes.
final class LibraryIndex: Sendable {
    private let pool: DatabasePool
    let path: String
    /// The timeout of a writer that waits for another process, which may be importing a long movie.
    private static let busyMilliseconds = 60_000

    /// Opens the index, and creates it if it does not exist.
    ///
    /// - Throws: `PHPhotosError`.
    init(at url: URL) throws(PHPhotosError) {
        path = url.path
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(Self.busyMilliseconds) / 1000)
        configuration.prepareDatabase { database in
            // With NORMAL, GRDB's default for write-ahead mode, a power failure can lose the last commits.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            // If several processes switch a new file to write-ahead mode concurrently, SQLite fails some of them
            // regardless of the timeout. Migrations must not run concurrently either.
            pool = try FolderLock.whileHolding(url.deletingLastPathComponent()) { [configuration] in
                Self.createPrivateFile(at: url)
                let pool = try DatabasePool(path: url.path, configuration: configuration)
                let (isComplete, isNewer) = try pool.read { database in
                    (try Self.migrator.hasCompletedMigrations(database), try Self.migrator.hasBeenSuperseded(database))
                }
                guard !isNewer else {
                    throw PHPhotosError(
                        .libraryVolumeOffline, "the photo library's index \(url.path) was created by a newer version")
                }
                if !isComplete { try Self.migrator.migrate(pool) }
                return pool
            }
        } catch {
            throw PHPhotosError(error, index: url.path)
        }
    }

    /// Creates an empty index that only its owner can access; does nothing if the index exists.
    ///
    /// SQLite accepts an empty file as a new database and gives its write-ahead log the same permissions. By itself it
    /// would let all users read them. An existing index is not opened, because closing it would release SQLite's locks.
    private static func createPrivateFile(at url: URL) {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // SQLite reports the reason if no file can be created.
        if descriptor >= 0 { close(descriptor) }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("assets and resources") { database in
            try database.create(table: AssetRecord.databaseTableName) { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("localIdentifier", .text).notNull().unique()
                table.column("mediaType", .integer).notNull()
                table.column("mediaSubtypes", .integer).notNull()
                table.column("pixelWidth", .integer).notNull()
                table.column("pixelHeight", .integer).notNull()
                table.column("duration", .double).notNull()
                table.column("creationDate", .double).notNull().indexed()
                table.column("modificationDate", .double).notNull()
                table.column("addedDate", .double).notNull()
                table.column("isFavorite", .boolean).notNull()
                table.column("isHidden", .boolean).notNull()
                table.column("thumbnailName", .text).notNull().unique()
            }
            try database.create(table: ResourceRecord.databaseTableName) { table in
                table.autoIncrementedPrimaryKey("id")
                table.belongsTo("asset", onDelete: .cascade).notNull()
                table.column("position", .integer).notNull()
                table.column("type", .integer).notNull()
                table.column("uniformTypeIdentifier", .text).notNull()
                table.column("originalFilename", .text).notNull()
                table.column("fileName", .text).notNull().unique()
                table.column("byteCount", .integer).notNull()
                table.column("pixelWidth", .integer).notNull()
                table.column("pixelHeight", .integer).notNull()
                table.uniqueKey(["assetID", "position"])
            }
        }
        migrator.registerMigration("albums") { database in
            try database.create(table: AlbumRecord.databaseTableName) { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("localIdentifier", .text).notNull().unique()
                table.column("title", .text).notNull()
            }
            // The assets of an album are ordered by `position`, which increases with each added asset.
            try database.create(table: "albumAsset") { table in
                table.autoIncrementedPrimaryKey("position")
                table.belongsTo("album", onDelete: .cascade).notNull()
                table.belongsTo("asset", onDelete: .cascade).notNull()
                table.uniqueKey(["albumID", "assetID"])
            }
        }
        migrator.registerMigration("reserved identifiers") { database in
            try database.create(table: "reservation") { table in
                table.primaryKey("localIdentifier", .text)
            }
        }
        return migrator
    }

    /// Reserves an identifier for a new object, across processes.
    ///
    /// - Returns: False if an object or another reservation already has the identifier.
    func reserve(_ identifier: String) throws(PHPhotosError) -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO reservation (localIdentifier) SELECT :identifier
                    WHERE NOT EXISTS (SELECT 1 FROM asset WHERE localIdentifier = :identifier)
                    AND NOT EXISTS (SELECT 1 FROM album WHERE localIdentifier = :identifier)
                    ON CONFLICT (localIdentifier) DO NOTHING
                    """, arguments: ["identifier": identifier])
            return database.changesCount > 0
        }
    }

    /// Deletes reservations within a transaction, after their objects were created or discarded.
    static func release(_ identifiers: [String], _ database: Database) throws {
        for identifier in identifiers {
            try database.execute(sql: "DELETE FROM reservation WHERE localIdentifier = ?", arguments: [identifier])
        }
    }

    /// Runs `body` in a transaction that is committed when `body` returns.
    ///
    /// The write lock is held from the beginning. Files may be moved into the library or removed only while holding it.
    func write<Result>(_ body: (Database) throws -> Result) throws(PHPhotosError) -> Result {
        do {
            return try pool.writeWithoutTransaction { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(database)
                    return .commit
                }
                guard let result else { throw PHPhotosError(.internalError, "a transaction ended without a result") }
                return result
            }
        } catch {
            throw PHPhotosError(error, index: path)
        }
    }

    /// Runs `body` like `write`, but does nothing if another process is writing.
    func writeUnlessBusy(_ body: (Database) throws -> Void) throws(PHPhotosError) {
        do {
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA busy_timeout = 0")
                defer {
                    // This statement cannot fail on an open connection.
                    try? database.execute(sql: "PRAGMA busy_timeout = \(Self.busyMilliseconds)")
                }
                do {
                    try database.inTransaction(.immediate) {
                        try body(database)
                        return .commit
                    }
                } catch DatabaseError.SQLITE_BUSY {
                    return
                }
            }
        } catch {
            throw PHPhotosError(error, index: path)
        }
    }

    /// Runs `body` on a snapshot of the index.
    func read<Result>(_ body: (Database) throws -> Result) throws(PHPhotosError) -> Result {
        do {
            return try pool.read(body)
        } catch {
            throw PHPhotosError(error, index: path)
        }
    }

    /// Returns the assets that match a query, in its order. Ignores its predicate and limit.
    func assets(matching query: AssetQuery) throws(PHPhotosError) -> [AssetRecord] {
        try read { database in
            var request = AssetRecord.all()
            if let type = query.mediaType { request = request.filter(Column("mediaType") == type.rawValue) }
            if let identifiers = query.localIdentifiers {
                request = request.filter(identifiers.contains(Column("localIdentifier")))
            }
            if query.isFavorite { request = request.filter(Column("isFavorite") == true) }
            if query.isHidden { request = request.filter(Column("isHidden") == true) }
            if let album = query.albumIdentifier {
                let members: SQLRequest<Int64> = """
                    SELECT albumAsset.assetID FROM albumAsset JOIN album ON album.id = albumAsset.albumID
                    WHERE album.localIdentifier = \(album)
                    """
                request = request.filter(members.contains(Column("id")))
            }
            if !query.includesHidden { request = request.filter(Column("isHidden") == false) }
            var order: [any SQLOrderingTerm] = query.order.map { term in
                let column = Column(term.key.rawValue)
                return term.isAscending ? column.asc : column.desc
            }
            if let album = query.albumIdentifier {
                order.append(
                    SQL(
                        """
                        (SELECT position FROM albumAsset JOIN album ON album.id = albumAsset.albumID
                        WHERE album.localIdentifier = \(album) AND albumAsset.assetID = asset.id)
                        """
                    ).sqlExpression)
            }
            order.append(Column("id").asc)
            return try request.order(order).fetchAll(database)
        }
    }

    /// Returns the albums that match a query, in the order of their creation.
    func albums(matching query: AlbumQuery) throws(PHPhotosError) -> [AlbumSummary] {
        let albums = try read { database in
            try AlbumSummary.fetchAll(
                database,
                sql: """
                    SELECT album.localIdentifier, album.title, COUNT(asset.id) AS assetCount,
                        MIN(asset.creationDate) AS startDate, MAX(asset.creationDate) AS endDate
                    FROM album
                    LEFT JOIN albumAsset ON albumAsset.albumID = album.id
                    LEFT JOIN asset ON asset.id = albumAsset.assetID
                    WHERE :asset IS NULL OR album.id IN (
                        SELECT albumAsset.albumID FROM albumAsset JOIN asset ON asset.id = albumAsset.assetID
                        WHERE asset.localIdentifier = :asset)
                    GROUP BY album.id ORDER BY album.id
                    """,
                arguments: ["asset": query.assetIdentifier])
        }
        guard let identifiers = query.localIdentifiers.map(Set.init) else { return albums }
        return albums.filter { identifiers.contains($0.localIdentifier) }
    }

    /// Returns the resources of an asset in their order.
    func resources(ofAsset localIdentifier: String) throws(PHPhotosError) -> [ResourceRecord] {
        try read { database in
            try ResourceRecord.fetchAll(
                database,
                sql: """
                    SELECT resource.* FROM resource JOIN asset ON asset.id = resource.assetID
                    WHERE asset.localIdentifier = ? ORDER BY resource.position
                    """,
                arguments: [localIdentifier])
        }
    }
}
