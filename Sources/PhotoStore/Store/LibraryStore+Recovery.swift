import Foundation
import MediaStorage

/// Finishing changes that were interrupted.
extension LibraryStore {
    /// Returns the location of an original, an edited file or its adjustment data.
    func original(_ name: String) -> URL { location(.original, name) }

    /// Returns the location of a thumbnail.
    func thumbnail(_ name: String) -> URL { location(.thumbnail, name) }

    /// Returns the location of a file that the index refers to. If the change that added it has been committed but not
    /// finished, moves the file to its destination.
    func location(_ kind: PendingFile.Kind, _ name: String) -> URL {
        let destination = folder.destination(kind, name)
        // If the folder cannot be listed, reading the missing file reports an error.
        guard !storage.fileExists(at: destination) else { return destination }
        guard let names = try? storage.contents(ofDirectory: folder.incoming),
            let file = PendingFile.first(kind, name, among: names)
        else { return (kind == .original ? relocated(name) : nil) ?? destination }
        // The library can be read-only, and another thread or process may move the file at the same time.
        if kind == .original { try? Self.createParent(of: destination, folder, storage) }
        try? storage.rename(folder.pending(file), to: destination)
        return storage.fileExists(at: destination) ? destination : folder.pending(file)
    }

    /// Lists files of the library that a change no longer needs, so that they are removed even after an interruption.
    func listRemovals(of files: [URL], _ database: SQLiteConnection) throws {
        for url in files {
            guard let (kind, name) = folder.name(of: url) else { continue }
            try database.execute("INSERT OR IGNORE INTO removal (kind, name) VALUES (?, ?)", [kind.rawValue, name])
            guard kind == .original else { continue }
            // A lease can have delayed a relocation.
            try database.execute(
                """
                INSERT OR IGNORE INTO removal (kind, name)
                SELECT ?, formerName FROM relocation WHERE name = ? AND isFinished = 0
                """, [kind.rawValue, name])
            try database.execute("DELETE FROM relocation WHERE name = ?", [name])
        }
    }

    /// Removes the files that earlier changes listed, unless they are in use, and forgets those that are gone.
    func finishRemovals(_ database: SQLiteConnection) throws {
        let removals: [RemovalRow] = try database.rows("SELECT * FROM removal")
        for removal in removals {
            guard let kind = PendingFile.Kind(rawValue: removal.kind), OriginalName.isValid(removal.name) else {
                continue
            }
            let url = folder.destination(kind, removal.name)
            if storage.fileExists(at: url), try !LibraryIndex.refers(to: kind, removal.name, database) {
                // A file that cannot be removed is harmless. The next change tries again.
                _ = FileLease.runUnlessLeased(url) { try? storage.remove(url) }
                if storage.fileExists(at: url) { continue }
            }
            try database.execute("DELETE FROM removal WHERE kind = ? AND name = ?", [removal.kind, removal.name])
        }
    }

    /// Finishes the changes that were interrupted before the library was opened: moves the files of committed ones to
    /// their destinations, and removes those of others.
    ///
    /// A complete file is removed only if it belongs to this index, and if the index has seen all changes before. A file
    /// of a later change shows that the index is an older copy: files in `incoming` can be all that is left of a photo.
    /// The index then gets another identifier, so that its next changes do not take these files for their own.
    func finishInterruptedChanges(_ database: SQLiteConnection) throws {
        guard !hasFinishedInterruptedChanges.withLock({ $0 }) else { return }
        let next = try LibraryIndex.nextChange(database)
        let names = try storage.contents(ofDirectory: folder.incoming)
        let isOlderCopy = next.isOlder(thanFilesNamed: names)
        if isOlderCopy { try database.execute("UPDATE library SET identifier = lower(hex(randomblob(8)))") }
        for name in names {
            let url = folder.incoming.appendingPathComponent(name)
            if name.hasSuffix(LibraryFolder.partialSuffix) {
                // A file that cannot be removed is harmless. The next opening tries again.
                try? storage.remove(url)
                continue
            }
            guard let file = PendingFile(fileName: name) else { continue }
            let belongsToIndex = !isOlderCopy && file.index == next.index
            if try LibraryIndex.refers(to: file.kind, file.name, database) {
                let destination = location(file.kind, file.name)
                // A renaming that is interrupted leaves both names.
                if belongsToIndex, destination.path != url.path { try? storage.remove(url) }
            } else if belongsToIndex {
                try? storage.remove(url)
            }
        }
        try EditFolder.removeAbandonedFiles(in: folder.edits, storage)
        try LibraryIndex.releaseIdentifiersOfEndedProcesses(database)
        hasFinishedInterruptedChanges.withLock { $0 = true }
    }
}

/// A file that a change no longer needs.
private struct RemovalRow: SQLiteRow {
    static let columns: [SQLiteColumn<RemovalRow>] = [SQLiteColumn("kind", \.kind), SQLiteColumn("name", \.name)]

    /// The raw value of a `PendingFile.Kind`.
    var kind = ""
    var name = ""
}

extension LibraryIndex {
    /// Identifies the change that the write transaction makes.
    struct NextChange {
        /// The identifier of the index.
        var index: String
        /// The number that the change has in the history.
        var number: Int64

        /// Whether a later change of the index has left one of the files in `incoming`: the index is an older copy.
        func isOlder(thanFilesNamed names: [String]) -> Bool {
            names.compactMap(PendingFile.init(fileName:)).contains { $0.index == index && $0.change > number }
        }
    }

    static func nextChange(_ database: SQLiteConnection) throws -> NextChange {
        let identifiers: [String] = try database.values("SELECT identifier FROM library")
        // SQLite's counter never decreases.
        let counter: [Int64] = try database.values("SELECT seq FROM sqlite_sequence WHERE name = 'change'")
        return NextChange(index: identifiers.first ?? "", number: (counter.first ?? 0) + 1)
    }

    /// Whether an asset has a file.
    static func refers(to kind: PendingFile.Kind, _ name: String, _ database: SQLiteConnection) throws -> Bool {
        let sql =
            switch kind {
            case .original: "SELECT COUNT(*) FROM resource WHERE fileName = ?"
            case .thumbnail: "SELECT COUNT(*) FROM asset WHERE thumbnailName = ?"
            }
        let counts: [Int] = try database.values(sql, [name])
        return counts.first ?? 0 > 0
    }
}
