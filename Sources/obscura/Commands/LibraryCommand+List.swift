import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists photos and movies, by default all that are not hidden, oldest first.")
        @OptionGroup var selection: AssetSelection
        @Flag(help: "The assets in Recently Deleted, instead of all others. (default: off)") var deleted = false
        @Option(
            help: ArgumentHelp(
                "Print these columns, separated by tabs, after a line with their names: "
                    + AssetReport.Column.names.joined(separator: ", ")
                    + ". (default: one line of text for each asset)",
                valueName: "name,…"))
        var columns: String?
        @OptionGroup var options: Options

        private struct Listing: Encodable {
            var library: String
            var assets: [AssetReport]
        }

        func validate() throws {
            _ = try parsedColumns()
            if columns != nil, options.json { throw ValidationError("--columns and --json cannot be combined") }
        }

        private func parsedColumns() throws -> [AssetReport.Column]? {
            try columns?.split(separator: ",", omittingEmptySubsequences: false)
                .map { try AssetReport.Column(argument: String($0)) }
        }

        func run() throws {
            var assets: [ListedAsset] = []
            if try options.bootstrap() {
                warnOfUnlistedFiles(try PHPhotoLibrary.shared().unlistedFiles().count)
                assets = try selection.assets { query in
                    query.isDeleted = deleted
                    query.includesDetails = options.json || columns != nil
                }
            }
            let library = CaptureSystem.current.photoLibraryURL.path
            if options.json {
                return try printJSON(Listing(library: library, assets: assets.map(AssetReport.init)))
            }
            if let columns = try parsedColumns() {
                try printLine(columns.map(\.rawValue).joined(separator: "\t"))
                for asset in assets {
                    let report = AssetReport(asset)
                    try printLine(columns.map(report.text).map(field).joined(separator: "\t"))
                }
                return
            }
            if assets.isEmpty { try printLine(try emptyMessage(library)) }
            for asset in assets { try printLine(line(asset)) }
        }

        private func line(_ asset: ListedAsset) -> String {
            func date(_ seconds: Double) -> String { Date(timeIntervalSince1970: seconds).ISO8601Format() }
            let length = asset.mediaType == .video ? String(format: ", %.3f s", asset.duration) : ""
            let camera = [asset.cameraMake, asset.cameraModel].compactMap { $0 }.joined(separator: " ")
            return
                "\(asset.localIdentifier)  \(AssetReport.typeName(asset.mediaType)) \(asset.originalFilename), "
                + "\(asset.pixelWidth)x\(asset.pixelHeight)\(length), \(date(asset.creationDate))"
                + (camera.isEmpty ? "" : ", " + camera) + (asset.deletedDate.map { ", deleted \(date($0))" } ?? "")
        }

        private func emptyMessage(_ library: String) throws -> String {
            if deleted { return "there are no such assets in Recently Deleted" }
            var all = ListedAssetQuery()
            all.includesHidden = true
            all.limit = 1
            let isEmpty =
                try !PHPhotoLibrary.exists(at: CaptureSystem.current.photoLibraryURL)
                || PHPhotoLibrary.shared().listedAssets(all).isEmpty
            return isEmpty ? "the library \(library) is empty" : "no asset of the library \(library) matches"
        }

        private func warnOfUnlistedFiles(_ count: Int) {
            guard count > 0 else { return }
            let files = count == 1 ? "1 file" : "\(count) files"
            _ = writeAll(
                "Warning: the index does not list \(files) of the library; see 'obscura library verify'\n",
                to: STDERR_FILENO)
        }

        /// Returns a text without the characters that separate fields and lines.
        private func field(_ text: String) -> String {
            String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 })
        }
    }
}
