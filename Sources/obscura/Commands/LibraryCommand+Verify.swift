import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library verify`.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Compares the index of the library with its files, and changes nothing.",
            discussion: """
                Prints the files of assets that are missing or have another size, and the files that the index does not \
                list. 'obscura library import --unlisted' adds the latter to the index.
                """)
        @OptionGroup var options: Options

        private struct Report: Encodable {
            struct File: Encodable {
                var id: String
                var file: String
                var path: String
                var bytes: Int64
                var foundBytes: Int64?
                var reason: String
            }

            var library: String
            var assets = 0
            var damaged: [File] = []
            var unlisted: [String] = []
        }

        func run() throws {
            var report = Report(library: LibraryAccess.location(options.library).path)
            if try options.bootstrap() {
                let differences = try PHPhotoLibrary.shared().differences()
                report.assets = differences.assetCount
                report.damaged = differences.damaged.map(Self.entry)
                report.unlisted = differences.unlisted.map(\.path)
            }
            if options.json {
                try printJSON(report)
            } else {
                for file in report.damaged { try printLine("\(file.id) \(file.file): \(file.reason)") }
                for path in report.unlisted { try printLine("\(path): not listed in the index") }
                try printLine(summary(report))
            }
            if !report.damaged.isEmpty || !report.unlisted.isEmpty { throw ExitCode(1) }
        }

        private static func entry(_ file: LibraryDifferences.File) -> Report.File {
            let reason =
                file.reason ?? "\(file.url.path) has \(file.foundByteCount ?? 0) bytes instead of \(file.byteCount)"
            return Report.File(
                id: file.localIdentifier, file: file.originalFilename, path: file.url.path, bytes: file.byteCount,
                foundBytes: file.foundByteCount, reason: reason)
        }

        private func summary(_ report: Report) -> String {
            func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
            var text = count(report.assets, "asset") + ": "
            if report.damaged.isEmpty, report.unlisted.isEmpty { return text + "all files are present" }
            text += count(report.damaged.count, "damaged file") + ", " + count(report.unlisted.count, "unlisted file")
            guard !report.unlisted.isEmpty else { return text }
            return text + "; 'obscura library import --unlisted' adds these to the index"
        }
    }
}
