import Foundation
import MediaTypes

/// Moves the write-ahead logs of indexes that are still open to the databases when the process exits, so that a plain
/// copy of a library's folder is whole.
///
/// An index that is closed before does so itself. After a process was killed, the next one that closes the index does.
/// - Important: Thread-safe.
enum IndexCheckpoint {
    /// The number of open indexes with changes, by their paths; nil until the first is registered.
    private static let open = Lock<[String: Int]?>(nil, order: .primitive)

    static func register(_ path: String) {
        let isFirst = open.withLock { paths in
            defer { paths = (paths ?? [:]).merging([path: 1], uniquingKeysWith: +) }
            return paths == nil
        }
        if isFirst { atexit { IndexCheckpoint.run() } }
    }

    static func cancel(_ path: String) {
        open.withLock { paths in
            guard let count = paths?[path] else { return }
            paths?[path] = count > 1 ? count - 1 : nil
        }
    }

    private static func run() {
        let paths = open.withLock { $0 ?? [:] }.keys.sorted()
        for path in paths where FileManager.default.fileExists(atPath: path) {
            // Other threads may be using the connections of the index. Nothing is lost without a checkpoint.
            guard let connection = try? SQLiteConnection(path: path, for: .writing, busyMilliseconds: 0) else {
                continue
            }
            let _: [Int]? = try? connection.values("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
