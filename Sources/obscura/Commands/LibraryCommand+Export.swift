import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library export`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Copies an original to a file, or selected assets to a folder.",
            discussion: """
                'export ID FILE' copies one original. With --to, all files of the selected assets are copied under their \
                names, with the creation date as the date of the file: photos, movies, raw photos, and the movies of Live \
                Photos. Files that the folder contains already are not written again, and no file is replaced: a file with \
                the name of another one gets a number.
                """)
        @Argument(help: "The ID of an asset and the file to write; with --to, the IDs of the only assets to export.")
        var arguments: [String] = []
        @Option(help: ArgumentHelp("The folder for the selected assets. (default: none)", valueName: "folder")) var to:
            String?
        @Option(
            help: ArgumentHelp(
                "The folders in this folder, as in '{year}/{month}'. Placeholders, with dates in UTC: "
                    + FolderTemplate.placeholderNames.joined(separator: ", ")
                    + ". With {album}, an asset is copied to the folder of each of its albums. (default: none)",
                valueName: "template"))
        var folders: String?
        @Flag(help: "Also copy the edited versions, as NAME_edited. (default: off)") var edits = false
        @Flag(help: "Also write the properties of each asset to an XMP file. (default: off)") var xmp = false
        @OptionGroup var selection: AssetSelection
        @OptionGroup var options: Options

        private struct FileReport: Encodable {
            var file: String
            var id: String
        }

        private struct Report: Encodable {
            var exported: [FileReport] = []
            var unchanged: [FileReport] = []
            var failed: [AssetFailure] = []
        }

        func validate() throws {
            if let to {
                try OutputFile.requireFolderName(to)
            } else {
                guard arguments.count == 2 else {
                    throw ValidationError("name an ID and a file, or a folder with --to")
                }
                guard folders == nil, !edits, !xmp, selection.isDefault else {
                    throw ValidationError("the options that select assets, --folders, --edits and --xmp need --to")
                }
                try OutputFile.requireName(arguments[1])
            }
            if let folders { _ = try template(folders) }
        }

        private func template(_ text: String) throws -> FolderTemplate {
            do throws(CommandFailure) {
                return try FolderTemplate(text)
            } catch {
                throw ValidationError(error.description)
            }
        }

        func run() throws {
            guard let to else { return try exportOriginal(arguments[0], to: arguments[1]) }
            try OutputFile.checkFolder(forFilesIn: to)
            let hasLibrary = try options.bootstrap()
            if !hasLibrary, let id = arguments.first { throw LibraryAccess.noAsset(id) }
            let assets = hasLibrary ? try selection.assets(arguments) { $0.includesDetails = true } : []
            let export = AssetExport(
                folder: to, template: try folders.map(template), includesEdited: edits, includesSidecars: xmp)
            var report = Report()
            for asset in assets {
                let id = asset.localIdentifier
                do {
                    try export.export(asset) { result in
                        switch result {
                        case .written(let file):
                            report.exported.append(FileReport(file: file, id: id))
                            if !options.json { try printLine("\(file): exported from \(id)") }
                        case .unchanged(let file): report.unchanged.append(FileReport(file: file, id: id))
                        }
                    }
                } catch let failure as CommandFailure {
                    let failed = AssetFailure(id: id, reason: failure.description)
                    report.failed.append(failed)
                    if !options.json { failed.printError() }
                }
            }
            if options.json {
                try printJSON(report)
            } else {
                try printLine(
                    "\(to): \(report.exported.count) written, \(report.unchanged.count) there already,"
                        + " \(report.failed.count) failed")
            }
            if !report.failed.isEmpty { throw ExitCode(1) }
        }

        private func exportOriginal(_ id: String, to file: String) throws {
            try OutputFile.check(file)
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(id) }
            guard let resource = PHAssetResource.assetResources(for: try LibraryAccess.asset(id)).first else {
                throw CommandFailure("the asset \(id) has no original")
            }
            let extensions = resource.fileExtensions
            guard extensions.contains(URL(fileURLWithPath: file).pathExtension.lowercased()) else {
                throw ValidationError(
                    "\(file) does not have the extension of \(id): the name must end in "
                        + extensions.map { ".\($0)" }.joined(separator: " or "))
            }
            try LibraryAccess.write(resource, to: file)
            if options.json { return try printJSON(FileReport(file: file, id: id)) }
            try printLine("\(file): the original of \(id)")
        }
    }
}
