import Foundation
import MediaStorage

extension LibraryStore {
    /// Returns the files in `originals` and `incoming` that the index does not list and that no interrupted change will
    /// finish or remove. Changes nothing.
    func unlistedFiles() throws(PHPhotosError) -> [URL] {
        // The folders are listed first: the index lists a file before it gets its name in `originals`.
        let names = try contents(of: folder.originals)
        let incomingNames = try contents(of: folder.incoming)
        let (listed, removals, next) = try index.read { database in
            let listed: [String] = try database.values("SELECT fileName FROM resource")
            let removals: [String] = try database.values(
                "SELECT name FROM removal WHERE kind = ?", [PendingFile.Kind.original.rawValue])
            return (Set(listed), Set(removals), try LibraryIndex.nextChange(database))
        }
        let unlisted = names.filter { !listed.contains($0) && !removals.contains($0) }.map(folder.original)
        let unlistedIncoming = incomingNames.filter { name in
            if name.hasSuffix(LibraryFolder.partialSuffix) { return false }
            guard let file = PendingFile(fileName: name) else { return true }
            return file.kind == .original && !listed.contains(file.name)
                && (file.index != next.index || file.change > next.number)
        }
        return unlisted + unlistedIncoming.map(folder.incoming.appendingPathComponent)
    }

    /// Compares the index with the files. Changes nothing.
    func differences() throws(PHPhotosError) -> LibraryDifferences {
        var differences = LibraryDifferences()
        differences.unlisted = try unlistedFiles()
        let incomingNames = try contents(of: folder.incoming)
        let files: [ListedFile] = try index.read { database in
            let counts: [Int] = try database.values("SELECT COUNT(*) FROM asset")
            differences.assetCount = counts.first ?? 0
            return try database.rows(
                """
                SELECT asset.localIdentifier, resource.originalFilename, resource.fileName, resource.byteCount
                FROM resource JOIN asset ON asset.id = resource.assetID ORDER BY resource.assetID, resource.position
                """)
        }
        for file in files {
            let url = readableLocation(of: file.fileName, among: incomingNames)
            var found: Int64?
            var reason: String?
            do throws(StorageError) {
                let opened = try storage.open(url, for: .reading)
                found = try opened.byteCount()
                try opened.close()
            } catch {
                reason = error.description
            }
            guard found != file.byteCount else { continue }
            differences.damaged.append(
                LibraryDifferences.File(
                    localIdentifier: file.localIdentifier, originalFilename: file.originalFilename, url: url,
                    byteCount: file.byteCount, foundByteCount: found, reason: reason))
        }
        return differences
    }

    private func contents(of url: URL) throws(PHPhotosError) -> [String] {
        do throws(StorageError) {
            return try storage.contents(ofDirectory: url)
        } catch {
            // The next change creates missing folders.
            if error.code == .notFound { return [] }
            throw PHPhotosError(
                PHPhotosError(error).code, "the photo library cannot be read: \(error.description)", cause: error)
        }
    }

    /// Returns where a file can be read, without moving it.
    private func readableLocation(of name: String, among incomingNames: [String]) -> URL {
        let destination = folder.original(name)
        guard !storage.fileExists(at: destination) else { return destination }
        return PendingFile.first(.original, name, among: incomingNames).map(folder.pending) ?? destination
    }
}

/// A file that the index lists.
private struct ListedFile: SQLiteRow {
    static let columns: [SQLiteColumn<ListedFile>] = [
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("originalFilename", \.originalFilename),
        SQLiteColumn("fileName", \.fileName),
        SQLiteColumn("byteCount", \.byteCount),
    ]

    var localIdentifier = ""
    var originalFilename = ""
    var fileName = ""
    var byteCount: Int64 = 0
}
