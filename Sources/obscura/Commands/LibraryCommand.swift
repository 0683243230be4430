import ArgumentParser
import CaptureHAL
import Foundation
import MediaTypes
import PhotoStore

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Shows and fills the photo library.",
        subcommands: [List.self, Import.self, Export.self])

    /// What the three commands share.
    struct Options: ParsableArguments {
        @Option(help: "The folder of the photo library.") var library: String?
        @Flag(help: "Print one JSON object.") var json = false

        /// - Parameter mayMake: Whether a library is made where there is none.
        /// - Returns: Whether there is one; false only for the default one, which nobody asked for by name.
        @discardableResult
        func bootstrap(mayMake: Bool = false) throws -> Bool {
            try CaptureSystem.bootstrap(
                CaptureSystem(
                    hosts: [], clock: HostClock.shared,
                    photoLibraryURL: library.map { URL(fileURLWithPath: $0, isDirectory: true) }
                        ?? CaptureSystem.defaultPhotoLibraryURL))
            let url = CaptureSystem.current.photoLibraryURL
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            // What is no folder is left to the opening, which says what is wrong with it.
            if !mayMake, !isThere || isFolder.boolValue, !PHPhotoLibrary.exists(at: url) {
                guard let library else { return false }
                throw CommandFailure("there is no library in \(library); 'obscura library import' makes one")
            }
            try LibraryStore.checkAvailability()
            return true
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists pictures and movies, oldest first.")
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
            }

            var library: String
            var assets: [Asset]
        }

        func run() throws {
            let assets = try options.bootstrap() ? assets() : []
            if options.json {
                return try printJSON(Listing(library: CaptureSystem.current.photoLibraryURL.path, assets: assets))
            }
            if assets.isEmpty { try printLine("the library \(CaptureSystem.current.photoLibraryURL.path) is empty") }
            for asset in assets {
                let length = asset.type == "movie" ? String(format: ", %.3f s", asset.duration) : ""
                try printLine(
                    "\(asset.id)  \(asset.type) \(asset.file), \(asset.width)x\(asset.height)\(length), \(asset.created)"
                )
            }
        }

        private func assets() -> [Listing.Asset] {
            let order = PHFetchOptions()
            order.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
            let result = PHAsset.fetchAssets(with: order)
            return (0..<result.count).map { index in
                let asset = result.object(at: index)
                return Listing.Asset(
                    id: asset.localIdentifier, type: asset.mediaType == .video ? "movie" : "picture",
                    file: PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "",
                    width: asset.pixelWidth, height: asset.pixelHeight, duration: asset.duration,
                    created: asset.creationDate?.ISO8601Format() ?? "")
            }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Copies pictures and movies into the library.")
        @Argument(help: "JPEG, PNG, .mov, .mp4 or .m4v files.") var files: [String]
        @OptionGroup var options: Options

        private struct Report: Encodable {
            struct Item: Encodable {
                var file: String
                var id: String
            }

            var imported: [Item]
        }

        func run() throws {
            for file in files { try LibraryStore.checkExistence(file) }
            try options.bootstrap(mayMake: true)
            let items = try files.map {
                Report.Item(file: $0, id: try LibraryStore.save(URL(fileURLWithPath: $0)))
            }
            if options.json { return try printJSON(Report(imported: items)) }
            for item in items { try printLine("\(item.file): in the library as \(item.id)") }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Copies an original out of the library.")
        @Argument(help: "The asset, by the id that 'list' shows.") var id: String
        @Argument(help: "The file to make; never overwritten.") var file: String
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var file: String
            var id: String
        }

        func run() throws {
            try OutputFile.check(file)
            guard try options.bootstrap() else { throw LibraryStore.noAsset(id) }
            let asset = try LibraryStore.asset(id)
            guard let resource = PHAssetResource.assetResources(for: asset).first else {
                throw CommandFailure("the asset \(id) has no original")
            }
            let endings = resource.fileExtensions
            guard endings.contains(URL(fileURLWithPath: file).pathExtension.lowercased()) else {
                throw CommandFailure(
                    "\(id) is not what the name \(file) says: a name for it ends in "
                        + endings.map { ".\($0)" }.joined(separator: " or "))
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
                throw CommandFailure("\(file) could not be written: \(error.localizedDescription)")
            }
            if options.json { return try printJSON(Report(file: file, id: id)) }
            try printLine("\(file): the original of \(id)")
        }
    }
}
