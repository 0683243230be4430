import Foundation
import MediaStorage
import XCTest

@testable import PhotoStore

final class LibraryIndexMigrationTests: PhotoLibraryTestCase {
    /// With `laterTables`, `migrations` and `rows`: the index of a library with one photo, which version 0.1.0 created
    /// with GRDB, as the `sqlite3` tool prints it.
    private static let firstTables = [
        """
        CREATE TABLE "asset" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "localIdentifier" TEXT NOT NULL UNIQUE, \
        "mediaType" INTEGER NOT NULL, "mediaSubtypes" INTEGER NOT NULL, "pixelWidth" INTEGER NOT NULL, \
        "pixelHeight" INTEGER NOT NULL, "duration" DOUBLE NOT NULL, "creationDate" DOUBLE NOT NULL, \
        "modificationDate" DOUBLE NOT NULL, "addedDate" DOUBLE NOT NULL, "isFavorite" BOOLEAN NOT NULL, \
        "isHidden" BOOLEAN NOT NULL, "thumbnailName" TEXT NOT NULL UNIQUE)
        """,
        #"CREATE INDEX "asset_on_creationDate" ON "asset"("creationDate")"#,
        """
        CREATE TABLE "resource" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
        "assetId" INTEGER NOT NULL REFERENCES "asset"("id") ON DELETE CASCADE, "position" INTEGER NOT NULL, \
        "type" INTEGER NOT NULL, "uniformTypeIdentifier" TEXT NOT NULL, "originalFilename" TEXT NOT NULL, \
        "fileName" TEXT NOT NULL UNIQUE, "byteCount" INTEGER NOT NULL, "pixelWidth" INTEGER NOT NULL, \
        "pixelHeight" INTEGER NOT NULL, UNIQUE ("assetID", "position"))
        """,
        #"CREATE INDEX "resource_on_assetId" ON "resource"("assetId")"#,
    ]
    private static let laterTables = [
        """
        CREATE TABLE "album" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "localIdentifier" TEXT NOT NULL UNIQUE, \
        "title" TEXT NOT NULL)
        """,
        """
        CREATE TABLE "albumAsset" ("position" INTEGER PRIMARY KEY AUTOINCREMENT, \
        "albumId" INTEGER NOT NULL REFERENCES "album"("id") ON DELETE CASCADE, \
        "assetId" INTEGER NOT NULL REFERENCES "asset"("id") ON DELETE CASCADE, UNIQUE ("albumID", "assetID"))
        """,
        #"CREATE INDEX "albumAsset_on_albumId" ON "albumAsset"("albumId")"#,
        #"CREATE INDEX "albumAsset_on_assetId" ON "albumAsset"("assetId")"#,
        reservations,
    ]
    private static let reservations = #"CREATE TABLE "reservation" ("localIdentifier" TEXT PRIMARY KEY NOT NULL)"#
    private static let migrations = [
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        "INSERT INTO grdb_migrations VALUES('assets and resources')",
        "INSERT INTO grdb_migrations VALUES('albums')",
        "INSERT INTO grdb_migrations VALUES('reserved identifiers')",
    ]
    private static let allMigrations = [
        "assets and resources", "albums", "reserved identifiers", "folders", "locations and edits", "history",
        "cameras and sizes of files", "interrupted changes", "checksums", "recently deleted assets",
        "indexes of fetches", "lenses", "originals in folders", "selections and bursts", "ratings",
        "photo proxies",
    ]
    private static let rows = [
        """
        INSERT INTO asset VALUES(1,'AA281170-1A5F-4A40-B1CD-F6E65F0E4411/L0/001',1,0,640,480,0.0,\
        1767268800.1329998969,1767268800.1333332061,1767268800.1333332061,0,0,\
        'AA281170-1A5F-4A40-B1CD-F6E65F0E4411.jpg')
        """,
        """
        INSERT INTO resource VALUES(1,1,0,1,'public.jpeg','two.jpg','AA281170-1A5F-4A40-B1CD-F6E65F0E4411.jpg',\
        92129,640,480)
        """,
    ]
    private static let identifier = "AA281170-1A5F-4A40-B1CD-F6E65F0E4411/L0/001"

    private var index: URL { folder.appendingPathComponent("index.sqlite") }

    private func open() throws -> SQLiteConnection {
        try SQLiteConnection(path: index.path, for: .writing, busyMilliseconds: 0)
    }

    private func create(_ statements: [String]...) throws {
        let database = try open()
        for statement in statements.joined() { try database.execute(statement) }
    }

    private func appliedMigrations() throws -> [String] {
        try open().values("SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }

    private func schema() throws -> Set<String> {
        try Set(open().values("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"))
    }

    func testAnExistingIndexIsReadAndChanged() throws {
        try create(
            Self.migrations, Self.firstTables, Self.laterTables, Self.rows,
            ["INSERT INTO album VALUES(1,'older','Older')"])
        let existing = try LibraryIndex(at: index)
        let assets = try existing.assets(matching: AssetQuery())
        XCTAssertEqual(assets.map(\.localIdentifier), [Self.identifier])
        XCTAssertEqual(try XCTUnwrap(assets.first).creationDate, 1_767_268_800.133, accuracy: 0.0001)
        XCTAssertEqual(assets.map(\.pixelWidth), [640])
        let resources = try existing.resources(ofAsset: Self.identifier)
        XCTAssertEqual(resources.map(\.assetID), [1])
        XCTAssertEqual(resources.map(\.byteCount), [92129])
        try existing.write { database in
            try AlbumWriter(database).create("album", title: "Street")
            try AlbumWriter(database).update("album", CollectionEdits(steps: [.add([Self.identifier])]))
        }
        XCTAssertEqual(try existing.albums(matching: AlbumQuery()).map(\.assetCount), [0, 1])
        XCTAssertEqual(try existing.children(of: CollectionListWriter.topLevel), ["older", "album"])
        XCTAssertFalse(try existing.reserve(Self.identifier))
        XCTAssertEqual(try appliedMigrations(), Self.allMigrations)
    }

    func testANewIndexHasTheTablesOfAnExistingOne() throws {
        _ = try LibraryIndex(at: index)
        let created = try schema()
        // Later migrations add columns to the tables of assets, resources and reservations.
        let unchanged =
            Self.firstTables.filter { $0.hasPrefix("CREATE INDEX") }
            + Self.laterTables.filter { $0 != Self.reservations }
        XCTAssertTrue(created.isSuperset(of: unchanged + [Self.migrations[0]]))
        try FileManager.default.removeItem(at: index)
        try create(Self.migrations, Self.firstTables, Self.laterTables, Self.rows)
        _ = try LibraryIndex(at: index)
        XCTAssertEqual(try schema(), created)
        XCTAssertEqual(try appliedMigrations(), Self.allMigrations)
    }

    func testMissingMigrationsAreApplied() throws {
        try create(Array(Self.migrations.prefix(2)), Self.firstTables, Self.rows)
        let older = try LibraryIndex(at: index)
        XCTAssertEqual(try older.assets(matching: AssetQuery()).count, 1)
        XCTAssertEqual(try older.albums(matching: AlbumQuery()).count, 0)
        XCTAssertTrue(try older.reserve("new"))
        XCTAssertEqual(try appliedMigrations(), Self.allMigrations)
    }

    func testARepairComputesTheChecksumsOfALibraryOfVersion01() throws {
        try create(Self.migrations, Self.firstTables, Self.laterTables, Self.rows)
        let store = try LibraryStore(at: folder, storage: DiskStorage())
        try LibraryStore.createFolders(store.folder, store.storage)
        let name = "AA281170-1A5F-4A40-B1CD-F6E65F0E4411.jpg"
        // Decoders ignore what follows the image.
        var photo = try makeJPEG(width: 640, height: 480)
        photo.append(Data(count: 92129 - photo.count))
        try photo.write(to: store.folder.original(name))
        try makeJPEG().write(to: store.folder.thumbnail(name))
        var differences = try store.differences()
        XCTAssertTrue(differences.isEmpty, "\(differences)")
        XCTAssertEqual(differences.uncheckedCount, 2)
        XCTAssertEqual(try store.repair(differences).map(\.action), [.recordedChecksum, .recordedChecksum])
        XCTAssertEqual(
            try store.index.resources(ofAsset: Self.identifier).map(\.fileName), ["2026/01/two.jpg"])
        differences = try store.differences()
        XCTAssertTrue(differences.isEmpty, "\(differences)")
        XCTAssertEqual(differences.uncheckedCount, 0)
        XCTAssertEqual(try store.repair(differences), [])

        photo[1000] ^= 1
        // Clients that fetched the former name find the file, too.
        XCTAssertEqual(store.original(name), store.folder.original("2026/01/two.jpg"))
        try photo.write(to: store.original(name))
        let damaged = try store.differences().damaged
        XCTAssertEqual(damaged.map(\.isThumbnail), [false])
        XCTAssertEqual(damaged.map(\.foundByteCount), [92129])
    }

    func testAnIndexOfANewerVersionIsRejected() throws {
        try create(
            Self.migrations, Self.firstTables, Self.laterTables,
            ["INSERT INTO grdb_migrations VALUES('a later table')"])
        XCTAssertThrowsError(try LibraryIndex(at: index)) { error in
            XCTAssertEqual((error as? PHPhotosError)?.code, .libraryVolumeOffline, "\(error)")
            XCTAssertTrue("\(error)".contains("\(index.path) was created by a newer version"), "\(error)")
        }
        XCTAssertEqual(try appliedMigrations().last, "a later table")
    }

    func testAFailedMigrationLeavesTheIndexUnchanged() throws {
        // The second migration cannot create its table.
        try create(Array(Self.migrations.prefix(2)), Self.firstTables, ["CREATE TABLE album (id INTEGER)"])
        let before = try schema()
        XCTAssertThrowsError(try LibraryIndex(at: index)) { error in
            XCTAssertEqual((error as? PHPhotosError)?.code, .internalError, "\(error)")
        }
        XCTAssertEqual(try schema(), before)
        XCTAssertEqual(try appliedMigrations(), ["assets and resources"])
    }
}
