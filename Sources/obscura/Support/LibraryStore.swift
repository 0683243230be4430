import Foundation
import PhotoStore

/// Puts files into the photo library of the current system and gets them out.
enum LibraryStore {
    /// Saves a copy of a file.
    ///
    /// - Returns: The asset's local identifier.
    static func save(_ url: URL, as type: PHAssetResourceType) throws -> String {
        let library = PHPhotoLibrary.shared()
        var identifier: String?
        do {
            try library.performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                let options = PHAssetResourceCreationOptions()
                options.originalFilename = url.lastPathComponent
                request.addResource(with: type, fileURL: url, options: options)
                identifier = request.placeholderForCreatedAsset?.localIdentifier
            }
        } catch {
            throw CommandFailure(
                "\(url.relativePath) could not be saved into the library: \(error.localizedDescription)")
        }
        guard let identifier else { throw CommandFailure("the library gave no identifier for \(url.relativePath)") }
        return identifier
    }

    /// Saves a file as what its name says that it is.
    static func save(_ url: URL) throws -> String {
        try checkExistence(url.relativePath)
        let ending = url.pathExtension.lowercased()
        if ["jpg", "jpeg", "png"].contains(ending) { return try save(url, as: .photo) }
        if ["mov", "mp4", "m4v"].contains(ending) { return try save(url, as: .video) }
        throw CommandFailure(
            "\(url.relativePath) is no picture and no movie; the endings are jpg, png, mov, mp4 and m4v")
    }

    static func checkExistence(_ path: String) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: path) else { throw CommandFailure("there is no file \(path)") }
    }

    /// The asset with that identifier.
    static func asset(_ identifier: String) throws -> PHAsset {
        try checkAvailability()
        guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject else {
            throw noAsset(identifier)
        }
        return asset
    }

    static func noAsset(_ identifier: String) -> CommandFailure {
        CommandFailure("there is no asset \(identifier) in the library; 'obscura library list' shows them")
    }

    static func checkAvailability() throws {
        if let reason = PHPhotoLibrary.shared().unavailabilityReason {
            throw CommandFailure("the library cannot be opened: \(reason.localizedDescription)")
        }
    }
}
