import Foundation
import MediaStorage

/// Repairing what the files of a library determine.
extension LibraryStore {
    /// Finds missing originals among the files that the index does not list, creates damaged thumbnails of intact photos
    /// and movies again, computes the checksums of files that an earlier version imported, moves its originals to the
    /// folders of their months, and finishes interrupted changes. The contents of originals and edited files are not
    /// changed.
    ///
    /// - Returns: The repairs, in order.
    func repair(_ differences: LibraryDifferences) throws(PHPhotosError) -> [LibraryRepair] {
        var repairs = try listFoundOriginals(differences)
        var lastCandidate: Int64
        repeat {
            lastCandidate = lastRelocationCandidate.withLock { $0 }
            try change { _, _ in [] }
        } while lastRelocationCandidate.withLock { $0 } != lastCandidate
        for file in differences.damaged where file.isThumbnail {
            if try createThumbnail(of: file.localIdentifier) {
                repairs.append(LibraryRepair(localIdentifier: file.localIdentifier, action: .createdThumbnail))
            }
        }
        return try repairs + recordChecksums()
    }

    /// Lists the new names of originals that are missing, if the folder `originals` has unlisted files with their
    /// checksums: the index is older than the files.
    private func listFoundOriginals(_ differences: LibraryDifferences) throws(PHPhotosError) -> [LibraryRepair] {
        var unlisted = differences.unlisted.compactMap(unlistedOriginal)
        let missing = Set(differences.damaged.filter { !$0.isThumbnail && $0.foundByteCount == nil }.map(\.url))
        guard !missing.isEmpty, !unlisted.isEmpty else { return [] }
        var repairs: [LibraryRepair] = []
        for file in try index.listedFiles() where missing.contains(folder.destination(file.kind, file.name)) {
            guard let checksum = file.checksum, !storage.fileExists(at: folder.original(file.name)) else { continue }
            let found = unlisted.firstIndex { candidate in
                candidate.byteCount == file.byteCount
                    && damage(
                        of: folder.original(candidate.name), byteCount: candidate.byteCount, checksum: checksum) == nil
            }
            guard let found else { continue }
            let name = unlisted.remove(at: found).name
            let isListed = try index.write { database in
                guard try !LibraryIndex.refers(to: .original, name, database) else { return false }
                try database.execute(
                    "UPDATE resource SET fileName = ? WHERE id = ? AND fileName = ?", [name, file.id, file.name])
                return database.changeCount > 0
            }
            guard isListed else { continue }
            repairs.append(LibraryRepair(localIdentifier: file.localIdentifier, action: .foundOriginal))
        }
        return repairs
    }

    /// Returns the name and the size of an unlisted file; nil if it cannot be read or is not in `originals`.
    private func unlistedOriginal(_ url: URL) -> (name: String, byteCount: Int64)? {
        guard let (kind, name) = folder.name(of: url), kind == .original,
            let byteCount = try? storage.open(url, for: .reading).byteCount()
        else { return nil }
        return (name, byteCount)
    }

    /// Creates the thumbnail of an asset again.
    ///
    /// - Returns: False if the photo or movie is damaged, or was deleted.
    private func createThumbnail(of identifier: String) throws(PHPhotosError) -> Bool {
        let resources = try index.resources(ofAsset: identifier)
        guard let shown = resources.last(where: \.isEditedContent) ?? resources.first else { return false }
        let url = original(shown.fileName)
        guard damage(of: url, byteCount: shown.byteCount, checksum: shown.checksum) == nil else { return false }
        var isCreated = false
        try change { files, database in
            guard var asset = try record(identifier, database) else { return [] }
            let replaced = asset.thumbnailName
            let (_, thumbnail) = try files.restoreThumbnail(of: asset, from: url, stem: String(asset.fileStem))
            asset.thumbnailName = thumbnail.name
            asset.thumbnailChecksum = thumbnail.checksum
            try asset.update(database)
            isCreated = true
            // A missing file leaves its name free.
            return replaced == thumbnail.name ? [] : [folder.thumbnail(replaced)]
        }
        return isCreated
    }

    /// Computes the missing checksums of files that have the size that the index lists.
    private func recordChecksums() throws(PHPhotosError) -> [LibraryRepair] {
        var repairs: [LibraryRepair] = []
        for file in try index.listedFiles() where file.checksum == nil {
            guard let checksum = currentChecksum(of: file) else { continue }
            let column = file.isThumbnail ? "asset SET thumbnailChecksum" : "resource SET checksum"
            let name = file.isThumbnail ? "thumbnailName" : "fileName"
            // A later repair computes what a power failure loses.
            let isRecorded = try index.write(isFlushed: false) { database in
                try database.execute(
                    "UPDATE \(column) = ? WHERE id = ? AND \(name) = ?", [checksum, file.id, file.name])
                return database.changeCount > 0
            }
            guard isRecorded else { continue }
            repairs.append(LibraryRepair(localIdentifier: file.localIdentifier, action: .recordedChecksum))
        }
        return repairs
    }

    /// Computes the checksum of a file; nil if it is missing, cannot be read or has another size.
    private func currentChecksum(of file: ListedFile) -> String? {
        // The verification reports the error.
        guard let opened = try? storage.open(location(file.kind, file.name), for: .reading),
            let byteCount = try? opened.byteCount(), byteCount == file.byteCount ?? byteCount
        else { return nil }
        return try? Self.checksum(of: opened)
    }
}
