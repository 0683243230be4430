import ArgumentParser
import CaptureHAL
import CaptureScenarios
import PhotoStore

extension LibraryCommand {
    /// `obscura library delete`.
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes assets and their files from the library, at once and without asking.",
            discussion: "Deletes all of the assets, or none if there is no asset with one of the IDs.")
        @Argument(help: "The assets, by the IDs that 'list' prints.") var ids: [String]
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var deleted: [String]
        }

        func run() throws {
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(ids[0]) }
            let assets = try ids.map(LibraryAccess.asset)
            do {
                try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets) }
            } catch {
                throw CommandFailure("the assets could not be deleted: \(errorReason(error))")
            }
            if options.json { return try printJSON(Report(deleted: ids)) }
            for id in ids { try printLine("\(id): deleted") }
        }
    }
}
