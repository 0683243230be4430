import ArgumentParser
import CaptureScenarios
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library import`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Copies photos and movies to the library.",
            discussion: """
                Reports each file as soon as it is saved. A photo and a movie with the same content identifier are saved \
                as one Live Photo. Files that the library contains already are not copied again.
                """)
        @Argument(
            help: "Photos and movies, or folders with them: JPEG, PNG, HEIF, WebP, QuickTime, MPEG-4, AVI, Matroska.",
            completion: .file())
        var files: [String] = []
        @Flag(help: "Import the files of the library that its index does not list, see 'verify'. (default: off)")
        var unlisted = false
        @Flag(help: "Also import files that the library contains already. (default: off)") var duplicates = false
        @OptionGroup var options: Options

        private struct Report: Encodable {
            struct Asset: Encodable {
                var file: String
                var id: String
                /// The movie of a Live Photo, which is part of the same asset.
                var movie: String?
                /// Why a saved file has no thumbnail; nil if it has one.
                var withoutThumbnail: String?
            }

            struct Refusal: Encodable {
                var file: String
                var reason: String
            }

            var imported: [Asset] = []
            /// Files with the contents of an asset, and its identifier.
            var duplicates: [Asset] = []
            var refused: [Refusal] = []
            /// Files of folders that are neither photos nor movies.
            var skipped: [String] = []
        }

        private enum Outcome {
            case saved(String)
            case duplicate(String)
        }

        func validate() throws {
            guard unlisted != files.isEmpty else { return }
            throw ValidationError(unlisted ? "--unlisted takes no files" : "name the files to import, or --unlisted")
        }

        func run() throws {
            let library = LibraryAccess.location(options.library)
            let selected = ImportedFiles(files, library: library)
            var report = Report()
            report.skipped = selected.skipped
            var files = selected.files
            if unlisted {
                if try options.bootstrap(createsLibrary: LibraryAccess.lacksIndex(library)) {
                    files = try PHPhotoLibrary.shared().unlistedFiles().map(\.path)
                }
            } else if files.contains(where: { PHAssetResourceType(contentsOf: URL(fileURLWithPath: $0)) != nil }) {
                // Without a photo or movie, no library is created.
                try options.bootstrap(createsLibrary: true)
            }
            if files.isEmpty, selected.skipped.isEmpty, !unlisted {
                let folders = self.files.joined(separator: ", ")
                throw CommandFailure("there is no photo or movie in \(folders)")
            }
            var pairs = LivePhotoPairs(files)
            let pairedMovies = Set(pairs.movies.map(\.path))
            var remaining = files.filter { !pairedMovies.contains($0) }[...]
            let progress = ProgressBar("importing")
            var doneCount = 0
            // Movies with an identifier follow, unless a photo has the same one.
            while let file = remaining.popFirst() ?? pairs.takeFirst() {
                progress.show(Double(doneCount) / Double(files.count))
                let movie = pairs.takeMovie(of: file)
                doneCount += movie == nil ? 1 : 2
                do {
                    switch try save(file, livePhotoMovie: movie) {
                    case .saved(let id):
                        let reason = try LibraryAccess.asset(id).missingThumbnailReason()
                        report.imported.append(Report.Asset(file: file, id: id, movie: movie, withoutThumbnail: reason))
                        var remark = movie.map { " with the movie of the Live Photo, \($0)" } ?? ""
                        if let reason { remark += " without a thumbnail: \(reason)" }
                        progress.finish()
                        try note("\(file): saved to the library as \(id)\(remark)")
                    case .duplicate(let id):
                        report.duplicates.append(Report.Asset(file: file, id: id, movie: movie))
                        progress.finish()
                        try note("\(file): already in the library as \(id)")
                    }
                } catch let failure as ImportFailure {
                    report.refused.append(Report.Refusal(file: file, reason: failure.reason))
                    progress.finish()
                    if !options.json { _ = writeAll("Error: \(failure.reason)\n", to: STDERR_FILENO) }
                }
            }
            progress.finish()
            for file in selected.skipped { try note("\(file): skipped, it is not a photo or movie") }
            if options.json { try printJSON(report) }
            if !report.refused.isEmpty { throw ExitCode(1) }
        }

        /// Prints a line as soon as its file is done, unless one JSON object is printed at the end.
        private func note(_ line: String) throws {
            if !options.json { try printLine(line) }
        }

        /// The reason why one file is refused; the others are imported.
        private struct ImportFailure: Error {
            let reason: String
        }

        private func save(_ file: String, livePhotoMovie: String?) throws(ImportFailure) -> Outcome {
            do {
                let type = try LibraryAccess.resourceType(of: file)
                let url = URL(fileURLWithPath: file)
                if !duplicates, let id = try PHPhotoLibrary.shared().asset(withOriginal: url) { return .duplicate(id) }
                // A file without a date in its contents has the date in the file system.
                let values = try? url.resourceValues(forKeys: [.contentModificationDateKey])
                return .saved(
                    try LibraryAccess.save(
                        url, as: type, livePhotoMovie: livePhotoMovie.map { URL(fileURLWithPath: $0) },
                        movesFile: unlisted, fallbackDate: values?.contentModificationDate))
            } catch {
                throw ImportFailure(
                    reason: ((error as? CommandFailure) ?? CommandFailure(errorReason(error))).description)
            }
        }
    }
}
