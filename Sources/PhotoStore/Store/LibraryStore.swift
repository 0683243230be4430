import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes

/// An open library: a folder with originals and thumbnails, and an index.
///
/// Invariant: all files that the index refers to exist completely, and all but thumbnails are flushed.
///
/// A change writes files to `incoming`, flushes them, gives them names that tell which change they belong to
/// (`PendingFile`), commits to the index, and then moves them to their destinations. It lists the files that it no longer
/// needs in the index, commits, and then removes them. Each change also moves some originals of an earlier version to the
/// folders of their months, see `relocateOriginals`. The first change after the opening finishes what an interruption has
/// left, see `finishInterruptedChanges`.
///
/// Files that are neither listed in the index nor known to be of an unfinished change are never removed, because the
/// index can be an older one than the files. Opening a library and reading it change nothing.
/// - Important: Thread-safe.
final class LibraryStore: Sendable {
    let folder: LibraryFolder
    let storage: any CaptureStorage
    let index: LibraryIndex
    /// Files in `originals` that the index no longer refers to, and that remain until their leases end.
    private let keptFiles = Lock<Set<URL>>([], order: .primitive)
    /// The last resource that `relocateOriginals` has tried to move.
    let lastRelocationCandidate = Lock<Int64>(0, order: .primitive)
    private let acquiredEditFolder = Lock<EditFolder?>(nil)
    /// Whether `finishInterruptedChanges` has run.
    let hasFinishedInterruptedChanges = Lock(false, order: .primitive)

    /// Opens the library in a folder, and creates it if it does not exist.
    init(at root: URL, storage: any CaptureStorage) throws(PHPhotosError) {
        folder = LibraryFolder(root)
        self.storage = storage
        if !storage.fileExists(at: folder.index) { try Self.createFolders(folder, storage) }
        index = try LibraryIndex(at: folder.index)
    }

    /// Creates the missing folders of the library.
    static func createFolders(_ folder: LibraryFolder, _ storage: any CaptureStorage) throws(PHPhotosError) {
        let folders = [folder.originals, folder.thumbnails, folder.incoming, folder.edits]
        guard folders.contains(where: { !storage.fileExists(at: $0) }) else { return }
        do throws(StorageError) {
            for url in folders { try storage.createDirectory(url, permissions: .ownerOnly) }
            try storage.flushDirectory(folder.root)
        } catch {
            throw PHPhotosError(
                PHPhotosError(error).code, "the photo library cannot be opened: \(error.description)", cause: error)
        }
    }

    /// Creates the folder of a file in `originals`, and flushes its parents.
    static func createParent(
        of url: URL, _ folder: LibraryFolder, _ storage: any CaptureStorage
    ) throws(StorageError) {
        let parent = url.deletingLastPathComponent()
        guard !storage.fileExists(at: parent) else { return }
        try storage.createDirectory(parent, permissions: .ownerOnly)
        try storage.flushDirectory(parent.deletingLastPathComponent())
        try storage.flushDirectory(folder.originals)
    }

    /// Applies all changes, or none if an error occurs.
    ///
    /// - Parameters:
    ///   - changes: The changes. New objects are created first; then the changes of assets and albums are applied, in
    ///     order, and then those of folders.
    ///   - reserved: The identifiers reserved for new objects; they are released.
    ///   - date: The current date. New assets are added at this date, changed ones modified; it is the creation date of
    ///     new assets whose file has none.
    func apply(
        _ changes: [PendingChange], reserved: [String] = [], at date: Date
    ) throws(PHPhotosError) -> ChangeOutcome {
        var outcome = ChangeOutcome()
        try change { (files, database) in
            var unneededFiles = try removeExpired(at: date, database)
            unneededFiles += try create(changes, at: date, files: &files, &outcome, database)
            for change in changes {
                unneededFiles += try apply(change, at: date, files: &files, &outcome, database)
            }
            try applyFolderChanges(changes, &outcome, database)
            outcome.removeUpdatesOfDeletedObjects()
            try LibraryIndex.release(reserved, database)
            outcome.change = try LibraryIndex.record(outcome, database)
            return unneededFiles
        }
        return outcome
    }

    /// Applies a change of assets or albums, whose new objects exist.
    ///
    /// - Returns: The files that are not needed after the commit.
    private func apply(
        _ change: PendingChange, at date: Date, files: inout ImportFiles, _ outcome: inout ChangeOutcome,
        _ database: SQLiteConnection
    ) throws -> [URL] {
        switch change {
        case .update(let identifier, let edits):
            let replacedFiles = edits.changesContent ? try edit(identifier, edits, files: &files, database) : nil
            if edits.onlyRevertsContent, replacedFiles == nil { return [] }
            try update(identifier, edits, at: date, database)
            outcome.updated.append(identifier)
            guard let replacedFiles else { return [] }
            outcome.contentChanged.append(identifier)
            return replacedFiles
        case .finishPhoto(let identifier):
            guard let replacedFiles = try finishPhoto(of: identifier, files: &files, database) else { return [] }
            outcome.updated.append(identifier)
            outcome.contentChanged.append(identifier)
            return replacedFiles
        case .delete(let identifiers):
            for identifier in identifiers { try delete(identifier, at: date, &outcome, database) }
        case .restore(let identifiers):
            for identifier in identifiers { try restore(identifier, &outcome, database) }
        case .remove(let identifiers):
            return try identifiers.flatMap { try remove($0, &outcome, database) }
        case .createAlbum(let identifier, let edits):
            try AlbumWriter(database).update(identifier, edits)
        case .updateAlbum(let identifier, let edits):
            try AlbumWriter(database).update(identifier, edits)
            outcome.updated.append(identifier)
        case .deleteAlbums(let identifiers):
            outcome.deleted += try identifiers.filter(AlbumWriter(database).delete)
        case .create: break  // See `create`.
        // See `applyFolderChanges`.
        case .createCollectionList, .updateCollectionList, .deleteCollectionLists: break
        }
        return []
    }

    /// Changes the index and the files, or nothing if an error occurs.
    ///
    /// - Parameter body: Changes the index, adds files, and returns the files that are not needed after the commit.
    func change(
        _ body: (inout ImportFiles, SQLiteConnection) throws -> [URL]
    ) throws(PHPhotosError) {
        var unneededFiles: [URL] = []
        var committedFiles: ImportFiles?
        var relocations: [Relocation] = []
        try Self.createFolders(folder, storage)
        try index.write { database in
            try finishRelocations(database)
            try finishRemovals(database)
            try finishInterruptedChanges(database)
            var files = try ImportFiles(folder: folder, storage: storage, database: database)
            do {
                unneededFiles = try body(&files, database)
                try listRemovals(of: unneededFiles, database)
                relocations = try relocateOriginals(database)
                try files.prepare()
                committedFiles = files
            } catch {
                files.undo()
                throw error
            }
        }
        committedFiles?.finish()
        for relocation in relocations { move(relocation) }
        // A later change removes files that cannot be removed now. If the source of a moved file cannot be removed, the
        // import has succeeded nevertheless.
        for url in unneededFiles {
            if folder.name(of: url)?.kind == .original {
                keptFiles.withLock { _ = $0.insert(url) }
                removeKeptFile(url)
            } else {
                try? storage.remove(url)
            }
        }
    }

    /// Removes a file of `keptFiles`, unless it still has a lease.
    func removeKeptFile(_ url: URL) {
        guard keptFiles.withLock({ $0.contains(url) }) else { return }
        let isRemoved = FileLease.runUnlessLeased(url) {
            // A later change removes files that cannot be removed now.
            try? storage.remove(url)
        }
        if isRemoved { keptFiles.withLock { _ = $0.remove(url) } }
    }

    /// Returns the folder in which clients write edited files; the first call acquires it.
    func editFolder() throws(StorageError) -> EditFolder {
        try acquiredEditFolder.withLock { acquired throws(StorageError) in
            if let acquired { return acquired }
            let new = try EditFolder(in: folder.edits, storage: storage)
            acquired = new
            return new
        }
    }

    /// Creates the assets and the empty albums and folders before all other changes: albums and folders can contain
    /// objects that the same change block creates later.
    ///
    /// - Returns: The files that are not needed after the commit.
    private func create(
        _ changes: [PendingChange], at date: Date, files: inout ImportFiles, _ outcome: inout ChangeOutcome,
        _ database: SQLiteConnection
    ) throws -> [URL] {
        var unneededFiles: [URL] = []
        for change in changes {
            switch change {
            case .create(let draft):
                try insert(draft, at: date, files: &files, database)
                if draft.edits.content != nil {
                    unneededFiles += try edit(draft.localIdentifier, draft.edits, files: &files, database) ?? []
                }
                outcome.inserted.append(draft.localIdentifier)
                unneededFiles += draft.resources.compactMap(\.sourceToRemove)
            case .createAlbum(let identifier, let edits):
                try AlbumWriter(database).create(identifier, title: edits.title ?? "")
                outcome.inserted.append(identifier)
            case .createCollectionList(let identifier, let edits):
                try CollectionListWriter(database).create(identifier, title: edits.title ?? "")
                outcome.inserted.append(identifier)
            case .update, .finishPhoto, .delete, .restore, .remove, .updateAlbum, .deleteAlbums, .updateCollectionList,
                .deleteCollectionLists:
                break
            }
        }
        return unneededFiles
    }

    /// Applies the changes of folders (collection lists) after those of assets and albums: deleting a folder deletes
    /// its albums, which other requests of the same change block can still change.
    private func applyFolderChanges(
        _ changes: [PendingChange], _ outcome: inout ChangeOutcome, _ database: SQLiteConnection
    ) throws {
        for change in changes {
            switch change {
            case .createCollectionList(let identifier, let edits):
                _ = try CollectionListWriter(database).update(identifier, edits)
            case .updateCollectionList(let identifier, let edits):
                outcome.updated += try CollectionListWriter(database).update(identifier, edits)
            case .deleteCollectionLists(let identifiers):
                for identifier in identifiers {
                    outcome.deleted += try CollectionListWriter(database).delete(identifier)
                }
            case .create, .update, .finishPhoto, .delete, .restore, .remove, .createAlbum, .updateAlbum, .deleteAlbums:
                break
            }
        }
    }

    /// Releases identifiers that will not be used.
    func release(_ identifiers: [String]) {
        guard !identifiers.isEmpty else { return }
        // An identifier that remains reserved is not used again and costs only a row.
        try? index.write(isFlushed: false) { try LibraryIndex.release(identifiers, $0) }
    }

    private func insert(
        _ draft: AssetDraft, at date: Date, files: inout ImportFiles, _ database: SQLiteConnection
    ) throws {
        let numbers: [Int64] = try database.values("SELECT IFNULL(MAX(id), 0) + 1 FROM asset")
        let imported = try files.add(draft, number: numbers.first ?? 1, at: date)
        let now = date.timeIntervalSince1970
        var asset = AssetRecord(
            id: nil, localIdentifier: draft.localIdentifier, mediaType: imported.mediaType.rawValue,
            mediaSubtypes: Int(imported.mediaSubtypes.rawValue), pixelWidth: imported.properties.pixelWidth,
            pixelHeight: imported.properties.pixelHeight, duration: imported.properties.duration,
            creationDate: imported.creationDate.timeIntervalSince1970, modificationDate: now, addedDate: now,
            isFavorite: draft.edits.isFavorite ?? false,
            isHidden: draft.edits.isHidden ?? false, thumbnailName: imported.thumbnail.name)
        asset.thumbnailChecksum = imported.thumbnail.checksum
        if let location = imported.properties.location {
            asset.latitude = location.latitude
            asset.longitude = location.longitude
            asset.altitude = location.altitude
        }
        asset.cameraMake = imported.properties.cameraMake
        asset.cameraModel = imported.properties.cameraModel
        asset.lensModel = imported.properties.lensModel
        asset.burstIdentifier = imported.properties.burstIdentifier
        asset.rating = (draft.edits.rating ?? .unset).rawValue
        if let location = draft.edits.location { asset.setLocation(location) }
        try asset.insert(database)
        guard let assetID = asset.id else { throw PHPhotosError(.internalError, "an inserted asset has no number") }
        try insert(imported.resources, ofAsset: assetID, from: 0, database)
    }

    /// Inserts resources of an asset at positions that begin with `first`.
    func insert(
        _ resources: [ImportFiles.Resource], ofAsset assetID: Int64, from first: Int, _ database: SQLiteConnection
    ) throws {
        for (index, resource) in resources.enumerated() {
            var record = ResourceRecord(
                id: nil, assetID: assetID, position: first + index, type: resource.type.rawValue,
                uniformTypeIdentifier: resource.uniformTypeIdentifier, originalFilename: resource.originalFilename,
                fileName: resource.fileName, byteCount: resource.byteCount, pixelWidth: resource.pixelWidth,
                pixelHeight: resource.pixelHeight, checksum: resource.checksum)
            try record.insert(database)
        }
    }

    private func update(_ identifier: String, _ edits: AssetEdits, at date: Date, _ database: SQLiteConnection) throws {
        guard var asset = try record(identifier, database) else {
            throw PHPhotosError(.identifierNotFound, "the library has no asset \(identifier)")
        }
        if let creationDate = edits.creationDate { asset.creationDate = creationDate.timeIntervalSince1970 }
        if let isFavorite = edits.isFavorite { asset.isFavorite = isFavorite }
        if let isHidden = edits.isHidden { asset.isHidden = isHidden }
        if let rating = edits.rating { asset.rating = rating.rawValue }
        if let location = edits.location { asset.setLocation(location) }
        asset.modificationDate = date.timeIntervalSince1970
        try asset.update(database)
    }

    /// Returns an asset; nil if there is none, or if it is in Recently Deleted.
    func record(_ identifier: String, _ database: SQLiteConnection) throws -> AssetRecord? {
        let assets: [AssetRecord] = try database.rows(
            "SELECT * FROM asset WHERE localIdentifier = ? AND deletedDate IS NULL", [identifier])
        return assets.first
    }
}

extension ResourceDraft {
    fileprivate var sourceToRemove: URL? {
        if shouldMoveFile, case .file(let url) = content { url } else { nil }
    }
}
