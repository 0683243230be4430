public import Foundation

/// The type of a collection.
public enum PHAssetCollectionType: Int, Sendable, Hashable, CaseIterable {
    /// Created by a program or a user.
    case album = 1
    /// Defined by the properties of its assets.
    case smartAlbum = 2
}

/// The subtype of a collection.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
    case albumRegular = 2
    case smartAlbumVideos = 202
    case smartAlbumFavorites = 203
    case smartAlbumAllHidden = 205
    case smartAlbumUserLibrary = 209
    case any = 0x7FFF_FFFF_FFFF_FFFF
}

/// A collection of assets.
public class PHCollection: PHObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let localizedTitle: String?
    public let canContainAssets = true
    public let canContainCollections = false

    init(localIdentifier: String, title: String?) {
        localizedTitle = title
        super.init(localIdentifier: localIdentifier)
    }
}

/// An immutable snapshot of an album, or a smart album.
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
    let library: PHPhotoLibrary

    init(_ album: AlbumSummary, in library: PHPhotoLibrary) {
        assetCollectionType = .album
        assetCollectionSubtype = .albumRegular
        estimatedAssetCount = album.assetCount
        startDate = album.startDate.map(Date.init(timeIntervalSince1970:))
        endDate = album.endDate.map(Date.init(timeIntervalSince1970:))
        self.library = library
        super.init(localIdentifier: album.localIdentifier, title: album.title)
    }

    init(smart subtype: PHAssetCollectionSubtype, title: String, in library: PHPhotoLibrary) {
        assetCollectionType = .smartAlbum
        assetCollectionSubtype = subtype
        estimatedAssetCount = NSNotFound
        startDate = nil
        endDate = nil
        self.library = library
        super.init(localIdentifier: "smart-album-\(subtype.rawValue)", title: title)
    }

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
        case .album: return PHFetchResult([]) { nil }
        }
    }

    /// Fetches the albums with these identifiers. Identifiers that do not exist are ignored.
    public class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHPhotoLibrary.shared().fetchAlbums(AlbumQuery(localIdentifiers: identifiers), options)
    }

    /// Fetches the albums that contain an asset.
    public class func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type == .album else { return PHFetchResult([]) { nil } }
        return asset.library.fetchAlbums(AlbumQuery(assetIdentifier: asset.localIdentifier), options)
    }

    /// The query for the collection's assets.
    var query: AssetQuery {
        switch assetCollectionSubtype {
        case .albumRegular: AssetQuery(albumIdentifier: localIdentifier)
        case .smartAlbumVideos: AssetQuery(mediaType: .video)
        case .smartAlbumFavorites: AssetQuery(isFavorite: true)
        case .smartAlbumAllHidden: AssetQuery(isHidden: true, includesHidden: true)
        case .smartAlbumUserLibrary, .any: AssetQuery()
        }
    }
}

extension PHAsset {
    /// Fetches the assets of an album, by default in its order.
    public class func fetchAssets(
        in assetCollection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        assetCollection.library.fetch(assetCollection.query, options)
    }
}
