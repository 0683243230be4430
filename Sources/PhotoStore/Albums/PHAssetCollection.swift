public import Foundation

/// What makes a collection.
public enum PHAssetCollectionType: Int, Sendable, Hashable, CaseIterable {
    /// Made by a program or a user.
    case album = 1
    /// Made by what its assets are.
    case smartAlbum = 2
}

/// What a collection holds.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
    case albumRegular = 2
    case smartAlbumVideos = 202
    case smartAlbumFavorites = 203
    case smartAlbumAllHidden = 205
    case smartAlbumUserLibrary = 209
    case any = 0x7FFF_FFFF_FFFF_FFFF
}

/// Something that holds assets or other collections.
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

/// An album as it was when it was fetched, or a smart album.
///
/// - Important: Thread-safe.
public final class PHAssetCollection: PHCollection, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let assetCollectionType: PHAssetCollectionType
    public let assetCollectionSubtype: PHAssetCollectionSubtype
    /// How many assets it holds, hidden ones too; `NSNotFound` for a smart album, which is not counted.
    public let estimatedAssetCount: Int
    /// The creation dates of the oldest and newest asset; nil where there is none, and for smart albums.
    public let startDate: Date?
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

    /// Fetches collections of a type; albums stand in the order in which they were made.
    ///
    /// Of the options, the predicate and the limit count. Empty without consent to read.
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

    /// Fetches the albums with these identifiers; those that are not there are left out.
    public class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        PHPhotoLibrary.shared().fetchAlbums(AlbumQuery(localIdentifiers: identifiers), options)
    }

    /// Fetches the albums that hold an asset.
    public class func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        guard type == .album else { return PHFetchResult([]) { nil } }
        return asset.library.fetchAlbums(AlbumQuery(assetIdentifier: asset.localIdentifier), options)
    }

    /// What its assets are.
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
    /// Fetches the assets of an album, in its order where the options give none.
    public class func fetchAssets(
        in assetCollection: PHAssetCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> {
        assetCollection.library.fetch(assetCollection.query, options)
    }
}
