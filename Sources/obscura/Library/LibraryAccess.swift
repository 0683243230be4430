import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes
import PhotoStore

/// Access to the photo library of the current system.
enum LibraryAccess {
    /// The default location of the library, for help texts.
    static let defaultFolderHelp = "obscura/library in $XDG_DATA_HOME or ~/.local/share"

    /// Returns the folder of the library.
    ///
    /// - Parameter path: The value of `--library`; nil for the default folder.
    static func location(_ path: String?) -> URL {
        path.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? CaptureSystem.defaultPhotoLibraryURL
    }

    /// Whether a folder has the originals of a library, but no index.
    static func lacksIndex(_ library: URL) -> Bool {
        guard !PHPhotoLibrary.exists(at: library) else { return false }
        let originals = library.appendingPathComponent("originals", isDirectory: true)
        let files = FileManager.default.enumerator(at: originals, includingPropertiesForKeys: [.isDirectoryKey])
        return files?.contains { entry in
            // An entry without properties is an unreadable file.
            (entry as? URL).map { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true } ?? false
        } ?? false
    }

    /// Saves a copy of a file as a new asset.
    ///
    /// - Parameters:
    ///   - rawPhoto: The RAW photo of a processed photo, which is saved with it.
    ///   - livePhotoMovie: The movie of a Live Photo, which is saved with the photo.
    ///   - movesFile: Whether the files are removed after they have been saved.
    ///   - fallbackDate: The creation date of the asset if its file contains none; nil for the current date.
    /// - Returns: The asset's local identifier.
    static func save(
        _ url: URL, as type: PHAssetResourceType, rawPhoto: URL? = nil, livePhotoMovie: URL? = nil,
        movesFile: Bool = false, fallbackDate: Date? = nil
    ) throws -> String {
        let library = PHPhotoLibrary.shared()
        var identifier: String?
        do {
            // A library that cannot be created leaves nothing behind.
            try OutputFile.creatingFolder(CaptureSystem.current.photoLibraryURL.path) {
                try library.performChangesAndWait {
                    let request = PHAssetCreationRequest.forAsset()
                    func add(_ type: PHAssetResourceType, _ url: URL) {
                        let options = PHAssetResourceCreationOptions()
                        options.originalFilename = url.lastPathComponent
                        options.shouldMoveFile = movesFile
                        options.fallbackCreationDate = fallbackDate
                        request.addResource(with: type, fileURL: url, options: options)
                    }
                    add(type, url)
                    if let rawPhoto { add(.alternatePhoto, rawPhoto) }
                    if let livePhotoMovie { add(.pairedVideo, livePhotoMovie) }
                    identifier = request.placeholderForCreatedAsset?.localIdentifier
                }
            }
        } catch {
            throw CommandFailure(
                "\(url.relativePath) could not be saved to the library: \(errorReason(error))")
        }
        guard let identifier else { throw CommandFailure("the library returned no identifier for \(url.relativePath)") }
        return identifier
    }

    /// Returns the type of a file by its contents.
    ///
    /// - Throws: `CommandFailure` if there is no such file, or if it is neither a photo nor a movie.
    static func resourceType(of path: String) throws(CommandFailure) -> PHAssetResourceType {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("there is no file \(path)")
        }
        guard !isFolder.boolValue, FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure("\(path) cannot be read")
        }
        guard let type = PHAssetResourceType(contentsOf: URL(fileURLWithPath: path)) else {
            throw CommandFailure(
                "\(path) is not a photo or movie; supported are JPEG, PNG, HEIF, WebP, QuickTime, MPEG-4, AVI and Matroska"
            )
        }
        return type
    }

    /// Returns the asset with an identifier.
    static func asset(_ identifier: String) throws -> PHAsset {
        try checkAvailability()
        do {
            guard let asset = try PHPhotoLibrary.shared().storedAsset(identifier) else { throw noAsset(identifier) }
            return asset
        } catch let error as PHPhotosError {
            throw CommandFailure("the library cannot be read: \(errorReason(error))")
        }
    }

    /// Throws if one of the identifiers does not exist.
    ///
    /// - Parameter isDeleted: Whether the assets must be in Recently Deleted, or must not be; nil if both are possible.
    static func require(_ identifiers: [String], isDeleted: Bool?) throws {
        var query = ListedAssetQuery()
        query.localIdentifiers = identifiers
        query.includesHidden = true
        query.isDeleted = isDeleted
        let known = Set(try PHPhotoLibrary.shared().listedAssets(query).map(\.localIdentifier))
        guard let missing = identifiers.first(where: { !known.contains($0) }) else { return }
        throw isDeleted == true ? noDeletedAsset(missing) : noAsset(missing)
    }

    /// Changes the library. An error is reported after `message`.
    static func change(_ message: String, _ body: () -> Void) throws(CommandFailure) {
        do {
            try PHPhotoLibrary.shared().performChangesAndWait(body)
        } catch {
            throw CommandFailure("\(message): \(errorReason(error))")
        }
    }

    /// Writes a file of an asset to a new file.
    static func write(_ resource: PHAssetResource, to path: String) throws(CommandFailure) {
        let failure = Lock<(any Error)?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        PHAssetResourceManager.default().writeData(for: resource, toFile: URL(fileURLWithPath: path), options: nil) {
            error in
            failure.withLock { $0 = error }
            isDone.signal()
        }
        isDone.wait()
        if let error = failure.withLock({ $0 }) { throw CommandFailure(errorReason(error)) }
    }

    /// Returns the error for an identifier that is not in Recently Deleted.
    static func noDeletedAsset(_ identifier: String) -> CommandFailure {
        CommandFailure(
            "the asset \(identifier) is not in Recently Deleted; 'obscura library list --deleted' lists its assets")
    }

    /// Returns the error for an unknown identifier.
    static func noAsset(_ identifier: String) -> CommandFailure {
        CommandFailure("there is no asset \(identifier) in the library; 'obscura library list' lists the assets")
    }

    /// Returns the error for an unknown album.
    ///
    /// - Parameter titles: The titles of all albums.
    static func noAlbum(_ album: String, among titles: [String]) -> CommandFailure {
        let command = "obscura library album list"
        guard !titles.isEmpty else {
            return CommandFailure("there is no album '\(album)', because there are no albums")
        }
        let hint = suggestion(for: album, among: titles.sorted(), listedBy: command)
        return CommandFailure("there is no album '\(album)'; \(hint)")
    }

    /// Throws if the library cannot be opened.
    static func checkAvailability() throws {
        if let reason = PHPhotoLibrary.shared().unavailabilityReason {
            throw CommandFailure(errorReason(reason))
        }
    }
}
