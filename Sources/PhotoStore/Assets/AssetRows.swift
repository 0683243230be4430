import Foundation
import MediaTypes

/// The numbers of the assets that match a query, listed when they are first used.
///
/// Until then, a snapshot of the index preserves the state at the fetch. A client that needs only the number of assets
/// does not wait for the list, because SQLite counts faster.
/// - Important: Thread-safe.
final class AssetRows: Sendable {
    private enum State {
        case unlisted(IndexSnapshot, AssetQuery, count: Int?)
        case listed([Int64])
    }

    /// The last change before the fetch.
    let lastChange: Int64
    // Locked while SQL is executed, because only one thread at a time may use a snapshot.
    private let state: Lock<State>

    init(_ rows: [Int64], lastChange: Int64) {
        self.lastChange = lastChange
        state = Lock(.listed(rows), order: .photoLibraryOpening)
    }

    /// Creates the unlisted rows of a query. SQL must be able to express its predicate.
    init(_ query: AssetQuery, in index: LibraryIndex) throws(PHPhotosError) {
        let snapshot = try IndexSnapshot(of: index)
        lastChange = snapshot.lastChange
        state = Lock(.unlisted(snapshot, query, count: nil), order: .photoLibraryOpening)
    }

    /// The number of assets; 0 if the index can no longer be read.
    var count: Int {
        state.withLock { state in
            switch state {
            case .listed(let rows): return rows.count
            case .unlisted(_, _, let count?): return count
            case .unlisted(let snapshot, let query, nil):
                let count = (try? snapshot.read { try query.count($0) }) ?? 0
                state = .unlisted(snapshot, query, count: count)
                return count
            }
        }
    }

    /// Returns the number of assets of a type; nil if it is cheaper to count the listed rows.
    func count(of mediaType: PHAssetMediaType) -> Int? {
        state.withLock { state in
            guard case .unlisted(let snapshot, var query, _) = state, query.limit == 0 else { return nil }
            if let type = query.mediaType, type != mediaType { return 0 }
            query.mediaType = mediaType
            return try? snapshot.read { try query.count($0) }
        }
    }

    /// Lists the rows, and ends the snapshot.
    ///
    /// If the index can no longer be read, the rows have the counted number and belong to no assets.
    /// - Returns: The rows, and the records of the first ones if this call has read them.
    func list() -> (rows: [Int64], records: [AssetRecord]) {
        state.withLock { state in
            switch state {
            case .listed(let rows): return (rows, [])
            case .unlisted(let snapshot, let query, let count):
                let found = try? snapshot.read { try LibraryIndex.fetch(query, $0) { _ in true } }
                let rows = found?.rows ?? Array(repeating: 0, count: count ?? 0)
                state = .listed(rows)
                return (rows, found?.records ?? [])
            }
        }
    }
}
