public import Foundation

/// One of the files that make up an asset.
///
/// - Important: Thread-safe.
public final class PHAssetResource: NSObject, @unchecked Sendable {
    // SAFETY: constants only.
    public let type: PHAssetResourceType
    public let assetLocalIdentifier: String
    /// The name under which the file came.
    public let originalFilename: String
    public let uniformTypeIdentifier: String
    /// Pixels of the picture as it is shown; 0 where it holds none.
    public let pixelWidth: Int
    public let pixelHeight: Int
    package let byteCount: Int64
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
        fileName = record.fileName
        self.library = library
    }

    /// The files of an asset, the one that is shown first; none where the asset is gone.
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        // An asset that was fetched comes from a library that could be opened; if it cannot be read now, nothing can.
        let records = (try? asset.library.store().index.resources(ofAsset: asset.localIdentifier)) ?? []
        return records.map { PHAssetResource($0, asset: asset.localIdentifier, in: asset.library) }
    }

    /// The endings that the names of such files have; the first is the usual one.
    package var fileExtensions: [String] {
        let own = URL(fileURLWithPath: fileName).pathExtension.lowercased()
        return switch own {
        case "jpg": ["jpg", "jpeg"]
        case "mov": ["mov", "qt"]
        case "mp4": ["mp4", "m4v"]
        default: [own]
        }
    }

    /// Where the file lies; it is the library's and must not be changed.
    package func fileURL() throws(PHPhotosError) -> URL {
        try library.store().folder.original(fileName)
    }
}
