public import Foundation
import MediaStorage
public import UniformTypeIdentifiers

/// A file of an asset.
///
/// - Important: Thread-safe.
public final class PHAssetResource: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let type: PHAssetResourceType
    /// Empty for a file that belongs to no asset.
    public let assetLocalIdentifier: String
    /// The name of the imported file.
    public let originalFilename: String
    public let uniformTypeIdentifier: String
    /// The type with `uniformTypeIdentifier`. The fallback is never used, because the identifier is not empty.
    public var contentType: UTType { UTType(uniformTypeIdentifier) ?? .quickTimeMovie }
    /// Pixels of the upright image; 0 for a raw photo.
    public let pixelWidth: Int
    public let pixelHeight: Int
    /// The size of the file in bytes.
    package let byteCount: Int64
    /// The SHA-256 checksum of the file in hexadecimal digits; nil if it is not known.
    package let checksum: String?
    let library: PHPhotoLibrary
    private let file: File

    private enum File {
        /// The name in the folder of the originals.
        case original(String)
        /// A file outside of the library.
        case external(URL)
    }

    init(_ record: ResourceRecord, asset: String, in library: PHPhotoLibrary) {
        type = PHAssetResourceType(rawValue: record.type) ?? .photo
        assetLocalIdentifier = asset
        originalFilename = record.originalFilename
        uniformTypeIdentifier = record.uniformTypeIdentifier
        pixelWidth = record.pixelWidth
        pixelHeight = record.pixelHeight
        byteCount = record.byteCount
        checksum = record.checksum
        file = .original(record.fileName)
        self.library = library
    }

    /// Inspects a photo or movie outside of the library.
    ///
    /// - Throws: `.invalidResource` if it cannot be read or has another type.
    init(file url: URL, _ type: PHAssetResourceType, in library: PHPhotoLibrary) throws(PHPhotosError) {
        let properties: MediaProperties
        do {
            properties = try MediaInspector().properties(
                of: url, ResourceDraft(type: type, content: .file(url)), storage: library.storage)
            let content = try library.storage.open(url, for: .reading)
            byteCount = try content.byteCount()
            try content.close()
        } catch {
            throw (error as? PHPhotosError)
                ?? PHPhotosError(.invalidResource, "\(url.path) cannot be read: \(error)", cause: error)
        }
        self.type = type
        assetLocalIdentifier = ""
        originalFilename = url.lastPathComponent
        uniformTypeIdentifier = properties.kind.uniformTypeIdentifier
        pixelWidth = properties.pixelWidth
        pixelHeight = properties.pixelHeight
        checksum = nil
        file = .external(url)
        self.library = library
    }

    /// Returns the files of an asset, the primary one first; an empty array if the asset no longer exists.
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        // The library was open when the asset was fetched. If it cannot be read now, there are no files to return.
        let records = (try? asset.library.store().index.resources(ofAsset: asset.localIdentifier)) ?? []
        return records.map { PHAssetResource($0, asset: asset.localIdentifier, in: asset.library) }
    }

    /// Returns the files of a Live Photo: the photo, then the movie.
    public class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] { livePhoto.resources }

    /// The file extensions of the resource's type, the most common one first.
    package var fileExtensions: [String] {
        let kind = MediaKind.allCases.first { $0.uniformTypeIdentifier == uniformTypeIdentifier }
        let name =
            switch file {
            case .original(let name): name
            case .external(let url): url.lastPathComponent
            }
        let own = kind?.fileExtension ?? URL(fileURLWithPath: name).pathExtension.lowercased()
        return switch own {
        case "jpg": ["jpg", "jpeg"]
        case "heic": ["heic", "heif", "hif"]
        case "mov": ["mov", "qt"]
        case "mp4": ["mp4", "m4v"]
        default: [own]
        }
    }

    /// Compares the file with its entry in the index.
    ///
    /// - Returns: Why the file is damaged, as a clause; nil if it is not.
    package func damageReason() throws(PHPhotosError) -> String? {
        try library.store().damage(of: fileURL(), byteCount: byteCount, checksum: checksum)?.reason
    }

    /// Whether a file has the contents that were imported.
    package func hasContents(of path: String) throws(PHPhotosError) -> Bool {
        try library.store().haveEqualContents(fileURL(), byteCount, checksum, URL(fileURLWithPath: path))
    }

    /// Returns the location of the file, which must not be modified if it is in the library.
    package func fileURL() throws(PHPhotosError) -> URL {
        switch file {
        case .original(let name): try library.store().original(name)
        case .external(let url): url
        }
    }
}
