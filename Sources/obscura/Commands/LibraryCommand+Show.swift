import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an asset, its files and all metadata in them, and compares the files with their checksums."
        )
        @Argument(help: "The asset, by the ID that 'list' prints.") var id: String
        @OptionGroup var options: Options

        func run() throws {
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(id) }
            var query = ListedAssetQuery()
            query.localIdentifiers = [id]
            query.includesHidden = true
            query.isDeleted = nil
            query.includesDetails = true
            guard let listed = try PHPhotoLibrary.shared().listedAssets(query).first,
                let asset = try PHPhotoLibrary.shared().storedAsset(id)
            else { throw LibraryAccess.noAsset(id) }
            var report = AssetReport(listed)
            var metadata: [[(name: String, text: String)]] = []
            for (index, resource) in PHAssetResource.assetResources(for: asset).enumerated() {
                guard report.files.indices.contains(index) else { break }
                report.files[index].path = try resource.fileURL().path
                report.files[index].damage = try resource.damageReason()
                let found = FileMetadata(of: try resource.fileURL(), resource.type).values
                metadata.append(found)
                report.files[index].metadata = Dictionary(found.map { ($0.name, $0.text) }) { "\($0), \($1)" }
            }
            if options.json { try printJSON(report) } else { try print(report, metadata) }
            if report.files.contains(where: { $0.damage != nil }) { throw ExitCode(1) }
        }

        private func print(_ report: AssetReport, _ metadata: [[(name: String, text: String)]]) throws {
            try printLine("\(report.id)  \(report.type), \(report.width)x\(report.height)")
            if report.type == "movie" { try printLine(String(format: "duration: %.3f s", report.duration)) }
            let values: [(String, String?)] = [
                ("created", report.created), ("modified", report.modified), ("added", report.added),
                ("make", report.make), ("model", report.model), ("latitude", report.latitude.map { "\($0)" }),
                ("longitude", report.longitude.map { "\($0)" }), ("altitude", report.altitude.map { "\($0)" }),
                ("rating", report.rating > 0 ? "\(report.rating)" : nil), ("favorite", report.favorite ? "yes" : nil),
                ("hidden", report.hidden ? "yes" : nil), ("edited", report.edited ? "yes" : nil),
                ("subtypes", report.subtypes.isEmpty ? nil : report.subtypes.joined(separator: ", ")),
                ("deleted", report.deleted),
                ("albums", report.albums.isEmpty ? nil : report.albums.joined(separator: ", ")),
            ]
            for case (let name, let value?) in values { try printLine("\(name): \(value)") }
            for (index, file) in report.files.enumerated() {
                let size = file.width > 0 ? ", \(file.width)x\(file.height)" : ""
                try printLine("\(file.type): \(file.name), \(file.uti), \(file.bytes) bytes\(size)")
                try printLine("  \(file.path)")
                try printLine("  sha256: \(file.sha256 ?? "unknown, see 'obscura library verify --repair'")")
                if let damage = file.damage { try printLine("  DAMAGED: \(damage)") }
                for (name, text) in metadata.indices.contains(index) ? metadata[index] : [] {
                    try printLine("  \(name): \(text)")
                }
            }
        }
    }
}
