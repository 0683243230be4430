import CaptureHAL
import Foundation
import GRDB
import MediaStorage
import MediaTypes

/// An opened library: a folder of originals and thumbnails beside an index.
///
/// Invariant: whatever the index names lies in its folder, whole and flushed. An import writes to `incoming`, flushes,
/// renames into place, flushes the folders, and only then commits to the index; a removal commits first and then
/// clears the files away. What is left over when that breaks off is named by no index entry, and goes when the
/// library is opened again. All of it happens under the index's write lock, so that one process's opening never
/// clears away what another's import has just put there.
/// - Important: Thread-safe.
final class LibraryStore: Sendable {
    let folder: LibraryFolder
    let storage: any CaptureStorage
    let index: LibraryIndex

    /// Opens the library in a folder, making it where it is missing, and clears away what broken-off work left.
    init(at root: URL, storage: any CaptureStorage) throws(PHPhotosError) {
        folder = LibraryFolder(root)
        self.storage = storage
        do throws(StorageError) {
            for url in [folder.originals, folder.thumbnails, folder.incoming] { try storage.createDirectory(url) }
            try storage.flushDirectory(folder.root)
        } catch {
            throw PHPhotosError(
                PHPhotosError(error).code, "the photo library cannot be opened: \(error.description)", cause: error)
        }
        index = try LibraryIndex(at: folder.index)
        try clearLeftovers()
    }

    /// Carries out all changes or none.
    ///
    /// - Parameters:
    ///   - reserved: The identifiers that were reserved for what the changes create; given back, whatever happens.
    ///   - date: The present, which becomes the date of what has none of its own.
    func apply(
        _ changes: [PendingChange], reserved: [String] = [], at date: Date
    ) throws(PHPhotosError) -> ChangeOutcome {
        var outcome = ChangeOutcome()
        var unneeded: [URL] = []
        try index.write { database in
            var files = ImportFiles(folder: folder, storage: storage)
            do {
                for change in changes {
                    switch change {
                    case .create(let draft):
                        try insert(draft, at: date, files: &files, database)
                        outcome.inserted.append(draft.localIdentifier)
                        unneeded += draft.resources.compactMap(\.sourceToRemove)
                    case .update(let identifier, let edits):
                        try update(identifier, edits, at: date, database)
                        outcome.updated.append(identifier)
                    case .delete(let identifiers):
                        for identifier in identifiers {
                            guard let names = try delete(identifier, database) else { continue }
                            outcome.deleted.append(identifier)
                            unneeded += names
                        }
                    case .createAlbum(let identifier, let edits):
                        try AlbumChange(database).create(identifier, edits)
                        outcome.inserted.append(identifier)
                    case .updateAlbum(let identifier, let edits):
                        try AlbumChange(database).update(identifier, edits)
                        outcome.updated.append(identifier)
                    case .deleteAlbums(let identifiers):
                        outcome.deleted += try identifiers.filter(AlbumChange(database).delete)
                    }
                }
                try LibraryIndex.release(reserved, database)
                try files.settle()
            } catch {
                files.undo()
                throw error
            }
        }
        // The index does not name these any more. One that cannot be removed now goes when the library is next opened,
        // and a moved file that stays where it was is no reason to call the import a failure.
        for url in unneeded { try? storage.remove(url) }
        return outcome
    }

    /// Gives back identifiers that will not be used.
    func release(_ identifiers: [String]) {
        guard !identifiers.isEmpty else { return }
        // One that stays reserved is never used again, and costs a row.
        try? index.write { try LibraryIndex.release(identifiers, $0) }
    }

    private func insert(
        _ draft: AssetDraft, at date: Date, files: inout ImportFiles, _ database: Database
    ) throws {
        let number = try Int64.fetchOne(database, sql: "SELECT IFNULL(MAX(id), 0) + 1 FROM asset") ?? 1
        let imported = try files.add(draft, number: number)
        let now = date.timeIntervalSince1970
        var asset = AssetRecord(
            id: nil, localIdentifier: draft.localIdentifier, mediaType: imported.mediaType.rawValue,
            mediaSubtypes: Int(imported.mediaSubtypes.rawValue), pixelWidth: imported.facts.pixelWidth,
            pixelHeight: imported.facts.pixelHeight, duration: imported.facts.duration,
            creationDate: (draft.edits.creationDate ?? imported.facts.creationDate ?? date).timeIntervalSince1970,
            modificationDate: now, addedDate: now, isFavorite: draft.edits.isFavorite ?? false,
            isHidden: draft.edits.isHidden ?? false, thumbnailName: imported.thumbnailName)
        try asset.insert(database)
        guard let assetID = asset.id else { throw PHPhotosError(.internalError, "an inserted asset has no number") }
        for (position, resource) in imported.resources.enumerated() {
            var record = ResourceRecord(
                id: nil, assetID: assetID, position: position, type: resource.type.rawValue,
                uniformTypeIdentifier: resource.uniformTypeIdentifier, originalFilename: resource.originalFilename,
                fileName: resource.fileName, byteCount: resource.byteCount, pixelWidth: resource.pixelWidth,
                pixelHeight: resource.pixelHeight)
            try record.insert(database)
        }
    }

    private func update(_ identifier: String, _ edits: AssetEdits, at date: Date, _ database: Database) throws {
        guard var asset = try record(identifier, database) else {
            throw PHPhotosError(.identifierNotFound, "the library has no asset \(identifier)")
        }
        if let creationDate = edits.creationDate { asset.creationDate = creationDate.timeIntervalSince1970 }
        if let isFavorite = edits.isFavorite { asset.isFavorite = isFavorite }
        if let isHidden = edits.isHidden { asset.isHidden = isHidden }
        asset.modificationDate = date.timeIntervalSince1970
        try asset.update(database)
    }

    /// The files that nothing names any more, or nil where there is no such asset.
    private func delete(_ identifier: String, _ database: Database) throws -> [URL]? {
        guard let asset = try record(identifier, database) else { return nil }
        let resources = try ResourceRecord.filter(Column("assetID") == asset.id).fetchAll(database)
        try asset.delete(database)
        return resources.map { folder.original($0.fileName) } + [folder.thumbnail(asset.thumbnailName)]
    }

    private func record(_ identifier: String, _ database: Database) throws -> AssetRecord? {
        try AssetRecord.filter(Column("localIdentifier") == identifier).fetchOne(database)
    }

    /// Removes what no index entry names, unless another process is at work; then it is left for another time.
    private func clearLeftovers() throws(PHPhotosError) {
        try index.writeUnlessBusy { database in
            let originals = try String.fetchSet(database, sql: "SELECT fileName FROM resource")
            let thumbnails = try String.fetchSet(database, sql: "SELECT thumbnailName FROM asset")
            for (url, known) in [(folder.incoming, []), (folder.originals, originals), (folder.thumbnails, thumbnails)]
            {
                for name in try storage.contents(ofDirectory: url) where !known.contains(name) {
                    // A leftover that cannot be removed does no harm; the next opening tries again.
                    try? storage.remove(url.appendingPathComponent(name))
                }
            }
        }
    }
}

extension ResourceDraft {
    fileprivate var sourceToRemove: URL? {
        if shouldMoveFile, case .file(let url) = content { url } else { nil }
    }
}
