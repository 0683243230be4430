import CoreLocation
import Foundation

extension LibraryStore {
    /// Edits the content of an asset, or restores the original content. If both are requested, the edit is applied.
    ///
    /// The original remains. An edit replaces the files of an earlier one.
    /// - Returns: The files that are not needed after the commit; nil if `edits` contains no edit and the asset has
    ///   none.
    func edit(
        _ identifier: String, _ edits: AssetEdits, files: inout ImportFiles, _ database: SQLiteConnection
    ) throws -> [URL]? {
        guard var asset = try record(identifier, database), let assetID = asset.id else {
            throw PHPhotosError(.identifierNotFound, "the library has no asset \(identifier)")
        }
        let resources: [ResourceRecord] = try database.rows(
            "SELECT * FROM resource WHERE assetID = ? ORDER BY position", [assetID])
        guard let original = resources.first else {
            throw PHPhotosError(.missingResource, "the asset \(identifier) has no original")
        }
        // SQLite's counter never decreases, so the number differs from the numbers of all earlier edits.
        let counter: [Int64] = try database.values("SELECT seq FROM sqlite_sequence WHERE name = 'resource'")
        let number = (counter.first ?? 0) + 1
        let replaced = resources.filter(\.belongsToEdit)
        guard edits.content != nil || !replaced.isEmpty else { return nil }
        for resource in replaced { try resource.delete(database) }
        var unneeded = replaced.map { folder.original($0.fileName) } + [folder.thumbnail(asset.thumbnailName)]
        let properties: MediaProperties
        let thumbnail: ImportFiles.Thumbnail
        if let content = edits.content {
            let edited = try files.add(content, to: asset, original: original.fileName, number: number)
            try insert(edited.resources, ofAsset: assetID, from: resources.count, database)
            properties = edited.properties
            thumbnail = edited.thumbnail
            asset.adjustmentFormat = content.adjustment?.formatIdentifier
            unneeded.append(content.renderedContent)
        } else {
            (properties, thumbnail) = try files.restoreThumbnail(
                of: asset, from: self.original(original.fileName), stem: "\(asset.fileStem)-revert-\(number)")
            asset.adjustmentFormat = nil
        }
        asset.thumbnailName = thumbnail.name
        asset.thumbnailChecksum = thumbnail.checksum
        asset.pixelWidth = properties.pixelWidth
        asset.pixelHeight = properties.pixelHeight
        asset.duration = properties.duration
        try asset.update(database)
        return unneeded
    }
}

extension AssetEdits {
    var changesContent: Bool { content != nil || revertsContent }
}

extension AssetRecord {
    /// The beginning of the names of the asset's files.
    var fileStem: Substring { localIdentifier.prefix { $0 != "/" } }

    mutating func setLocation(_ location: CLLocation?) {
        latitude = location?.coordinate.latitude
        longitude = location?.coordinate.longitude
        altitude = location.flatMap { $0.verticalAccuracy < 0 ? nil : $0.altitude }
    }
}
