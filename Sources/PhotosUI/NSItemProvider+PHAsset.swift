import Foundation
import FoundationAdditions
import PhotoStore

extension PHLivePhoto: NSItemProviderReading {
    /// The identifier of a folder with the photo and the movie.
    static let bundleTypeIdentifier = "com.apple.live-photo-bundle"

    public static var readableTypeIdentifiersForItemProvider: [String] { [bundleTypeIdentifier] }

    /// Throws an error: a Live Photo consists of two files. `NSItemProvider.loadObject` creates one of a picked asset.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        throw CocoaError(.fileReadUnsupportedScheme)
    }
}

extension NSItemProvider {
    /// Creates a provider of an asset: of a Live Photo also as a folder with both files and as a `PHLivePhoto`, and of
    /// each photo and movie as its file, the edited one if it was edited.
    ///
    /// - Parameter isCompatible: Whether photos and movies in formats that not all programs support are converted. The
    ///   files of a Live Photo are not.
    convenience init(_ asset: PHAsset, isCompatible: Bool) {
        self.init()
        let photo = asset.displayedResource
        if asset.mediaSubtypes.contains(.photoLive) {
            registerObject(ofClass: PHLivePhoto.self) { try PHLivePhoto(asset) }
            registerFile(
                forTypeIdentifier: PHLivePhoto.bundleTypeIdentifier,
                writer: FileWriter { folder in
                    let url = folder.appendingPathComponent(asset.baseName).appendingPathExtension("pvt")
                    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                    for resource in PHAssetResource.assetResources(for: try PHLivePhoto(asset)) {
                        _ = try resource.write(into: url)
                    }
                    return url
                } remove: { url in
                    // Without the folder, the client has moved it.
                    for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] {
                        asset.library.removeWrittenFile(url.appendingPathComponent(name))
                    }
                })
        }
        guard let photo else { return }
        suggestedName = asset.baseName
        let converted = isCompatible ? CompatibleFile(photo) : nil
        registerFile(
            forTypeIdentifier: converted?.uniformTypeIdentifier ?? photo.uniformTypeIdentifier,
            writer: FileWriter {
                try converted?.write(into: $0) ?? photo.write(into: $0)
            } remove: {
                asset.library.removeWrittenFile($0)
            })
    }
}

extension PHAsset {
    /// The file of the displayed photo or movie: the edited one, otherwise the original. Nil if the asset no longer exists.
    fileprivate var displayedResource: PHAssetResource? {
        let resources = PHAssetResource.assetResources(for: self)
        return resources.last(where: \.type.isEditedContent) ?? resources.first
    }

    /// The name of the original without its extension.
    fileprivate var baseName: String {
        let name = PHAssetResource.assetResources(for: self).first?.originalFilename ?? "item"
        return URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
    }
}

extension PHAssetResource {
    /// Writes the file into a folder, with its original name, and compares it with its checksum.
    fileprivate func write(into folder: URL) throws -> URL {
        let url = folder.appendingPathComponent(URL(fileURLWithPath: originalFilename).lastPathComponent)
        try PHAssetResourceManager.default().write(self, to: url)
        return url
    }
}
