public import CoreLocation
import Foundation

/// An immutable snapshot of an album or smart album.
///
/// - Important: Thread-safe.
public final class PHAssetCollection: PHCollection, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let assetCollectionType: PHAssetCollectionType
    public let assetCollectionSubtype: PHAssetCollectionSubtype
    /// The number of assets including hidden ones; `NSNotFound` for a smart album.
    public let estimatedAssetCount: Int
    /// The creation date of the oldest asset; nil for an empty album and for a smart album.
    public let startDate: Date?
    /// The creation date of the newest asset; nil for an empty album and for a smart album.
    public let endDate: Date?
    /// Always nil: the library does not compute locations of collections.
    public var approximateLocation: CLLocation? { nil }
    public var localizedLocationNames: [String] { [] }
    /// The identifiers of a transient collection's assets; nil for a collection of the library.
    private let transientAssets: [String]?

    init(_ album: AlbumSummary, in library: PHPhotoLibrary) {
        assetCollectionType = .album
        assetCollectionSubtype = .albumRegular
        estimatedAssetCount = album.assetCount
        startDate = album.startDate.map(Date.init(timeIntervalSince1970:))
        endDate = album.endDate.map(Date.init(timeIntervalSince1970:))
        transientAssets = nil
        super.init(localIdentifier: album.localIdentifier, title: album.title, containsAssets: true, in: library)
    }

    init(smart subtype: PHAssetCollectionSubtype, title: String, in library: PHPhotoLibrary) {
        assetCollectionType = .smartAlbum
        assetCollectionSubtype = subtype
        estimatedAssetCount = NSNotFound
        startDate = nil
        endDate = nil
        transientAssets = nil
        super.init(
            localIdentifier: "smart-album-\(subtype.rawValue)", title: title, containsAssets: true, in: library)
    }

    private init(_ assets: [PHAsset], title: String?, in library: PHPhotoLibrary) {
        assetCollectionType = .album
        assetCollectionSubtype = .albumRegular
        estimatedAssetCount = assets.count
        startDate = assets.compactMap(\.creationDate).min()
        endDate = assets.compactMap(\.creationDate).max()
        transientAssets = assets.map(\.localIdentifier)
        super.init(
            localIdentifier: library.makeTransientIdentifier(of: .album), title: title, containsAssets: true,
            in: library)
    }

    override var isEditable: Bool { assetCollectionType == .album && transientAssets == nil }

    /// Fetches collections of a type. Albums are in the order of their creation.
    ///
    /// Of the options, only the predicate and the limit have an effect. The result is empty without authorization to
    /// read.
    public class func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        let library = PHPhotoLibrary.shared()
        switch type {
        case .smartAlbum: return library.fetchSmartAlbums(subtype, options)
        case .album where subtype == .any || subtype == .albumRegular: return library.fetchAlbums(AlbumQuery(), options)
        case .album, .moment: return PHFetchResult([]) { nil }
        }
    }

    /// Fetches the albums, and then the smart albums, with these identifiers. Other identifiers are ignored.
    public class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHPhotoLibrary.shared().fetchAlbums(AlbumQuery(localIdentifiers: identifiers), options)
    }

    /// Fetches the albums that contain an asset. The result is empty for types other than `.album`.
    public class func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type == .album else { return PHFetchResult([]) { nil } }
        return asset.library.fetchAlbums(AlbumQuery(assetIdentifier: asset.localIdentifier), options)
    }

    /// Returns an empty result: the library has no moments.
    public class func fetchMoments(
        inMomentList momentList: PHCollectionList, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult([]) { nil }
    }

    /// Returns an empty result: the library has no moments.
    public class func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        PHFetchResult([]) { nil }
    }

    /// Creates a collection that is not saved in the library.
    public class func transientAssetCollection(with assets: [PHAsset], title: String?) -> PHAssetCollection {
        PHAssetCollection(assets, title: title, in: assets.first?.library ?? PHPhotoLibrary.shared())
    }

    /// Creates a collection that is not saved in the library.
    public class func transientAssetCollection(
        withAssetFetchResult fetchResult: PHFetchResult<PHAsset>, title: String?
    ) -> PHAssetCollection {
        transientAssetCollection(with: fetchResult.objects, title: title)
    }

    /// The query for the collection's assets.
    var query: AssetQuery {
        if let transientAssets { return AssetQuery(localIdentifiers: transientAssets, keepsIdentifierOrder: true) }
        return assetCollectionType == .album
            ? AssetQuery(albumIdentifier: localIdentifier) : AssetQuery(smartAlbum: assetCollectionSubtype, in: library)
    }
}

extension PHAsset {
    /// Fetches the assets of an album, by default in its order.
    public class func fetchAssets(
        in assetCollection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        assetCollection.library.fetch(assetCollection.query, options)
    }

    /// Fetches the asset that represents a collection: its first one.
    ///
    /// - Returns: Nil if the collection is empty.
    public class func fetchKeyAssets(
        in assetCollection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset>? {
        let result = assetCollection.library.fetch(assetCollection.query, options, limit: 1)
        return result.count > 0 ? result : nil
    }
}
