import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes
import PhotoStore

/// `obscura library`.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Lists, shows, imports, exports, deletes and verifies photos and movies of the photo library.",
        subcommands: [List.self, Show.self, Import.self, Export.self, Delete.self, Verify.self])

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

    /// `obscura library list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists photos and movies, oldest first.")
        @OptionGroup var options: Options

        private struct Listing: Encodable {
            struct Asset: Encodable {
                var id: String
                var type: String
                var file: String
                var width: Int
                var height: Int
                var duration: Double
                var created: String
                var make: String?
                var model: String?
                var latitude: Double?
                var longitude: Double?
            }

            var library: String
            var assets: [Asset]
        }

        func run() throws {
            let hasLibrary = try options.bootstrap()
            let assets = hasLibrary ? try PHPhotoLibrary.shared().listedAssets().map(Self.entry) : []
            let unlistedCount = hasLibrary ? try PHPhotoLibrary.shared().unlistedFiles().count : 0
            if unlistedCount > 0 {
                let files = unlistedCount == 1 ? "1 file" : "\(unlistedCount) files"
                _ = writeAll(
                    "Warning: the index does not list \(files) of the library; see 'obscura library verify'\n",
                    to: STDERR_FILENO)
            }
            if options.json {
                return try printJSON(Listing(library: CaptureSystem.current.photoLibraryURL.path, assets: assets))
            }
            if assets.isEmpty { try printLine("the library \(CaptureSystem.current.photoLibraryURL.path) is empty") }
            for asset in assets {
                let length = asset.type == "movie" ? String(format: ", %.3f s", asset.duration) : ""
                let camera = [asset.make, asset.model].compactMap { $0 }.joined(separator: " ")
                try printLine(
                    "\(asset.id)  \(asset.type) \(asset.file), \(asset.width)x\(asset.height)\(length), \(asset.created)"
                        + (camera.isEmpty ? "" : ", " + camera))
            }
        }

        private static func entry(_ asset: ListedAsset) -> Listing.Asset {
            Listing.Asset(
                id: asset.localIdentifier, type: asset.mediaType == .video ? "movie" : "picture",
                file: asset.originalFilename, width: asset.pixelWidth, height: asset.pixelHeight,
                duration: asset.duration, created: Date(timeIntervalSince1970: asset.creationDate).ISO8601Format(),
                make: asset.cameraMake, model: asset.cameraModel, latitude: asset.latitude, longitude: asset.longitude)
        }
    }

    /// `obscura library export`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Copies an original from the library to a file.")
        @Argument(help: "The asset, by the ID that 'list' prints.") var id: String
        @Argument(help: "The file to write; an existing file is never overwritten.") var file: String
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var file: String
            var id: String
        }

        func validate() throws { try OutputFile.requireName(file) }

        func run() throws {
            try OutputFile.check(file)
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(id) }
            let asset = try LibraryAccess.asset(id)
            guard let resource = PHAssetResource.assetResources(for: asset).first else {
                throw CommandFailure("the asset \(id) has no original")
            }
            let extensions = resource.fileExtensions
            guard extensions.contains(URL(fileURLWithPath: file).pathExtension.lowercased()) else {
                throw ValidationError(
                    "\(file) does not have the extension of \(id): the name must end in "
                        + extensions.map { ".\($0)" }.joined(separator: " or "))
            }
            let outcome = Lock<Result<Void, any Error>?>(nil)
            PHAssetResourceManager.default().writeData(
                for: resource, toFile: URL(fileURLWithPath: file), options: nil
            ) { error in
                outcome.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
            }
            while outcome.withLock({ $0 == nil }) {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
            if case .failure(let error)? = outcome.withLock({ $0 }) {
                throw CommandFailure(errorReason(error))
            }
            if options.json { return try printJSON(Report(file: file, id: id)) }
            try printLine("\(file): the original of \(id)")
        }
    }
}
