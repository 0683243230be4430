/// A snapshot of the numbers of buffers in use in all pools of the process, to find buffers that are never released.
package struct PixelBufferUsage: Sendable {
    private struct Entry: Sendable {
        // Retained, so that its address is not reused by another pool.
        let pool: PixelMemoryPool
        let inUse: Int
    }

    private let entries: [ObjectIdentifier: Entry]

    /// Creates a snapshot of the current numbers.
    package init() {
        let pools = Self.pools.withLock { $0.compactMap(\.pool) }
        entries = Dictionary(
            pools.map { (ObjectIdentifier($0), Entry(pool: $0, inUse: $0.counts.inUse)) }
        ) { first, _ in first }
    }

    /// Returns the pools with more buffers in use than in an earlier snapshot, and the differences; sorted by name.
    ///
    /// - Parameters:
    ///   - earlier: The earlier snapshot.
    ///   - owners: The owners of the pools to compare; nil for all pools.
    ///   - exceptions: Buffers that are not counted.
    package func increases(
        since earlier: PixelBufferUsage, of owners: Set<ObjectIdentifier>?, except exceptions: [CVPixelBuffer]
    ) -> [(pool: String, count: Int)] {
        var excepted: [ObjectIdentifier: Int] = [:]
        for memory in Set(exceptions.compactMap(\.pooledMemory)) { excepted[memory.pool, default: 0] += 1 }
        return entries.compactMap { id, entry in
            if let owners, entry.pool.owner.map(owners.contains) != true { return nil }
            let count = entry.inUse - (earlier.entries[id]?.inUse ?? 0) - excepted[id, default: 0]
            return count > 0 ? (entry.pool.description, count) : nil
        }.sorted { $0 < $1 }
    }

    // MARK: The pools of the process

    private struct WeakPool {
        weak var pool: PixelMemoryPool?
    }

    private static let pools = Lock<[WeakPool]>([], order: .primitive)

    /// Adds a pool to those that are counted.
    static func add(_ pool: PixelMemoryPool) {
        pools.withLock { pools in
            pools.removeAll { $0.pool == nil }
            pools.append(WeakPool(pool: pool))
        }
    }
}
