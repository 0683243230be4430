public import Foundation

/// A picture or movie in the photo library, as it was when it was fetched.
///
/// - Important: Thread-safe.
public final class PHAsset: PHObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let mediaType: PHAssetMediaType
    public let mediaSubtypes: PHAssetMediaSubtype
    /// Pixels of the picture as it is shown, upright.
    public let pixelWidth: Int
    public let pixelHeight: Int
    /// Seconds; 0 for pictures.
    public let duration: TimeInterval
    /// When it was taken: as set, else as the file tells, else when it was added.
    public let creationDate: Date?
    public let modificationDate: Date?
    public let addedDate: Date?
    public let isFavorite: Bool
    public let isHidden: Bool
    let thumbnailName: String
    let library: PHPhotoLibrary

    init(_ record: AssetRecord, in library: PHPhotoLibrary) {
        mediaType = PHAssetMediaType(rawValue: record.mediaType) ?? .unknown
        mediaSubtypes = PHAssetMediaSubtype(rawValue: UInt(record.mediaSubtypes))
        pixelWidth = record.pixelWidth
        pixelHeight = record.pixelHeight
        duration = record.duration
        creationDate = Date(timeIntervalSince1970: record.creationDate)
        modificationDate = Date(timeIntervalSince1970: record.modificationDate)
        addedDate = Date(timeIntervalSince1970: record.addedDate)
        isFavorite = record.isFavorite
        isHidden = record.isHidden
        thumbnailName = record.thumbnailName
        self.library = library
        super.init(localIdentifier: record.localIdentifier)
    }

    /// Fetches all assets of the current system's library; without an order they stand as they were imported.
    ///
    /// The result is empty without consent to read, or where the library cannot be opened
    /// (`PHPhotoLibrary.unavailabilityReason`).
    public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.shared().fetch(AssetQuery(), options)
    }

    /// Fetches the assets of one type.
    public class func fetchAssets(
        with mediaType: PHAssetMediaType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.shared().fetch(AssetQuery(mediaType: mediaType), options)
    }

    /// Fetches the assets with these identifiers; those that are not there are left out.
    public class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.shared().fetch(AssetQuery(localIdentifiers: identifiers, includesHidden: true), options)
    }
}
