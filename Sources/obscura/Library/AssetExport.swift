import CaptureHAL
import CaptureScenarios
import Foundation
import PhotoStore

/// The export of assets to a folder, which keeps existing files.
struct AssetExport {
    /// The destination, an existing folder.
    let folder: String
    let template: FolderTemplate?
    /// Whether edited versions are exported, too.
    let includesEdited: Bool
    let includesSidecars: Bool

    enum Result {
        case written(String)
        /// The file was there already with the same contents.
        case unchanged(String)
    }

    /// A file to write.
    private struct Item {
        var resource: PHAssetResource
        var name: String
    }

    /// Exports the files of an asset to each of its folders.
    ///
    /// - Throws: `CommandFailure` with the file and the reason. The other files of the asset are exported nevertheless.
    func export(_ listed: ListedAsset, report: (Result) throws -> Void) throws {
        let asset = try LibraryAccess.asset(listed.localIdentifier)
        var failure: CommandFailure?
        for path in template?.paths(for: listed) ?? [""] {
            let target = path.isEmpty ? folder : folder + "/" + path
            try createFolder(target)
            let items = items(of: asset)
            guard !items.isEmpty else { throw CommandFailure("the asset \(listed.localIdentifier) has no original") }
            let number = try freeNumber(for: items, in: target)
            for item in items {
                let file = target + "/" + Self.numbered(item.name, number)
                do {
                    try report(try write(item.resource, to: file, date: listed.creationDate))
                    guard includesSidecars else { continue }
                    if let result = try writeSidecar(of: listed, to: file + ".xmp") { try report(result) }
                } catch let error as CommandFailure {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
    }

    private func items(of asset: PHAsset) -> [Item] {
        let resources = PHAssetResource.assetResources(for: asset)
        let original = URL(fileURLWithPath: resources.first?.originalFilename ?? "original").deletingPathExtension()
            .lastPathComponent
        return resources.compactMap { resource in
            switch resource.type {
            case .photo, .video, .alternatePhoto, .pairedVideo, .audio, .photoProxy:
                return Item(resource: resource, name: Self.fileName(resource.originalFilename))
            case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo:
                guard includesEdited else { return nil }
                let fileExtension = resource.fileExtensions.first ?? ""
                return Item(resource: resource, name: Self.fileName("\(original)_edited.\(fileExtension)"))
            case .adjustmentData, .adjustmentBasePhoto, .adjustmentBasePairedVideo, .adjustmentBaseVideo: return nil
            }
        }
    }

    private func createFolder(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("the folder \(path) cannot be created: \(errorReason(error))")
        }
    }

    /// Returns the first number with which no file of the asset has the name of another file. Equal files may exist.
    private func freeNumber(for items: [Item], in folder: String) throws -> Int {
        var number = 1
        while try !items.allSatisfy({ item in
            let path = folder + "/" + Self.numbered(item.name, number)
            return try !FileManager.default.fileExists(atPath: path) || item.resource.hasContents(of: path)
        }) { number += 1 }
        return number
    }

    private func write(_ resource: PHAssetResource, to path: String, date: Double) throws(CommandFailure) -> Result {
        guard !FileManager.default.fileExists(atPath: path) else {
            if let reason = try damage(of: resource) { throw CommandFailure(reason) }
            return .unchanged(path)
        }
        try LibraryAccess.write(resource, to: path)
        do {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: date)], ofItemAtPath: path)
        } catch {
            throw CommandFailure("the date of \(path) cannot be set: \(errorReason(error))")
        }
        return .written(path)
    }

    private func damage(of resource: PHAssetResource) throws(CommandFailure) -> String? {
        do {
            return try resource.damageReason()
        } catch {
            throw CommandFailure(errorReason(error))
        }
    }

    /// Writes a sidecar, which replaces an older one.
    ///
    /// - Returns: Nil if there is an equal one.
    private func writeSidecar(of asset: ListedAsset, to path: String) throws(CommandFailure) -> Result? {
        let data = Data(XMPSidecar(asset).text.utf8)
        guard FileManager.default.contents(atPath: path) != data else { return nil }
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure("\(path) cannot be written: \(errorReason(error))")
        }
        return .written(path)
    }

    /// Returns the name with a number before its extension; the name itself for 1.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let url = URL(fileURLWithPath: name)
        let stem = url.deletingPathExtension().lastPathComponent
        return "\(stem) (\(number))" + (url.pathExtension.isEmpty ? "" : "." + url.pathExtension)
    }

    /// Returns a name that is a visible file in the folder.
    private static func fileName(_ name: String) -> String {
        let flat = name.replacingOccurrences(of: "/", with: "_")
        return flat.hasPrefix(".") || flat.isEmpty ? "_" + flat.dropFirst() : flat
    }
}
