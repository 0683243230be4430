import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import PhotoStore

/// Fetches from an index with many assets, which have no files.
final class AssetListTests: PhotoLibraryTestCase {
    private var system = CaptureSystem(hosts: [], clock: SimClock())
    private var random = SplitMix64(seed: 1)
    private var insertedCount = 0
    private var hasBursts = false

    override func setUpWithError() throws {
        try super.setUpWithError()
        system = makeSystem()
        random = SplitMix64(seed: 1)
        insertedCount = 0
    }

    private func index() throws -> LibraryIndex { try system.run { try PHPhotoLibrary.shared().store().index } }

    private func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private func insert(_ count: Int, _ database: SQLiteConnection) throws -> [String] {
        try (0..<count).map { _ in
            insertedCount += 1
            var asset = AssetRecord()
            asset.localIdentifier = "asset-\(insertedCount)/L0/001"
            asset.thumbnailName = "\(insertedCount).jpg"
            try vary(&asset)
            try asset.insert(database)
            return asset.localIdentifier
        }
    }

    /// Sets properties to random values, many of which are equal.
    private func vary(_ asset: inout AssetRecord) throws {
        asset.mediaType = 1 + number(below: 2)
        asset.mediaSubtypes = number(below: 4)
        asset.pixelWidth = 10 * number(below: 5)
        asset.pixelHeight = 20
        asset.duration = Double(number(below: 3)) / 2
        // Some are before 1970, and some have more digits than `Date` can store.
        let dates = [-1e9, 0.1234567890123, 4e8, 978_307_200, 1.6e9]
        asset.creationDate = dates[number(below: dates.count)] + Double(number(below: 9))
        asset.modificationDate = Double(number(below: 9))
        asset.isFavorite = number(below: 3) == 0
        asset.isHidden = number(below: 10) == 0
        asset.burstIdentifier = hasBursts && number(below: 4) == 0 ? "burst \(number(below: 20))" : nil
    }

    private func insert(_ count: Int) throws {
        try index().write { database in
            var outcome = ChangeOutcome()
            outcome.inserted = try insert(count, database)
            try LibraryIndex.record(outcome, database)
        }
    }

    /// Inserts, changes and deletes random assets, as one change.
    private func changeAtRandom(upTo count: Int) throws {
        try index().write { database in
            var outcome = ChangeOutcome()
            outcome.inserted = try insert(number(below: count), database)
            var assets: [AssetRecord] = try database.rows("SELECT * FROM asset")
            for _ in 0..<number(below: count) where !assets.isEmpty {
                var asset = assets.remove(at: number(below: assets.count))
                if number(below: 2) == 0 {
                    try vary(&asset)
                    try asset.update(database)
                    outcome.updated.append(asset.localIdentifier)
                } else {
                    try asset.delete(database)
                    try database.execute(
                        "INSERT INTO formerAsset (id, localIdentifier) VALUES (?, ?)",
                        [asset.id, asset.localIdentifier])
                    outcome.deleted.append(asset.localIdentifier)
                }
            }
            try LibraryIndex.record(outcome, database)
        }
    }

    private func fetch(_ configure: (PHFetchOptions) -> Void) -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        configure(options)
        return system.run { PHAsset.fetchAssets(with: options) }
    }

    private static let formats = [
        "mediaType == 1", "mediaType = 1 AND favorite == YES", "NOT (isFavorite = YES OR pixelWidth > 20)",
        "(mediaSubtypes & 2) != 0", "mediaSubtypes & 1 == 1 && mediaSubtype | 2 = 3", "pixelWidth BETWEEN {10, 30}",
        "pixelWidth IN {0, 20, 40.0}", "pixelWidth > pixelHeight", "20 < pixelWidth", "20 >= pixelWidth",
        "duration > 0.25", "duration == 1", "pixelWidth != 20.5", "duration >= pixelWidth", "pixelWidth == 'wide'",
        "pixelWidth != 'wide'", "creationDate != nil", "creationDate == nil", "burstIdentifier == nil",
        "modificationDate < creationDate", "localIdentifier BEGINSWITH 'asset-1'",
        "localIdentifier ENDSWITH '5/L0/001'",
        "localIdentifier CONTAINS '-2'", "localIdentifier CONTAINS[c] 'ASSET-3'", "localIdentifier LIKE '*9/L0/001'",
        "localIdentifier MATCHES 'asset-[0-9]/.*'", "localIdentifier IN {'asset-4/L0/001', 'asset-5/L0/001'}",
        "localIdentifier > 'asset-2'", "mediaType == 1 AND localIdentifier LIKE '*3/L0/001'", "TRUEPREDICATE",
        "FALSEPREDICATE", "1 == 1 AND 2 IN {1, 2}", "1 == 2 OR isHidden = NO", "{1, 2} CONTAINS mediaType",
    ]

    func testPredicatesInSQLSelectTheAssetsOnWhichTheyEvaluateToTrue() throws {
        try insert(300)
        let all = fetch { $0.includeHiddenAssets = true }.objects
        XCTAssertEqual(all.count, 300)
        var predicates = system.run { Self.formats.map { NSPredicate(format: $0) } }
        for asset in all.prefix(40) {
            let date = try XCTUnwrap(asset.creationDate)
            for operation in ["==", "!=", "<", "<=", ">", ">="] {
                for moved in [date, Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)] {
                    predicates.append(system.run { NSPredicate(format: "creationDate \(operation) %@", moved) })
                }
            }
        }
        predicates.append(NSCompoundPredicate(andPredicateWithSubpredicates: [predicates[0], predicates[9]]))
        predicates.append(NSCompoundPredicate(orPredicateWithSubpredicates: [predicates[1], predicates[3]]))
        predicates.append(NSCompoundPredicate(notPredicateWithSubpredicate: predicates[5]))
        predicates.append(NSPredicate { object, _ in (object as? PHAsset)?.pixelWidth == 20 })
        for predicate in predicates {
            let found = fetch {
                $0.includeHiddenAssets = true
                $0.predicate = predicate
            }
            let expected = system.run { all.filter { predicate.evaluate(with: $0) } }
            XCTAssertEqual(
                found.objects.map(\.localIdentifier), expected.map(\.localIdentifier),
                FormatPredicates.description(of: predicate))
        }
        XCTAssertEqual(misuse, [])
    }

    func testSQLExpressesTheUsualPredicates() {
        let inexpressible = Self.formats.filter { format in
            let condition = FormatPredicates.condition(of: system.run { NSPredicate(format: format) })
            return condition?.isExpressibleInSQL != true
        }
        XCTAssertEqual(
            inexpressible,
            [
                "burstIdentifier == nil", "localIdentifier CONTAINS[c] 'ASSET-3'",
                "localIdentifier LIKE '*9/L0/001'", "localIdentifier MATCHES 'asset-[0-9]/.*'",
                "mediaType == 1 AND localIdentifier LIKE '*3/L0/001'", "{1, 2} CONTAINS mediaType",
            ])
    }

    func testAConditionIsNotFoundForAPredicateAtTheAddressOfAReleasedOne() {
        for number in 0..<1000 {
            let isFormat = number % 2 == 0
            let predicate = system.run {
                isFormat ? NSPredicate(format: "mediaType == \(number)") : NSPredicate { _, _ in true }
            }
            XCTAssertEqual(FormatPredicates.condition(of: predicate) != nil, isFormat)
        }
    }

    /// The fetches whose results are updated.
    private func fetches() -> [PHFetchResult<PHAsset>] {
        let format = system.run { NSPredicate(format: "mediaType == 1 AND pixelWidth > 10") }
        let block = NSPredicate { object, _ in (object as? PHAsset)?.pixelWidth ?? 0 > 10 }
        let orders: [[(String, Bool)]] = [
            [], [("creationDate", true)], [("creationDate", false)], [("isFavorite", false), ("pixelWidth", true)],
            [("localIdentifier", false)], [("mediaType", true), ("duration", false)],
        ]
        return orders.flatMap { order in
            [(nil, 0), (format, 0), (block, 0), (nil, 20), (block, 20)].map { predicate, limit in
                fetch {
                    $0.predicate = predicate
                    $0.fetchLimit = limit
                    $0.sortDescriptors = order.map { NSSortDescriptor(key: $0, ascending: $1) }
                }
            }
        }
    }

    func testUpdatedResultsEqualNewFetches() throws {
        try checkUpdatedResults(roundCount: 30)
    }

    func testUpdatedResultsEqualNewFetchesWithBursts() throws {
        hasBursts = true
        try checkUpdatedResults(roundCount: 12)
    }

    private func checkUpdatedResults(roundCount: Int) throws {
        try insert(200)
        for round in 0..<roundCount {
            let before = fetches()
            // Some updates cover several changes, and some more assets than are updated one by one.
            for _ in 0...number(below: 3) { try changeAtRandom(upTo: round % 10 == 9 ? 150 : 12) }
            for (old, new) in zip(before, fetches()) {
                guard let (after, differences) = system.run({ old.source.updated(after: ChangeOutcome()) }) else {
                    XCTAssertEqual(old.source.localIdentifiers(), new.source.localIdentifiers())
                    continue
                }
                let identifiers = new.source.localIdentifiers()
                XCTAssertEqual(after.source.localIdentifiers(), identifiers)
                XCTAssertEqual(after.objects.map(\.pixelWidth), new.objects.map(\.pixelWidth))
                XCTAssertEqual(after.objects.map(\.isFavorite), new.objects.map(\.isFavorite))
                let expected = FetchDifferences(
                    from: old.source.localIdentifiers(), to: identifiers,
                    changed: Set(after.objects(at: differences.changed).map(\.localIdentifier)))
                XCTAssertEqual(differences, expected)
                XCTAssertEqual(
                    self.identifiers(PHFetchResultChangeDetails(before: old, after: after, differences)), identifiers)
            }
        }
    }

    /// Applies the details of a change to the result before it, as a client does to its view.
    private func identifiers(_ details: PHFetchResultChangeDetails<PHAsset>) -> [String] {
        var items = details.fetchResultBeforeChanges.source.localIdentifiers()
        for index in (details.removedIndexes ?? []).reversed() { items.remove(at: index) }
        for (index, asset) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
            items.insert(asset.localIdentifier, at: index)
        }
        details.enumerateMoves { items.insert(items.remove(at: $0), at: $1) }
        return items
    }

    func testALargeResultReadsPagesAndKeepsTheIdentifiersOfDeletedAssets() throws {
        try insert(5 * AssetList.pageCount)
        let all = fetch { $0.includeHiddenAssets = true }
        let identifiers = all.source.localIdentifiers()
        XCTAssertEqual(all.count, 5 * AssetList.pageCount)
        XCTAssertEqual(all.lastObject?.localIdentifier, identifiers.last)
        XCTAssertEqual(all.objects(at: [0, 200, 639]).map(\.localIdentifier), [0, 200, 639].map { identifiers[$0] })
        XCTAssertEqual(all.index(of: all[300]), 300)
        XCTAssertEqual(all.index(of: all[300], in: NSRange(location: 301, length: 100)), NSNotFound)
        let movies = all.objects.count { $0.mediaType == .video }
        XCTAssertEqual(all.countOfAssets(with: .video), movies)
        let again = fetch { $0.includeHiddenAssets = true }
        try index().write { database in
            let deleted: [AssetRecord] = try database.rows("SELECT * FROM asset WHERE id > 600")
            for asset in deleted {
                try asset.delete(database)
                try database.execute(
                    "INSERT INTO formerAsset (id, localIdentifier) VALUES (?, ?)", [asset.id, asset.localIdentifier])
            }
        }
        XCTAssertEqual(again.objects.map(\.localIdentifier), identifiers)
        XCTAssertEqual(again.lastObject?.pixelWidth, 0)
    }

    func testAResultThatIsUsedLaterHasTheAssetsOfTheFetch() throws {
        try insert(300)
        let format = system.run { NSPredicate(format: "mediaType == 1") }
        func counted() -> [PHFetchResult<PHAsset>] {
            // More than there are at the same time without a list of their assets.
            (0..<20).map { number in
                fetch {
                    if number % 2 == 0 { $0.predicate = format }
                    if number % 3 == 0 { $0.fetchLimit = 130 }
                    $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
                }
            }
        }
        let expected = counted().map { ($0.source.localIdentifiers(), $0.countOfAssets(with: .image)) }
        let (used, unused) = (counted(), counted())
        let counts = used.map(\.count)
        XCTAssertEqual(counts, expected.map(\.0.count))
        XCTAssertEqual(used.map { $0.countOfAssets(with: .image) }, expected.map(\.1))
        try insert(50)
        try index().write { try $0.execute("UPDATE asset SET creationDate = -creationDate") }
        XCTAssertNotEqual(fetch { _ in }.count, expected[1].0.count)
        XCTAssertEqual(used.map(\.count), counts)
        XCTAssertEqual(used.map { $0.source.localIdentifiers() }, expected.map(\.0))
        XCTAssertEqual(unused.map { $0.source.localIdentifiers() }, expected.map(\.0))
    }

    func testAChangeEndsTheSnapshotsOfResults() throws {
        try insert(300)
        let results = (0..<3).map { _ in fetch { _ in } }
        XCTAssertEqual(Set(results.map(\.count)).count, 1)
        try save(makeJPEG(), in: system)
        // With a snapshot, the log cannot be truncated.
        let busy: [Int] = try SQLiteConnection(path: index().path, for: .writing, busyMilliseconds: 0)
            .values("PRAGMA wal_checkpoint(TRUNCATE)")
        XCTAssertEqual(busy, [0])
        XCTAssertEqual(Set(results.map(\.count)).count, 1)
    }

    func testMoreIdentifiersThanParametersOfSQLiteCanBeFetched() throws {
        try insert(10)
        let identifiers = (1...100_000).map { "asset-\($0)/L0/001" }
        XCTAssertEqual(
            system.run { PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil) }.count, 10)
    }

    func testFetchesUseIndexes() throws {
        let queries: [(AssetQuery, isSorted: Bool)] = [
            (AssetQuery(order: [.init(key: .creationDate, isAscending: false)]), true),
            (AssetQuery(order: [.init(key: .modificationDate, isAscending: true)]), true),
            (AssetQuery(order: [.init(key: .addedDate, isAscending: false)]), true),
            (AssetQuery(mediaType: .video, order: [.init(key: .creationDate, isAscending: true)]), true),
            (AssetQuery(isFavorite: true), false),
            (AssetQuery(localIdentifiers: ["a"], includesHidden: true), false),
        ]
        for (query, isSorted) in queries {
            let (sql, values) = try query.statement(selecting: "asset.id", limit: 100)
            let plan: [PlanStep] = try index().read { try $0.rows("EXPLAIN QUERY PLAN " + sql, values) }
            let steps = plan.map(\.detail)
            XCTAssertFalse(steps.contains { $0.hasPrefix("SCAN asset") }, "\(sql): \(steps)")
            XCTAssertTrue(steps.contains { $0.hasPrefix("SEARCH asset USING") }, "\(sql): \(steps)")
            if isSorted { XCTAssertFalse(steps.contains("USE TEMP B-TREE FOR ORDER BY"), "\(sql): \(steps)") }
        }
    }

    private struct PlanStep: SQLiteRow {
        static let columns: [SQLiteColumn<PlanStep>] = [SQLiteColumn("detail", \.detail)]
        var detail = ""
    }
}
