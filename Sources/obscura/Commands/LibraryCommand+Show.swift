import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

extension LibraryCommand {
    /// `obscura library show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an asset and its files, and compares them with their checksums.")
        @Argument(help: "The asset, by the ID that 'list' prints.") var id: String
        @OptionGroup var options: Options

        private struct Report: Encodable {
            struct File: Encodable {
                var type: String
                var name: String
                var path: String
                var uti: String
                var bytes: Int64
                var width: Int
                var height: Int
                var sha256: String?
                /// How the file is damaged; nil if it is not.
                var damage: String?
            }

            var id: String
            var type: String
            var width: Int
            var height: Int
            var duration: Double
            var created: String?
            var modified: String?
            var added: String?
            var favorite: Bool
            var hidden: Bool
            var make: String?
            var model: String?
            var latitude: Double?
            var longitude: Double?
            var albums: [String]
            var files: [File]
        }

        func run() throws {
            guard try options.bootstrap() else { throw LibraryAccess.noAsset(id) }
            let asset = try LibraryAccess.asset(id)
            let albums = try PHPhotoLibrary.shared().albumTitles(containing: id)
            let files = try PHAssetResource.assetResources(for: asset).map { resource in
                Report.File(
                    type: "\(resource.type)", name: resource.originalFilename, path: try resource.fileURL().path,
                    uti: resource.uniformTypeIdentifier, bytes: resource.byteCount, width: resource.pixelWidth,
                    height: resource.pixelHeight, sha256: resource.checksum, damage: try resource.damageReason())
            }
            let report = Report(
                id: id, type: asset.mediaType == .video ? "movie" : "picture", width: asset.pixelWidth,
                height: asset.pixelHeight, duration: asset.duration, created: asset.creationDate?.ISO8601Format(),
                modified: asset.modificationDate?.ISO8601Format(), added: asset.addedDate?.ISO8601Format(),
                favorite: asset.isFavorite, hidden: asset.isHidden, make: asset.cameraMake, model: asset.cameraModel,
                latitude: asset.location?.coordinate.latitude, longitude: asset.location?.coordinate.longitude,
                albums: albums, files: files)
            if options.json { try printJSON(report) } else { try print(report) }
            if files.contains(where: { $0.damage != nil }) { throw ExitCode(1) }
        }

        private func print(_ report: Report) throws {
            try printLine("\(report.id)  \(report.type), \(report.width)x\(report.height)")
            if report.type == "movie" { try printLine(String(format: "duration: %.3f s", report.duration)) }
            let values: [(String, String?)] = [
                ("created", report.created), ("modified", report.modified), ("added", report.added),
                ("make", report.make), ("model", report.model), ("latitude", report.latitude.map { "\($0)" }),
                ("longitude", report.longitude.map { "\($0)" }), ("favorite", report.favorite ? "yes" : nil),
                ("hidden", report.hidden ? "yes" : nil),
                ("albums", report.albums.isEmpty ? nil : report.albums.joined(separator: ", ")),
            ]
            for case (let name, let value?) in values { try printLine("\(name): \(value)") }
            for file in report.files {
                let size = file.width > 0 ? ", \(file.width)x\(file.height)" : ""
                try printLine("\(file.type): \(file.name), \(file.uti), \(file.bytes) bytes\(size)")
                try printLine("  \(file.path)")
                try printLine("  sha256: \(file.sha256 ?? "unknown, see 'obscura library verify --repair'")")
                if let damage = file.damage { try printLine("  DAMAGED: \(damage)") }
            }
        }
    }
}
