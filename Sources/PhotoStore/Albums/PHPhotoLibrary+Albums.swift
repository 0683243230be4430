import Foundation

extension PHPhotoLibrary {
    func fetchAlbums(_ query: AlbumQuery, _ options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        fetchAlbums(query, selection(of: options))
    }

    private func fetchAlbums(_ query: AlbumQuery, _ selection: AssetQuery) -> PHFetchResult<PHAssetCollection> {
        // As with assets, `unavailabilityReason` tells why a library that cannot be opened is empty.
        let albums = mayRead() ? (try? store().index.albums(matching: query)) ?? [] : []
        let collections = selection.select(from: albums.map { PHAssetCollection($0, in: self) })
        return PHFetchResult(collections) { [weak self] in self?.fetchAlbums(query, selection) }
    }

    func fetchSmartAlbums(
        _ subtype: PHAssetCollectionSubtype, _ options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        let titles: [(PHAssetCollectionSubtype, String)] = [
            (.smartAlbumUserLibrary, "Recents"), (.smartAlbumFavorites, "Favorites"), (.smartAlbumVideos, "Videos"),
            (.smartAlbumAllHidden, "Hidden"),
        ]
        let wanted = titles.filter { subtype == .any || subtype == $0.0 }
        let albums = mayRead() ? wanted.map { PHAssetCollection(smart: $0.0, title: $0.1, in: self) } : []
        return PHFetchResult(selection(of: options).select(from: albums)) { nil }
    }

    /// The predicate and limit of the options; collections stand in an order of their own.
    private func selection(of options: PHFetchOptions?) -> AssetQuery {
        AssetQuery(predicate: options?.predicate, limit: max(0, options?.fetchLimit ?? 0))
    }
}
