import ArgumentParser
import CaptureHAL
import CaptureScenarios
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library delete`.
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Moves assets to Recently Deleted, from which 'restore' returns them for 30 days.",
            discussion: """
                Deletes all of the assets, or none if there is no asset with one of the IDs. The first change after 30 days \
                removes them with their files.
                """)
        @Argument(help: "The assets, by the IDs that 'list' prints.") var ids: [String]
        @Flag(
            help: ArgumentHelp(
                "Remove the assets and their files at once, also those in Recently Deleted. (default: off)"))
        var permanently = false
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var deleted: [String]
        }

        func run() throws {
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(ids[0]) }
            try LibraryAccess.require(ids, isDeleted: permanently ? nil : false)
            try LibraryAccess.change("the assets could not be deleted") {
                if permanently {
                    PHAssetChangeRequest.removeAssets(withLocalIdentifiers: ids)
                } else {
                    PHAssetChangeRequest.deleteAssets(withLocalIdentifiers: ids)
                }
            }
            if options.json { return try printJSON(Report(deleted: ids)) }
            for id in ids { try printLine("\(id): deleted" + (permanently ? " permanently" : "")) }
        }
    }

    /// `obscura library restore`.
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Returns assets from Recently Deleted to the library and to their albums.",
            discussion: "Restores all of the assets, or none if one of the IDs is not in Recently Deleted.")
        @Argument(help: "The assets, by the IDs that 'list --deleted' prints.") var ids: [String]
        @OptionGroup var options: Options

        private struct Report: Encodable {
            var restored: [String]
        }

        func run() throws {
            guard try options.bootstrap() else { throw LibraryAccess.noDeletedAsset(ids[0]) }
            try LibraryAccess.require(ids, isDeleted: true)
            try LibraryAccess.change("the assets could not be restored") {
                PHAssetChangeRequest.restoreAssets(withLocalIdentifiers: ids)
            }
            if options.json { return try printJSON(Report(restored: ids)) }
            for id in ids { try printLine("\(id): restored") }
        }
    }
}
