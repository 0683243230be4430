import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library verify`.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Compares the index of the library with its files.",
            discussion: """
                Reads all files. Prints those of assets that are missing, or have another size or SHA-256 checksum than \
                at the import, and the files that the index does not list. 'obscura library import --unlisted' adds the \
                latter to the index.
                """)
        @Flag(
            help: ArgumentHelp(
                "Find missing originals among the unlisted files, create damaged thumbnails again, compute the checksums "
                    + "of files that an earlier version imported, and move its originals to the folders of their months. "
                    + "The contents of photos and movies are not changed. Without this option, nothing is changed. "
                    + "(default: off)"))
        var repair = false
        @OptionGroup var options: Options

        private struct Report: Encodable {
            struct File: Encodable {
                var id: String
                var file: String
                var thumbnail: Bool
                var path: String
                var bytes: Int64?
                var foundBytes: Int64?
                var reason: String
            }

            struct Repair: Encodable {
                var id: String
                var repair: String
            }

            var library: String
            var assets = 0
            var index: [String] = []
            var damaged: [File] = []
            var unlisted: [String] = []
            var withoutChecksum = 0
            var repaired: [Repair] = []

            var isIntact: Bool { index.isEmpty && damaged.isEmpty && unlisted.isEmpty }
        }

        func run() throws {
            var report = Report(library: LibraryAccess.location(options.library).path)
            if try options.bootstrap() {
                let library = PHPhotoLibrary.shared()
                var differences = try library.differences()
                if repair {
                    report.repaired = try library.repair(differences).map(Self.entry)
                    differences = try library.differences()
                }
                report.index = differences.indexErrors
                report.assets = differences.assetCount
                report.damaged = differences.damaged.map(Self.entry)
                report.unlisted = differences.unlisted.map(\.path)
                report.withoutChecksum = differences.uncheckedCount
            }
            if options.json {
                try printJSON(report)
            } else {
                for repaired in report.repaired { try printLine("\(repaired.id): \(repaired.repair)") }
                for error in report.index { try printLine("\(report.library)/index.sqlite: \(error)") }
                for file in report.damaged {
                    try printLine("\(file.id) \(file.file): \(file.reason)\(advice(file, report))")
                }
                for path in report.unlisted { try printLine("\(path): not listed in the index") }
                try printLine(summary(report))
            }
            if !report.isIntact { throw ExitCode(1) }
        }

        private static func entry(_ file: LibraryDifferences.File) -> Report.File {
            Report.File(
                id: file.localIdentifier, file: file.originalFilename, thumbnail: file.isThumbnail,
                path: file.url.path, bytes: file.byteCount, foundBytes: file.foundByteCount, reason: file.reason)
        }

        private static func entry(_ repair: LibraryRepair) -> Report.Repair {
            let text =
                switch repair.action {
                case .foundOriginal: "found the missing original"
                case .createdThumbnail: "created the thumbnail again"
                case .recordedChecksum: "recorded a checksum"
                }
            return Report.Repair(id: repair.localIdentifier, repair: text)
        }

        private func advice(_ file: Report.File, _ report: Report) -> String {
            guard file.thumbnail else {
                let isSearched = !repair && file.foundBytes == nil && !report.unlisted.isEmpty
                return isSearched
                    ? "; --repair searches the unlisted files for it" : "; restore the file from a copy"
            }
            return repair ? "" : "; --repair creates the thumbnail again if the photo or movie is intact"
        }

        private func summary(_ report: Report) -> String {
            func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
            var parts: [String] = []
            if report.isIntact { parts.append("all files are intact") }
            if !report.index.isEmpty { parts.append(count(report.index.count, "error") + " in the index") }
            if !report.damaged.isEmpty { parts.append(count(report.damaged.count, "damaged file")) }
            if !report.unlisted.isEmpty {
                let files = count(report.unlisted.count, "unlisted file")
                parts.append("\(files), which 'obscura library import --unlisted' adds to the index")
            }
            if report.withoutChecksum > 0 {
                let files = count(report.withoutChecksum, "file")
                parts.append("\(files) without a checksum, of which only the size was compared; see --repair")
            }
            return count(report.assets, "asset") + ": " + parts.joined(separator: "; ")
        }
    }
}
