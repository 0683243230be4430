public import CoreLocation
public import Foundation

/// An immutable snapshot of a photo or movie in the photo library.
///
/// - Important: Thread-safe.
public final class PHAsset: PHObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let mediaType: PHAssetMediaType
    public let mediaSubtypes: PHAssetMediaSubtype
    /// Pixels of the upright image.
    public let pixelWidth: Int
    public let pixelHeight: Int
    /// Seconds; 0 for photos.
    public let duration: TimeInterval
    /// The capture date: the date that a change request set, otherwise the date in the file, otherwise the import date.
    public let creationDate: Date?
    public let modificationDate: Date?
    public let addedDate: Date?
    public let isFavorite: Bool
    public let isHidden: Bool
    /// The stars that a change request set. Those in the metadata of the file are ignored.
    public let rating: Rating
    /// Where the photo or movie was taken: the location that a change request set, otherwise that in the file.
    public let location: CLLocation?
    /// Whether the content was edited.
    public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }
    /// The format identifier of the adjustment data of an edited asset.
    public let adjustmentFormatIdentifier: String?
    /// The manufacturer and the name of the camera in the metadata of the file; nil if unknown.
    package let cameraMake: String?
    package let cameraModel: String?
    /// The identifier of the burst that the photo belongs to: the one in the maker note of Apple's cameras.
    public let burstIdentifier: String?
    let thumbnailName: String
    /// The number of the asset in the index.
    let row: Int64?
    package let library: PHPhotoLibrary

    /// Returns why the library has no thumbnail of the asset, as a clause that refers to it as "it"; nil if there is one.
    package func missingThumbnailReason() throws -> String? { try ImageSource(self).missingThumbnailReason() }

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
        rating = Rating(rawValue: record.rating) ?? .unset
        if let latitude = record.latitude, let longitude = record.longitude {
            location = CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
                altitude: record.altitude ?? 0, horizontalAccuracy: 0,
                verticalAccuracy: record.altitude == nil ? -1 : 0,
                timestamp: Date(timeIntervalSince1970: record.creationDate))
        } else {
            location = nil
        }
        adjustmentFormatIdentifier = record.adjustmentFormat
        cameraMake = record.cameraMake
        cameraModel = record.cameraModel
        burstIdentifier = record.burstIdentifier
        thumbnailName = record.thumbnailName
        row = record.id
        self.library = library
        super.init(localIdentifier: record.localIdentifier)
    }

    /// Fetches all assets of the current system's library, by default in the order of their import.
    ///
    /// The result is empty without authorization to read, or if the library cannot be opened
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

    /// Fetches the assets with these identifiers. Identifiers that do not exist are ignored.
    public class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.shared().fetch(AssetQuery(localIdentifiers: identifiers, includesHidden: true), options)
    }
}
