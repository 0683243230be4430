/// The numbers of buffers in use in the pools of the process at one time, to find buffers that are never released.
package struct PixelBufferCensus: Sendable {
    private struct Entry: Sendable {
        // Retained, so that no other pool gets its address.
        let pool: PixelMemoryPool
        let inUse: Int
    }

    private let entries: [ObjectIdentifier: Entry]

    /// Counts the buffers in use.
    package init() {
        let pools = Self.pools.withLock { $0.compactMap(\.pool) }
        entries = Dictionary(
            pools.map { (ObjectIdentifier($0), Entry(pool: $0, inUse: $0.counts.inUse)) }
        ) { first, _ in first }
    }

    /// Returns the pools with more buffers in use than earlier, and how many more; sorted by name.
    ///
    /// - Parameters:
    ///   - earlier: The earlier census.
    ///   - owners: The owners of the pools that count; nil means all pools.
    ///   - exceptions: Buffers that do not count.
    package func additions(
        since earlier: PixelBufferCensus, of owners: Set<ObjectIdentifier>?, except exceptions: [CVPixelBuffer]
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

    /// Adds a new pool.
    static func add(_ pool: PixelMemoryPool) {
        pools.withLock { pools in
            pools.removeAll { $0.pool == nil }
            pools.append(WeakPool(pool: pool))
        }
    }
}
