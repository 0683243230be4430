import Foundation
import MediaTypes

/// The library's database of assets, resources, albums and folders.
///
/// It uses SQLite in write-ahead logging (WAL) mode with full synchronization, so that committed changes survive a
/// power failure. One connection writes. Each read uses a read-only connection that no other thread uses at the same
/// time, so that readers wait neither for a writer nor for each other.
/// - Important: Thread-safe. One writer at a time, across processes.
final class LibraryIndex: Sendable {
    // SAFETY: after the initialization, only blocks on `writeQueue` use the connection.
    nonisolated(unsafe) private let writer: SQLiteConnection
    /// Why the index can only be read; nil if it can be changed.
    private let unwritableReason: PHPhotosError?
    private let writeQueue = DispatchQueue(label: "LibraryIndex.write")
    // SAFETY: only blocks on `writeQueue` use it.
    nonisolated(unsafe) private var hasWritten = false
    /// Read-only connections that are not in use. Together with those in use, there are at most as many as the largest
    /// number of concurrent reads so far.
    private let idleReaders = Lock<[SQLiteConnection]>([], order: .primitive)
    let path: String
    /// The timeout of a writer that waits for another process, which may be importing a long movie.
    private static let busyMilliseconds: Int32 = 60_000

    /// Opens the index, and creates it if it does not exist. An index that cannot be changed is only read.
    ///
    /// - Throws: `PHPhotosError`.
    init(at url: URL) throws(PHPhotosError) {
        path = url.path
        do {
            // If several processes switch a new file to write-ahead mode concurrently, SQLite fails some of them
            // regardless of the timeout. Migrations must not run concurrently either.
            (writer, unwritableReason) = try FolderLock.withLock(url.deletingLastPathComponent()) {
                Self.createPrivateFile(at: url)
                do {
                    return (try Self.connect(url, for: .writing), nil)
                } catch let error as SQLiteError where error.preventsWriting && Self.isUnused(url) {
                    // A copy on a read-only volume, or a library of another user.
                    return (try Self.connect(url, for: .readingUnchanged), PHPhotosError(error, index: url.path))
                }
            }
        } catch {
            throw PHPhotosError(error, index: url.path)
        }
    }

    private static func connect(_ url: URL, for access: SQLiteConnection.Access) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: url.path, for: access, busyMilliseconds: busyMilliseconds)
        try migrate(connection, path: url.path)
        return connection
    }

    /// Whether no process uses an index, after a connection that writes has failed: the write-ahead log is empty, and there
    /// is no shared memory of connections. SQLite shortens what an earlier process left of it to less than a page.
    private static func isUnused(_ url: URL) -> Bool {
        func byteCount(_ suffix: String) -> Int {
            var status = stat()
            return stat(url.path + suffix, &status) == 0 ? Int(status.st_size) : 0
        }
        return byteCount("-wal") == 0 && byteCount("-shm") < sharedMemoryPageByteCount
    }

    /// The size in which SQLite allocates the shared memory of connections.
    private static let sharedMemoryPageByteCount = 32768

    deinit {
        // The last connection to close moves the write-ahead log to the database, which a read-only one cannot do.
        idleReaders.withLock { $0.removeAll() }
        if hasWritten { IndexCheckpoint.cancel(path) }
    }

    /// Creates an empty index that only its owner can access; does nothing if the index exists.
    ///
    /// SQLite accepts an empty file as a new database, and creates its write-ahead log with the same permissions. A
    /// database that SQLite itself creates is readable by all users. An existing index is not opened, because closing
    /// any descriptor of a file releases the locks of the process on it (fcntl(2)), including SQLite's.
    private static func createPrivateFile(at url: URL) {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // SQLite reports the reason if no file can be created.
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reserves an identifier for a new object, across processes.
    ///
    /// - Returns: False if an object, a deleted asset or another reservation already has the identifier.
    func reserve(_ identifier: String) throws(PHPhotosError) -> Bool {
        // After a power failure, no process needs the identifier.
        try write(isFlushed: false) { database in
            try database.execute(
                """
                INSERT INTO reservation (localIdentifier, process, processStart) SELECT ?1, ?2, ?3
                WHERE NOT EXISTS (SELECT 1 FROM asset WHERE localIdentifier = ?1)
                AND NOT EXISTS (SELECT 1 FROM formerAsset WHERE localIdentifier = ?1)
                AND NOT EXISTS (SELECT 1 FROM album WHERE localIdentifier = ?1)
                AND NOT EXISTS (SELECT 1 FROM collectionList WHERE localIdentifier = ?1)
                ON CONFLICT (localIdentifier) DO NOTHING
                """, [identifier, Self.process.identifier, Self.process.start])
            return database.changeCount > 0
        }
    }

    /// Deletes reservations within a transaction, after their objects were created or discarded.
    static func release(_ identifiers: [String], _ database: SQLiteConnection) throws {
        for identifier in identifiers {
            try database.execute("DELETE FROM reservation WHERE localIdentifier = ?", [identifier])
        }
    }

    /// Deletes the reservations of processes that have ended.
    static func releaseIdentifiersOfEndedProcesses(_ database: SQLiteConnection) throws {
        let rows: [ProcessIdentity] = try database.rows(
            "SELECT DISTINCT IFNULL(process, 0) AS process, IFNULL(processStart, 0) AS processStart FROM reservation")
        for row in rows where !row.isRunning {
            try database.execute(
                "DELETE FROM reservation WHERE IFNULL(process, 0) = ? AND IFNULL(processStart, 0) = ?",
                [row.identifier, row.start])
        }
    }

    private static let process = ProcessIdentity(getpid())

    /// Runs `body` in a transaction that is committed when `body` returns.
    ///
    /// The write lock is held from the beginning. Only while holding it, files may be written to `incoming` and those of
    /// interrupted changes may be removed.
    ///
    /// - Parameter isFlushed: Whether the changes survive a power failure. If false, they survive one after the next
    ///   transaction that is flushed.
    func write<Result>(
        isFlushed: Bool = true, _ body: (SQLiteConnection) throws -> Result
    ) throws(PHPhotosError) -> Result {
        if let unwritableReason { throw unwritableReason }
        do {
            return try writeQueue.sync {
                let result = try writer.transaction(isFlushed: isFlushed) { try body(writer) }
                if !hasWritten {
                    hasWritten = true
                    IndexCheckpoint.register(path)
                }
                return result
            }
        } catch {
            throw PHPhotosError(error, index: path)
        }
    }

    /// Runs `body` on a snapshot of the index.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws(PHPhotosError) -> Result {
        do {
            let reader = try acquireReader()
            let result = try reader.transaction { try body(reader) }
            // After an error the connection is closed.
            release(reader)
            return result
        } catch {
            throw PHPhotosError(error, index: path)
        }
    }

    /// Returns a read-only connection that no one else uses.
    func acquireReader() throws(SQLiteError) -> SQLiteConnection {
        if let idle = idleReaders.withLock({ $0.popLast() }) { return idle }
        return try SQLiteConnection(
            path: path, for: unwritableReason == nil ? .reading : .readingUnchanged,
            busyMilliseconds: Self.busyMilliseconds)
    }

    /// Makes a connection available to others. It must have no transaction.
    func release(_ reader: SQLiteConnection) { idleReaders.withLock { $0.append(reader) } }

    /// Returns the folders that match a query, in the order of their creation.
    func collectionLists(matching query: CollectionListQuery) throws(PHPhotosError) -> [CollectionListRecord] {
        let lists: [CollectionListRecord] = try read { database in
            try database.rows(
                """
                SELECT * FROM collectionList WHERE ?1 IS NULL OR localIdentifier =
                    (SELECT listIdentifier FROM collectionChild WHERE childIdentifier = ?1)
                ORDER BY id
                """, [query.child])
        }
        guard let identifiers = query.localIdentifiers.map(Set.init) else { return lists }
        return lists.filter { identifiers.contains($0.localIdentifier) }
    }

    /// Returns the identifiers of the albums and folders in a folder, in its order.
    func children(of list: String) throws(PHPhotosError) -> [String] {
        try read { database in
            try database.values(
                "SELECT childIdentifier FROM collectionChild WHERE listIdentifier = ? ORDER BY position", [list])
        }
    }

    /// Returns the albums that match a query, in the order of their creation.
    func albums(matching query: AlbumQuery) throws(PHPhotosError) -> [AlbumSummary] {
        let albums: [AlbumSummary] = try read { database in
            try database.rows(
                """
                SELECT album.localIdentifier, album.title, COUNT(asset.id) AS assetCount,
                    MIN(asset.creationDate) AS startDate, MAX(asset.creationDate) AS endDate
                FROM album
                LEFT JOIN albumAsset ON albumAsset.albumID = album.id
                LEFT JOIN asset ON asset.id = albumAsset.assetID AND asset.deletedDate IS NULL
                WHERE ?1 IS NULL OR album.id IN (
                    SELECT albumAsset.albumID FROM albumAsset JOIN asset ON asset.id = albumAsset.assetID
                    WHERE asset.localIdentifier = ?1 AND asset.deletedDate IS NULL)
                GROUP BY album.id ORDER BY album.id
                """, [query.assetIdentifier])
        }
        guard let identifiers = query.localIdentifiers.map(Set.init) else { return albums }
        return albums.filter { identifiers.contains($0.localIdentifier) }
    }

    /// Returns the resources of an asset in their order.
    func resources(ofAsset localIdentifier: String) throws(PHPhotosError) -> [ResourceRecord] {
        try read { database in
            try database.rows(
                """
                SELECT resource.* FROM resource JOIN asset ON asset.id = resource.assetID
                WHERE asset.localIdentifier = ? ORDER BY resource.position
                """, [localIdentifier])
        }
    }
}
