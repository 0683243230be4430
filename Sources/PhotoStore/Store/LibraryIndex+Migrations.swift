/// The tables of the index.
///
/// The table `grdb_migrations` contains the names of the applied migrations; earlier versions used the library GRDB,
/// which created it. An applied migration never changes: a new table or column is a new migration at the end.
extension LibraryIndex {
    /// Applies the missing migrations, in one transaction. Does not write if there are none.
    ///
    /// - Throws: `.libraryVolumeOffline` if the index contains a migration of a newer version.
    static func migrate(_ database: SQLiteConnection, path: String) throws {
        let tables: [String] = try database.values("SELECT name FROM sqlite_master WHERE name = 'grdb_migrations'")
        let applied: Set<String> =
            try tables.isEmpty ? [] : Set(database.values("SELECT identifier FROM grdb_migrations"))
        guard applied.isSubset(of: migrations.map { $0.name }) else {
            throw PHPhotosError(
                .libraryVolumeOffline, "the photo library's index \(path) was created by a newer version")
        }
        let missing = migrations.filter { !applied.contains($0.name) }
        guard !missing.isEmpty else { return }
        try database.transaction {
            try database.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for migration in missing {
                for statement in migration.statements { try database.execute(statement) }
                try database.execute("INSERT INTO grdb_migrations (identifier) VALUES (?)", [migration.name])
            }
        }
    }

    private static let migrations: [(name: String, statements: [String])] = [
        (
            "assets and resources",
            [
                """
                CREATE TABLE "asset" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "localIdentifier" TEXT NOT NULL UNIQUE, \
                "mediaType" INTEGER NOT NULL, "mediaSubtypes" INTEGER NOT NULL, "pixelWidth" INTEGER NOT NULL, \
                "pixelHeight" INTEGER NOT NULL, "duration" DOUBLE NOT NULL, "creationDate" DOUBLE NOT NULL, \
                "modificationDate" DOUBLE NOT NULL, "addedDate" DOUBLE NOT NULL, "isFavorite" BOOLEAN NOT NULL, \
                "isHidden" BOOLEAN NOT NULL, "thumbnailName" TEXT NOT NULL UNIQUE)
                """,
                """
                CREATE INDEX "asset_on_creationDate" ON "asset"("creationDate")
                """,
                """
                CREATE TABLE "resource" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "assetId" INTEGER NOT NULL REFERENCES "asset"("id") ON DELETE CASCADE, "position" INTEGER NOT NULL, \
                "type" INTEGER NOT NULL, "uniformTypeIdentifier" TEXT NOT NULL, "originalFilename" TEXT NOT NULL, \
                "fileName" TEXT NOT NULL UNIQUE, "byteCount" INTEGER NOT NULL, "pixelWidth" INTEGER NOT NULL, \
                "pixelHeight" INTEGER NOT NULL, UNIQUE ("assetID", "position"))
                """,
                """
                CREATE INDEX "resource_on_assetId" ON "resource"("assetId")
                """,
            ]
        ),
        (
            "albums",
            [
                """
                CREATE TABLE "album" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "localIdentifier" TEXT NOT NULL UNIQUE, "title" TEXT NOT NULL)
                """,
                // The assets of an album are ordered by `position`, which increases with each added asset.
                """
                CREATE TABLE "albumAsset" ("position" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "albumId" INTEGER NOT NULL REFERENCES "album"("id") ON DELETE CASCADE, \
                "assetId" INTEGER NOT NULL REFERENCES "asset"("id") ON DELETE CASCADE, UNIQUE ("albumID", "assetID"))
                """,
                """
                CREATE INDEX "albumAsset_on_albumId" ON "albumAsset"("albumId")
                """,
                """
                CREATE INDEX "albumAsset_on_assetId" ON "albumAsset"("assetId")
                """,
            ]
        ),
        (
            "reserved identifiers",
            [
                """
                CREATE TABLE "reservation" ("localIdentifier" TEXT PRIMARY KEY NOT NULL)
                """
            ]
        ),
        (
            "folders",
            [
                """
                CREATE TABLE "collectionList" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "localIdentifier" TEXT NOT NULL UNIQUE, "title" TEXT NOT NULL)
                """,
                // Each album and folder has one row. `listIdentifier` is empty for those in no folder.
                """
                CREATE TABLE "collectionChild" ("childIdentifier" TEXT PRIMARY KEY NOT NULL, \
                "listIdentifier" TEXT NOT NULL, "position" INTEGER NOT NULL)
                """,
                """
                CREATE INDEX "collectionChild_on_listIdentifier" ON "collectionChild"("listIdentifier")
                """,
                """
                INSERT INTO "collectionChild" SELECT "localIdentifier", '', "id" FROM "album"
                """,
            ]
        ),
        (
            "locations and edits",
            [
                #"ALTER TABLE "asset" ADD COLUMN "latitude" DOUBLE"#,
                #"ALTER TABLE "asset" ADD COLUMN "longitude" DOUBLE"#,
                #"ALTER TABLE "asset" ADD COLUMN "altitude" DOUBLE"#,
                // The format of the adjustment data of an edited asset; null for an original.
                #"ALTER TABLE "asset" ADD COLUMN "adjustmentFormat" TEXT"#,
            ]
        ),
        (
            "history",
            [
                """
                CREATE TABLE "change" ("id" INTEGER PRIMARY KEY AUTOINCREMENT)
                """,
                """
                CREATE TABLE "changedObject" ("changeId" INTEGER NOT NULL REFERENCES "change"("id"), \
                "localIdentifier" TEXT NOT NULL, "effect" INTEGER NOT NULL)
                """,
                """
                CREATE INDEX "changedObject_on_changeId" ON "changedObject"("changeId")
                """,
            ]
        ),
        (
            "cameras and sizes of files",
            [
                #"ALTER TABLE "asset" ADD COLUMN "cameraMake" TEXT"#,
                #"ALTER TABLE "asset" ADD COLUMN "cameraModel" TEXT"#,
                // Files with equal contents are searched for by their size.
                """
                CREATE INDEX "resource_on_byteCount" ON "resource"("byteCount")
                """,
            ]
        ),
        (
            "interrupted changes",
            [
                // Tells the files of this index from those of another one in the same folder.
                #"CREATE TABLE "library" ("identifier" TEXT NOT NULL)"#,
                #"INSERT INTO "library" VALUES (lower(hex(randomblob(8))))"#,
                // Files that are no longer needed and not removed yet.
                """
                CREATE TABLE "removal" ("kind" TEXT NOT NULL, "name" TEXT NOT NULL, PRIMARY KEY ("kind", "name"))
                """,
                #"ALTER TABLE "reservation" ADD COLUMN "process" INTEGER"#,
                #"ALTER TABLE "reservation" ADD COLUMN "processStart" INTEGER"#,
            ]
        ),
        (
            "checksums",
            [
                // Null for files of earlier versions, until `verify --repair` computes it.
                #"ALTER TABLE "resource" ADD COLUMN "checksum" TEXT"#,
                #"ALTER TABLE "asset" ADD COLUMN "thumbnailChecksum" TEXT"#,
            ]
        ),
        (
            "recently deleted assets",
            [
                // When the user deleted the asset; null for all others.
                #"ALTER TABLE "asset" ADD COLUMN "deletedDate" DOUBLE"#,
                #"CREATE INDEX "asset_by_deletion" ON "asset"("deletedDate") WHERE "deletedDate" IS NOT NULL"#,
                // The identifiers of removed assets, which fetch results can still contain.
                """
                CREATE TABLE "formerAsset" ("id" INTEGER PRIMARY KEY, "localIdentifier" TEXT NOT NULL UNIQUE)
                """,
            ]
        ),
        (
            "indexes of fetches",
            // With equal values in the first columns, each index also determines the order of the last one.
            [
                ("creation", "isHidden, creationDate"), ("type", "isHidden, mediaType, creationDate"),
                ("favorite", "isHidden, isFavorite, mediaType, creationDate"),
                ("modification", "isHidden, modificationDate"), ("addition", "isHidden, addedDate"),
            ].map { name, columns in
                "CREATE INDEX asset_by_\(name) ON asset(\(columns)) WHERE deletedDate IS NULL"
            }
        ),
        (
            "lenses",
            [
                #"ALTER TABLE "asset" ADD COLUMN "lensModel" TEXT"#
            ]
        ),
        (
            "originals in folders",
            [
                // Originals of earlier versions with their names then and now. If `isFinished` is 0, the file can still
                // have its former name. Finished rows serve clients that fetched the former name.
                """
                CREATE TABLE "relocation" ("formerName" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, \
                "isFinished" BOOLEAN NOT NULL)
                """,
                #"CREATE INDEX "relocation_by_name" ON "relocation"("name")"#,
                #"CREATE INDEX "relocation_unfinished" ON "relocation"("isFinished") WHERE "isFinished" = 0"#,
                #"CREATE INDEX "resource_outside_of_folders" ON "resource"("id") WHERE instr("fileName", '/') = 0"#,
            ]
        ),
        (
            "selections and bursts",
            [
                // The assets that programs with limited authorization may read, by the names of the programs.
                """
                CREATE TABLE "selectedAsset" ("client" TEXT NOT NULL, "localIdentifier" TEXT NOT NULL, \
                PRIMARY KEY ("client", "localIdentifier")) WITHOUT ROWID
                """,
                #"ALTER TABLE "asset" ADD COLUMN "burstIdentifier" TEXT"#,
                """
                CREATE INDEX "asset_by_burst" ON "asset"("burstIdentifier", "deletedDate") \
                WHERE "burstIdentifier" IS NOT NULL
                """,
            ]
        ),
        (
            "ratings",
            [
                #"ALTER TABLE "asset" ADD COLUMN "rating" INTEGER NOT NULL DEFAULT 0"#
            ]
        ),
        (
            "photo proxies",
            [
                // 19 is `PHAssetResourceType.photoProxy`.
                #"CREATE INDEX "resource_proxies" ON "resource"("assetId") WHERE "type" = 19"#
            ]
        ),
    ]
}
