import Foundation
import MediaStorage

/// A new name of an original.
struct Relocation: SQLiteRow {
    static let columns: [SQLiteColumn<Relocation>] = [
        SQLiteColumn("formerName", \.formerName), SQLiteColumn("name", \.name),
    ]

    var formerName = ""
    var name = ""
}

/// Moving the originals of earlier versions, which are directly in the folder `originals`, to the folders of their
/// months.
///
/// A change lists the new name in the index and in the table `relocation`, commits, and then moves the file. Until a
/// later change marks the relocation as finished, the file has either of its names, and is found by both.
extension LibraryStore {
    /// The number of files that a change moves.
    private static let relocatedCount = 32

    /// Gives some originals of an earlier version their new names, which become valid with the commit. Files that cannot
    /// be found are left to later openings of the library.
    ///
    /// - Returns: The files to move after the commit.
    func relocateOriginals(_ database: SQLiteConnection) throws -> [Relocation] {
        let candidates: [RelocatedResource] = try database.rows(
            """
            SELECT resource.id, resource.fileName, resource.type, resource.originalFilename, asset.creationDate,
                original.fileName AS originalName
            FROM resource JOIN asset ON asset.id = resource.assetID
                JOIN resource AS original ON original.assetID = resource.assetID AND original.position = 0
            WHERE instr(resource.fileName, '/') = 0 AND resource.id > ? ORDER BY resource.id LIMIT ?
            """, [lastRelocationCandidate.withLock { $0 }, Self.relocatedCount])
        var relocations: [Relocation] = []
        for resource in candidates {
            lastRelocationCandidate.withLock { $0 = resource.id }
            guard storage.fileExists(at: folder.original(resource.fileName)) else { continue }
            let path = try resource.newName(of: relocations).unusedPath(from: resource.id) { path in
                try storage.fileExists(at: folder.original(path))
                    || LibraryIndex.refers(to: .original, path, database)
            }
            do throws(StorageError) {
                try Self.createParent(of: folder.original(path), folder, storage)
            } catch {
                // The file stays where it is. The change that the user has requested does not depend on it.
                return relocations
            }
            try database.execute("UPDATE resource SET fileName = ? WHERE id = ?", [path, resource.id])
            try database.execute(
                "INSERT OR REPLACE INTO relocation (formerName, name, isFinished) VALUES (?, ?, 0)",
                [resource.fileName, path])
            relocations.append(Relocation(formerName: resource.fileName, name: path))
        }
        return relocations
    }

    /// Moves a file to its new name, unless it has a lease or cannot be moved now.
    func move(_ relocation: Relocation) {
        let (old, new) = (folder.original(relocation.formerName), folder.original(relocation.name))
        guard storage.fileExists(at: old) else { return }
        _ = FileLease.runUnlessLeased(old) {
            if storage.fileExists(at: new) {
                // A renaming that was interrupted leaves both names.
                if haveEqualContents(old, new) { try? storage.remove(old) }
            } else {
                // A later change tries again.
                try? Self.createParent(of: new, folder, storage)
                try? storage.rename(old, to: new)
            }
        }
    }

    /// Moves the files that earlier changes have given new names, and marks the relocations of moved ones as finished.
    func finishRelocations(_ database: SQLiteConnection) throws {
        let relocations: [Relocation] = try database.rows("SELECT * FROM relocation WHERE isFinished = 0")
        for relocation in relocations {
            move(relocation)
            // Without either file, a copy that the user restores can have the former name.
            guard storage.fileExists(at: folder.original(relocation.name)),
                !storage.fileExists(at: folder.original(relocation.formerName))
            else { continue }
            try database.execute(
                "UPDATE relocation SET isFinished = 1 WHERE formerName = ?", [relocation.formerName])
        }
    }

    /// Returns the location of a file that was or will be moved, by its former or its new name; nil if there is none.
    func relocated(_ name: String) -> URL? {
        // If the index cannot be read, reading the missing file reports an error.
        let names: [String]? = try? index.read { database in
            try database.values(
                """
                SELECT formerName FROM relocation WHERE name = ?1 AND isFinished = 0
                UNION ALL SELECT name FROM relocation WHERE formerName = ?1
                """, [name])
        }
        return names?.lazy.map(folder.original).first(where: storage.fileExists)
    }

    private func haveEqualContents(_ first: URL, _ second: URL) -> Bool {
        guard let file = try? storage.open(first, for: .reading), let byteCount = try? file.byteCount() else {
            return false
        }
        return (try? haveEqualContents(first, byteCount, nil, second)) ?? false
    }
}

/// A file directly in the folder `originals`.
private struct RelocatedResource: SQLiteRow {
    static let columns: [SQLiteColumn<RelocatedResource>] = [
        SQLiteColumn("id", \.id), SQLiteColumn("fileName", \.fileName), SQLiteColumn("type", \.type),
        SQLiteColumn("originalFilename", \.originalFilename), SQLiteColumn("creationDate", \.creationDate),
        SQLiteColumn("originalName", \.originalName),
    ]

    var id: Int64 = 0
    var fileName = ""
    /// The raw value of a `PHAssetResourceType`.
    var type = 0
    /// The name of the imported file.
    var originalFilename = ""
    /// In seconds since 1970.
    var creationDate = 0.0
    /// The name of the asset's original in the index.
    var originalName = ""

    /// - Parameter relocations: The new names of other files, which can be that of the original.
    func newName(of relocations: [Relocation]) -> OriginalName {
        let fileExtension = URL(fileURLWithPath: fileName).pathExtension
        if ResourceRecord(type: type).belongsToEdit {
            let original = relocations.last { $0.formerName == originalName }?.name ?? originalName
            return OriginalName(editOf: original, number: id, fileExtension: fileExtension)
        }
        let kind = MediaKind.allCases.first { $0.fileExtension == fileExtension } ?? .unknown
        return OriginalName(
            originalFilename, created: Date(timeIntervalSince1970: creationDate), kind: kind)
    }
}
