/// A state of the index, which later changes do not affect.
///
/// It occupies a read-only connection. As long as it exists, SQLite cannot reuse the write-ahead log from its beginning,
/// so that the log grows with each later change.
/// - Important: Confined to one thread at a time; any thread may release it.
final class IndexSnapshot {
    /// The number of the last change that the snapshot contains.
    let lastChange: Int64
    private let index: LibraryIndex
    private let connection: SQLiteConnection

    /// Creates a snapshot of the current state.
    init(of index: LibraryIndex) throws(PHPhotosError) {
        self.index = index
        do {
            connection = try index.acquireReader()
            try connection.begin()
            // SQLite creates the snapshot with the first statement that reads.
            lastChange = try LibraryIndex.lastChange(connection)
        } catch {
            // The connection is closed with its transaction.
            throw PHPhotosError(error, index: index.path)
        }
    }

    deinit {
        // A connection that cannot end its transaction is closed.
        if (try? connection.commit()) != nil { index.release(connection) }
    }

    /// Runs `body` on the snapshot.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws(PHPhotosError) -> Result {
        do {
            return try body(connection)
        } catch {
            throw PHPhotosError(error, index: index.path)
        }
    }
}
