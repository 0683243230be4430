import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library album`.
    struct Album: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "album", abstract: "Lists, creates, changes and deletes albums.",
            subcommands: [
                AlbumList.self, AlbumCreate.self, AlbumRename.self, AlbumDelete.self, AlbumAdd.self, AlbumRemove.self,
            ])

        /// The report of a change of an album.
        fileprivate struct Report: Encodable {
            var id: String
            var title: String
            var assets: Int
        }

        fileprivate static func require(title: String) throws {
            guard !title.isEmpty else { throw ValidationError("the title of an album must not be empty") }
        }

        /// Returns the album with a title or an identifier.
        fileprivate static func find(_ album: String, _ options: Options) throws -> PHAssetCollection {
            guard try options.bootstrap() else { throw LibraryAccess.noAlbum(album, among: []) }
            let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
            var found: [PHAssetCollection] = []
            albums.enumerateObjects { candidate, _, _ in
                if candidate.localIdentifier == album || candidate.localizedTitle == album { found.append(candidate) }
            }
            guard found.count <= 1 else {
                let ids = found.map(\.localIdentifier).joined(separator: ", ")
                throw CommandFailure("\(found.count) albums have the title '\(album)': name one by its ID: \(ids)")
            }
            guard let result = found.first else {
                throw LibraryAccess.noAlbum(album, among: try PHPhotoLibrary.shared().storedAlbums())
            }
            return result
        }

        /// Prints an album after a change.
        fileprivate static func report(_ id: String, _ action: String, _ options: Options) throws {
            let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [id], options: nil)
            guard let album = albums.firstObject else { throw CommandFailure("the album \(id) no longer exists") }
            let report = Report(id: id, title: album.localizedTitle ?? "", assets: album.estimatedAssetCount)
            if options.json { return try printJSON(report) }
            try printLine("\(id): \(action) '\(report.title)', \(assetCount(report.assets))")
        }

        fileprivate static func assetCount(_ count: Int) -> String { count == 1 ? "1 asset" : "\(count) assets" }
    }

    /// `obscura library album list`.
    struct AlbumList: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the albums with the number of their assets.")
        @Flag(help: "Also smart albums, such as Favorites. (default: off)") var smart = false
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var albums: [Album.Report]
        }

        func run() throws {
            var reports: [Album.Report] = []
            if try options.bootstrap() {
                for type in [PHAssetCollectionType.album] + (smart ? [.smartAlbum] : []) {
                    PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: nil)
                        .enumerateObjects { album, _, _ in
                            reports.append(
                                Album.Report(
                                    id: album.localIdentifier, title: album.localizedTitle ?? "",
                                    assets: PHAsset.fetchAssets(in: album, options: nil).count))
                        }
                }
            }
            if options.json { return try printJSON(Report(albums: reports)) }
            if reports.isEmpty { try printLine("there are no albums") }
            for album in reports {
                try printLine("\(album.id)  \(album.title), \(Album.assetCount(album.assets))")
            }
        }
    }

    /// `obscura library album create`.
    struct AlbumCreate: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates an album.")
        @Argument(help: "The title.") var title: String
        @Argument(help: "The assets of the album, by the IDs that 'library list' prints.") var ids: [String] = []
        @OptionGroup var options: Options

        func validate() throws { try Album.require(title: title) }

        func run() throws {
            guard try options.bootstrap() else {
                throw CommandFailure("there is no library; 'obscura library import' creates one")
            }
            guard try !PHPhotoLibrary.shared().storedAlbums().contains(title) else {
                throw CommandFailure("there is an album '\(title)' already")
            }
            let assets = try ids.map(LibraryAccess.asset)
            var id = ""
            try LibraryAccess.change("the album could not be created") {
                let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                request.addAssets(assets)
                id = request.placeholderForCreatedAssetCollection.localIdentifier
            }
            try Album.report(id, "created", options)
        }
    }

    /// `obscura library album rename`.
    struct AlbumRename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Changes the title of an album.")
        @Argument(help: "The album, by its title or ID.") var album: String
        @Argument(help: "The new title.") var title: String
        @OptionGroup var options: Options

        func validate() throws { try Album.require(title: title) }

        func run() throws {
            let album = try Album.find(album, options)
            try LibraryAccess.change("the album could not be renamed") {
                PHAssetCollectionChangeRequest(for: album)?.title = title
            }
            try Album.report(album.localIdentifier, "renamed to", options)
        }
    }

    /// `obscura library album delete`.
    struct AlbumDelete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes an album, but not its assets.")
        @Argument(help: "The album, by its title or ID.") var album: String
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var deleted: String
        }

        func run() throws {
            let album = try Album.find(album, options)
            try LibraryAccess.change("the album could not be deleted") {
                PHAssetCollectionChangeRequest.deleteAssetCollections([album])
            }
            if options.json { return try printJSON(Report(deleted: album.localIdentifier)) }
            try printLine("\(album.localIdentifier): deleted the album '\(album.localizedTitle ?? "")'")
        }
    }

    /// `obscura library album add`.
    struct AlbumAdd: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds assets to an album.")
        @Argument(help: "The album, by its title or ID.") var album: String
        @Argument(help: "The assets, by the IDs that 'library list' prints.") var ids: [String]
        @OptionGroup var options: Options

        func run() throws {
            let album = try Album.find(album, options)
            let assets = try ids.map(LibraryAccess.asset)
            try LibraryAccess.change("the assets could not be added") {
                PHAssetCollectionChangeRequest(for: album)?.addAssets(assets)
            }
            try Album.report(album.localIdentifier, "added to", options)
        }
    }

    /// `obscura library album remove`.
    struct AlbumRemove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes assets from an album, but not from the library.")
        @Argument(help: "The album, by its title or ID.") var album: String
        @Argument(help: "The assets, by the IDs that 'library list' prints.") var ids: [String]
        @OptionGroup var options: Options

        func run() throws {
            let album = try Album.find(album, options)
            let assets = try ids.map(LibraryAccess.asset)
            let contents = PHAsset.fetchAssets(in: album, options: nil)
            if let missing = assets.first(where: { !contents.contains($0) }) {
                throw CommandFailure("the album '\(self.album)' does not contain \(missing.localIdentifier)")
            }
            try LibraryAccess.change("the assets could not be removed") {
                PHAssetCollectionChangeRequest(for: album)?.removeAssets(assets)
            }
            try Album.report(album.localIdentifier, "removed from", options)
        }
    }
}
