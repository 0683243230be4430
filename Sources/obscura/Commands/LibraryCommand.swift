import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import PhotoStore

/// `obscura library`.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Lists, shows, imports, exports, deletes and verifies photos and movies of the photo library.",
        subcommands: [
            List.self, Show.self, Sheet.self, Import.self, Export.self, Delete.self, Restore.self, Album.self,
            Verify.self,
        ])

    /// The options of the subcommands.
    struct Options: ParsableArguments {
        @Option(help: "The folder of the photo library. (default: \(LibraryAccess.defaultFolderHelp))") var library:
            String?
        @Flag(help: "Print one JSON object. (default: off)") var json = false

        /// Opens the library.
        ///
        /// - Parameter createsLibrary: Whether a missing library is created.
        /// - Returns: False if the default library does not exist. A missing library that was named is an error.
        @discardableResult
        func bootstrap(createsLibrary: Bool = false) throws -> Bool {
            try CaptureSystem.bootstrap(
                CaptureSystem(
                    hosts: [], clock: HostClock.shared, photoLibraryURL: LibraryAccess.location(library)))
            let url = CaptureSystem.current.photoLibraryURL
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            // If the path is not a folder, opening it reports the error.
            if !createsLibrary, !exists || isFolder.boolValue, !PHPhotoLibrary.exists(at: url) {
                guard !LibraryAccess.lacksIndex(url) else {
                    let path = library ?? url.path
                    throw CommandFailure(
                        """
                        the index \(path)/index.sqlite is missing or empty, but there are photos and movies in \
                        \(path)/originals; restore a copy of the index, or 'obscura library import --unlisted' \
                        creates a new one that lists them
                        """)
                }
                guard let library else { return false }
                throw CommandFailure("there is no library in \(library); 'obscura library import' creates one")
            }
            // A library that cannot be created leaves nothing behind.
            try OutputFile.creatingFolder(url.path) { try LibraryAccess.checkAvailability() }
            return true
        }
    }
}
