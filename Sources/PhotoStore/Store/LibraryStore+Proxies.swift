import Foundation
import MediaCodecs

/// Photos whose processing was deferred, which the library finishes after the import.
extension LibraryStore {
    /// Returns the identifiers of the assets whose photo is a proxy, in the order in which they were added. Assets in
    /// Recently Deleted are not among them.
    func unfinishedAssets() throws(PHPhotosError) -> [String] {
        try index.read { database in
            // Only with a literal type does SQLite use the index of the proxies.
            try database.values(
                """
                SELECT asset.localIdentifier FROM resource JOIN asset ON asset.id = resource.assetId
                WHERE resource.type = \(PHAssetResourceType.photoProxy.rawValue) AND asset.deletedDate IS NULL
                ORDER BY asset.id
                """)
        }
    }

    /// Replaces the proxy of an asset by the finished photo that its file contains. An edit of the asset remains.
    ///
    /// - Returns: The files that are not needed after the commit; nil if the asset has no proxy, for example because
    ///   another process has finished the photo.
    func finishPhoto(
        of identifier: String, files: inout ImportFiles, _ database: SQLiteConnection
    ) throws -> [URL]? {
        guard var asset = try record(identifier, database), let assetID = asset.id else { return nil }
        let resources: [ResourceRecord] = try database.rows(
            "SELECT * FROM resource WHERE assetID = ? ORDER BY position", [assetID])
        guard var photo = resources.first(where: { $0.type == PHAssetResourceType.photoProxy.rawValue }) else {
            return nil
        }
        guard let finished = try DeferredPhotoFile.finished(storage.data(of: original(photo.fileName))) else {
            throw PHPhotosError(
                .invalidResource, "the photo of \(identifier) cannot be finished: \(photo.fileName) is damaged")
        }
        let (resource, properties, thumbnail) = try files.add(
            finishedPhoto: finished, of: photo, asset, isDisplayed: !resources.contains(where: \.isEditedContent))
        var unneeded = [folder.original(photo.fileName)]
        photo.type = resource.type.rawValue
        photo.uniformTypeIdentifier = resource.uniformTypeIdentifier
        photo.fileName = resource.fileName
        photo.byteCount = resource.byteCount
        photo.checksum = resource.checksum
        (photo.pixelWidth, photo.pixelHeight) = (resource.pixelWidth, resource.pixelHeight)
        try photo.update(database)
        guard let thumbnail else { return unneeded }
        unneeded.append(folder.thumbnail(asset.thumbnailName))
        asset.thumbnailName = thumbnail.name
        asset.thumbnailChecksum = thumbnail.checksum
        (asset.pixelWidth, asset.pixelHeight) = (properties.pixelWidth, properties.pixelHeight)
        try asset.update(database)
        return unneeded
    }
}
