import CaptureHAL
import Foundation
import MediaTypes

/// The assets of a fetch: their numbers in the index, and the assets that were read last.
///
/// Invariant: the elements of `loaded` are at most `loadedCount`, and as they were at the fetch or later.
/// - Important: Thread-safe.
final class AssetList: FetchedObjects, Sendable {
    /// The number of assets that are read at a time.
    static let pageCount = 128
    /// The number of assets that are kept.
    private static let loadedCount = 8 * pageCount

    private let library: PHPhotoLibrary
    private let query: AssetQuery
    private let assetRows: AssetRows
    private let loaded: Lock<[Int64: PHAsset]>

    /// Performs a fetch. The list is empty without authorization to read, or if the library cannot be read; clients read
    /// the error from `unavailabilityReason`.
    ///
    /// A fetch that can return many assets lists them when they are first used, or before this process changes the
    /// library.
    convenience init(_ query: AssetQuery, in library: PHPhotoLibrary) {
        let restricted = library.restricted(query)
        if let restricted, restricted.canHaveManyResults, restricted.remainder == nil {
            let rows = try? AssetRows(restricted, in: library.store().index)
            self.init(query, rows ?? AssetRows([], lastChange: 0), [], in: library)
            library.listBeforeChange(self)
        } else {
            self.init(query, restricted.flatMap { try? library.rows($0) }, in: library)
        }
    }

    private convenience init(_ query: AssetQuery, _ rows: FetchedRows?, in library: PHPhotoLibrary) {
        let first = (rows?.records ?? []).map { PHAsset($0, in: library) }
        self.init(query, AssetRows(rows?.rows ?? [], lastChange: rows?.lastChange ?? 0), first, in: library)
    }

    private init(_ query: AssetQuery, _ rows: AssetRows, _ loaded: [PHAsset], in library: PHPhotoLibrary) {
        self.library = library
        self.query = query
        assetRows = rows
        let entries = loaded.prefix(Self.loadedCount).compactMap { asset in asset.row.map { ($0, asset) } }
        self.loaded = Lock(Dictionary(entries) { first, _ in first })
    }

    // MARK: Objects

    var count: Int { assetRows.count }

    /// Lists the assets, unless they are listed.
    func list() { _ = rows }

    private var rows: [Int64] {
        let (rows, records) = assetRows.list()
        if !records.isEmpty {
            let assets = records.map { PHAsset($0, in: library) }
            loaded.withLock { loaded in
                for asset in assets { if let row = asset.row { loaded[row] = asset } }
            }
        }
        return rows
    }

    func object(at index: Int) -> PHAsset {
        let rows = rows
        if let asset = loaded.withLock({ $0[rows[index]] }) { return asset }
        let start = index / Self.pageCount * Self.pageCount
        let page = read(Array(rows[start..<min(start + Self.pageCount, rows.count)]))
        return page[index - start]
    }

    func objects(at indexes: IndexSet) -> [PHAsset] {
        let rows = rows
        var requested = indexes.map { rows[$0] }[...]
        var result: [PHAsset] = []
        while !requested.isEmpty {
            let part = requested.prefix(Self.loadedCount)
            requested = requested.dropFirst(part.count)
            let known = loaded.withLock { loaded in part.map { loaded[$0] } }
            var missing = read(zip(part, known).filter { $1 == nil }.map { $0.0 })[...]
            result += known.compactMap { $0 ?? missing.popFirst() }
        }
        return result
    }

    func index(of object: PHAsset, in indexes: Range<Int>) -> Int? {
        // An asset of another library can have the same number.
        let row = object.library === library ? object.row : row(of: object.localIdentifier)
        return row.flatMap { rows[indexes].firstIndex(of: $0) }
    }

    private func row(of localIdentifier: String) -> Int64? {
        try? library.store().index.rows(of: [localIdentifier]).first
    }

    func localIdentifiers() -> [String] {
        let rows = rows
        let identifiers = (try? library.store().index.localIdentifiers(of: rows)) ?? [:]
        return rows.map { identifiers[$0] ?? "" }
    }

    /// Returns the number of assets of a type; nil if the library cannot be read.
    func count(of mediaType: PHAssetMediaType) -> Int? {
        assetRows.count(of: mediaType) ?? (try? library.store().index.count(of: mediaType, among: rows))
    }

    /// Reads assets, and keeps them for later accesses.
    private func read(_ rows: [Int64]) -> [PHAsset] {
        guard !rows.isEmpty else { return [] }
        let records = (try? library.store().index.assets(rows)) ?? [:]
        let assets = rows.map { row in
            // The library can no longer be read, or does not even know that it had the asset.
            PHAsset(records[row] ?? AssetRecord(id: row), in: library)
        }
        loaded.withLock { loaded in
            if loaded.count + assets.count > Self.loadedCount { loaded.removeAll(keepingCapacity: true) }
            for (row, asset) in zip(rows, assets) { loaded[row] = asset }
        }
        return assets
    }

    // MARK: Changes

    func updated(after outcome: ChangeOutcome) -> (PHFetchResult<PHAsset>, FetchDifferences)? {
        guard let query = library.restricted(query) else {
            return (PHFetchResult(AssetList(self.query, FetchedRows?.none, in: library)), removingAll)
        }
        do {
            let index = try library.store().index
            let remainder = query.remainder
            let updated = try index.update(rows, of: query, since: assetRows.lastChange) {
                remainder?.evaluate(with: PHAsset($0, in: library)) ?? true
            }
            guard let update = updated else { return nil }
            // The assets that did not change need not be read again.
            let touched = Set(update.touchedRows)
            let unchanged = loaded.withLock { Array($0.values) }
                .filter { $0.row.map { !touched.contains($0) } ?? false }
            let changed = update.records.map { PHAsset($0, in: library) }
            let rows = AssetRows(update.rows, lastChange: update.lastChange)
            let after = AssetList(self.query, rows, changed + unchanged, in: library)
            return (PHFetchResult(after), update.differences)
        } catch {
            return nil
        }
    }

    private var removingAll: FetchDifferences {
        var differences = FetchDifferences()
        differences.removed = IndexSet(0..<count)
        return differences
    }
}

extension PHPhotoLibrary {
    /// Adds the restriction of a limited authorization to a query.
    ///
    /// - Returns: Nil without authorization to read.
    fileprivate func restricted(_ query: AssetQuery) -> AssetQuery? {
        guard mayRead() else { return nil }
        var query = query
        // Without a readable index, nothing is selected.
        if status(for: .readWrite) == .limited { query.selectedIdentifiers = (try? selection()) ?? [] }
        return query
    }

    /// Performs a fetch at once. The part of the predicate that SQL cannot express is evaluated on the assets.
    fileprivate func rows(_ query: AssetQuery) throws(PHPhotosError) -> FetchedRows {
        let remainder = query.remainder
        let rows = try store().index.fetch(query) { remainder?.evaluate(with: PHAsset($0, in: self)) ?? true }
        if let predicate = remainder {
            let subject = FormatPredicates.description(of: predicate)
            logOnce(
                "a fetch evaluates \(subject) on \(rows.evaluatedCount) assets, because SQL cannot express it",
                about: subject)
        }
        return rows
    }
}

extension AssetQuery {
    /// Whether a fetch can return more assets than are read at a time.
    fileprivate var canHaveManyResults: Bool {
        localIdentifiers == nil && (limit == 0 || limit > AssetList.pageCount)
    }
}
