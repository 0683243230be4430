import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
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
        return (try? FileManager.default.contentsOfDirectory(atPath: originals.path))?.isEmpty == false
    }

    /// Saves a copy of a file as a new asset.
    ///
    /// - Parameter movesFile: Whether the file is removed after it has been saved.
    /// - Returns: The asset's local identifier.
    static func save(_ url: URL, as type: PHAssetResourceType, movesFile: Bool = false) throws -> String {
        let library = PHPhotoLibrary.shared()
        var identifier: String?
        do {
            // A library that cannot be created leaves nothing behind.
            try OutputFile.creatingFolder(CaptureSystem.current.photoLibraryURL.path) {
                try library.performChangesAndWait {
                    let request = PHAssetCreationRequest.forAsset()
                    let options = PHAssetResourceCreationOptions()
                    options.originalFilename = url.lastPathComponent
                    options.shouldMoveFile = movesFile
                    request.addResource(with: type, fileURL: url, options: options)
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
                "\(path) is not a photo or movie; supported are JPEG, PNG, HEIF, QuickTime, MPEG-4, AVI and Matroska")
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

    /// Returns the error for an unknown identifier.
    static func noAsset(_ identifier: String) -> CommandFailure {
        CommandFailure("there is no asset \(identifier) in the library; 'obscura library list' lists the assets")
    }

    /// Throws if the library cannot be opened.
    static func checkAvailability() throws {
        if let reason = PHPhotoLibrary.shared().unavailabilityReason {
            throw CommandFailure(errorReason(reason))
        }
    }
}
