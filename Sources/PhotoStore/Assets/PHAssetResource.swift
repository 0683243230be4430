public import Foundation
public import UniformTypeIdentifiers

/// A file of an asset.
///
/// - Important: Thread-safe.
public final class PHAssetResource: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let type: PHAssetResourceType
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
    private let fileName: String

    init(_ record: ResourceRecord, asset: String, in library: PHPhotoLibrary) {
        type = PHAssetResourceType(rawValue: record.type) ?? .photo
        assetLocalIdentifier = asset
        originalFilename = record.originalFilename
        uniformTypeIdentifier = record.uniformTypeIdentifier
        pixelWidth = record.pixelWidth
        pixelHeight = record.pixelHeight
        byteCount = record.byteCount
        checksum = record.checksum
        fileName = record.fileName
        self.library = library
    }

    /// Returns the files of an asset, the primary one first; an empty array if the asset no longer exists.
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        // The library was open when the asset was fetched. If it cannot be read now, there are no files to return.
        let records = (try? asset.library.store().index.resources(ofAsset: asset.localIdentifier)) ?? []
        return records.map { PHAssetResource($0, asset: asset.localIdentifier, in: asset.library) }
    }

    /// The file extensions of the resource's type, the most common one first.
    package var fileExtensions: [String] {
        let own = URL(fileURLWithPath: fileName).pathExtension.lowercased()
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

    /// Returns the location of the file in the library, which must not be modified.
    package func fileURL() throws(PHPhotosError) -> URL {
        try library.store().original(fileName)
    }
}
