import Foundation
import MediaCodecs
import MediaStorage

extension LibraryStore {
    /// Returns the files in `originals` and `incoming` that the index does not list and that no interrupted change will
    /// finish or remove. Changes nothing.
    func unlistedFiles() throws(PHPhotosError) -> [URL] {
        // The folders are listed first: the index lists a file before it gets its name in `originals`.
        let entries = try contents(of: folder.originals)
        let incomingNames = try contents(of: folder.incoming)
        let (listed, removals, next) = try index.read { database in
            let listed: [String] = try database.values("SELECT fileName FROM resource")
            let removals: [String] = try database.values(
                """
                SELECT name FROM removal WHERE kind = ?
                UNION ALL SELECT formerName FROM relocation WHERE isFinished = 0
                """, [PendingFile.Kind.original.rawValue])
            return (Set(listed), Set(removals), try LibraryIndex.nextChange(database))
        }
        var names: [String] = []
        for entry in entries { names += try listed.contains(entry) ? [entry] : files(at: entry) }
        let unlisted = names.filter { !listed.contains($0) && !removals.contains($0) }.map(folder.original)
        let isOlderCopy = next.isOlder(thanFilesNamed: incomingNames)
        let unlistedIncoming = incomingNames.filter { name in
            if name.hasSuffix(LibraryFolder.partialSuffix) { return false }
            guard let file = PendingFile(fileName: name) else { return true }
            return file.kind == .original && !listed.contains(file.name)
                && (isOlderCopy || file.index != next.index)
        }
        return unlisted + unlistedIncoming.map(folder.incoming.appendingPathComponent)
    }

    /// Compares the index with the files. Changes nothing.
    func differences() throws(PHPhotosError) -> LibraryDifferences {
        var differences = LibraryDifferences()
        differences.indexErrors = try index.errors()
        differences.unlisted = try unlistedFiles()
        differences.assetCount = try index.assetCount()
        let incomingNames = try contents(of: folder.incoming)
        for file in try index.listedFiles() {
            let url = readableLocation(of: file, among: incomingNames)
            if file.checksum == nil { differences.uncheckedCount += 1 }
            // Another process can delete the asset or replace the file meanwhile.
            guard let damage = damage(of: url, byteCount: file.byteCount, checksum: file.checksum),
                try index.read({ try LibraryIndex.refers(to: file.kind, file.name, $0) })
            else { continue }
            differences.damaged.append(
                LibraryDifferences.File(
                    localIdentifier: file.localIdentifier, originalFilename: file.originalFilename,
                    isThumbnail: file.isThumbnail, url: url, byteCount: file.byteCount,
                    foundByteCount: damage.foundByteCount, reason: damage.reason))
        }
        return differences
    }

    /// Compares a file with its entry in the index.
    ///
    /// - Parameters:
    ///   - byteCount: The size in the index; nil if it is not known.
    ///   - checksum: The checksum in the index; nil if it is not known.
    /// - Returns: Nil if they are equal.
    func damage(of url: URL, byteCount: Int64?, checksum: String?) -> FileDamage? {
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            let foundByteCount = try file.byteCount()
            // The checksum of a file of another size need not be computed.
            let isComputed = checksum != nil && foundByteCount == byteCount ?? foundByteCount
            let foundChecksum = isComputed ? try Self.checksum(of: file) : nil
            try file.close()
            return FileDamage.reason(
                url, foundByteCount: foundByteCount, byteCount: byteCount, foundChecksum: foundChecksum,
                checksum: checksum
            ).map { FileDamage(foundByteCount: foundByteCount, reason: $0) }
        } catch {
            return FileDamage(reason: error.description)
        }
    }

    /// Computes the checksum of a file; nil if FFmpeg is not installed.
    static func checksum(of file: any StorageFile) throws(StorageError) -> String? {
        guard let checksum = SHA256() else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: checkedByteCount, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            guard count > 0 else { return checksum.hexadecimal() }
            checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// The number of bytes that are read at a time.
    private static let checkedByteCount = 1 << 20

    /// Returns the names of the files in a folder of `originals`, or the name itself if it is that of a file.
    private func files(at name: String) throws(PHPhotosError) -> [String] {
        let entries: [String]
        do throws(StorageError) {
            entries = try storage.contents(ofDirectory: folder.original(name))
        } catch {
            switch error.code {
            case .notADirectory: return [name]
            // Another process has removed it.
            case .notFound: return []
            default: throw Self.readError(error)
            }
        }
        var names: [String] = []
        for entry in entries { names += try files(at: "\(name)/\(entry)") }
        return names
    }

    private func contents(of url: URL) throws(PHPhotosError) -> [String] {
        do throws(StorageError) {
            return try storage.contents(ofDirectory: url)
        } catch {
            // The next change creates missing folders.
            if error.code == .notFound { return [] }
            throw Self.readError(error)
        }
    }

    private static func readError(_ error: StorageError) -> PHPhotosError {
        PHPhotosError(
            PHPhotosError(error).code, "the photo library cannot be read: \(error.description)", cause: error)
    }

    /// Returns where a file can be read, without moving it.
    private func readableLocation(of file: ListedFile, among incomingNames: [String]) -> URL {
        let destination = folder.destination(file.kind, file.name)
        guard !storage.fileExists(at: destination) else { return destination }
        let pending = PendingFile.first(file.kind, file.name, among: incomingNames).map(folder.pending)
        return pending ?? (file.kind == .original ? relocated(file.name) : nil) ?? destination
    }
}

/// A file that the index lists.
struct ListedFile: SQLiteRow {
    static let columns: [SQLiteColumn<ListedFile>] = [
        SQLiteColumn("id", \.id),
        SQLiteColumn("localIdentifier", \.localIdentifier),
        SQLiteColumn("originalFilename", \.originalFilename),
        SQLiteColumn("isThumbnail", \.isThumbnail),
        SQLiteColumn("name", \.name),
        SQLiteColumn("byteCount", \.byteCount),
        SQLiteColumn("checksum", \.checksum),
    ]

    /// The `id` of the resource, or of the asset of a thumbnail.
    var id: Int64 = 0
    var localIdentifier = ""
    /// The name of the imported file.
    var originalFilename = ""
    var isThumbnail = false
    /// The file name in its folder.
    var name = ""
    /// Nil for a thumbnail.
    var byteCount: Int64?
    var checksum: String?

    var kind: PendingFile.Kind { isThumbnail ? .thumbnail : .original }
}

extension LibraryIndex {
    /// Returns the errors that SQLite finds in the index, and assets without a file.
    fileprivate func errors() throws(PHPhotosError) -> [String] {
        try read { database in
            let errors: [String] = try database.values("PRAGMA integrity_check")
            let incomplete: [String] = try database.values(
                "SELECT localIdentifier FROM asset WHERE id NOT IN (SELECT assetID FROM resource) ORDER BY id")
            return errors.filter { $0 != "ok" } + incomplete.map { "it lists no file of the asset \($0)" }
        }
    }

    fileprivate func assetCount() throws(PHPhotosError) -> Int {
        let counts: [Int] = try read { try $0.values("SELECT COUNT(*) FROM asset") }
        return counts.first ?? 0
    }

    /// Returns all files, those of an asset together.
    func listedFiles() throws(PHPhotosError) -> [ListedFile] {
        try read { database in
            try database.rows(
                """
                SELECT resource.id, asset.id AS assetID, localIdentifier, originalFilename, 0 AS isThumbnail,
                    fileName AS name, byteCount, checksum, position
                FROM resource JOIN asset ON asset.id = resource.assetID
                UNION ALL
                SELECT asset.id, asset.id, localIdentifier, IFNULL(originalFilename, ''), 1, thumbnailName, NULL,
                    thumbnailChecksum, NULL
                FROM asset LEFT JOIN resource ON resource.assetID = asset.id AND resource.position = 0
                ORDER BY assetID, isThumbnail, position
                """)
        }
    }
}
