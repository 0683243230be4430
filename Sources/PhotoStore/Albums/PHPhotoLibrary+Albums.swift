import Foundation

extension PHPhotoLibrary {
    /// Fetches albums. The result is empty without authorization to read.
    func fetchAlbums(_ query: AlbumQuery, _ options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        fetchAlbums(query, collectionFilter(of: options))
    }

    private func fetchAlbums(_ query: AlbumQuery, _ filter: AssetQuery) -> PHFetchResult<PHAssetCollection> {
        // If the library cannot be opened, the result is empty; clients read the error from `unavailabilityReason`.
        let albums = mayRead() ? (try? store().index.albums(matching: query)) ?? [] : []
        let collections = filter.select(from: albums.map { PHAssetCollection($0, in: self) })
        return PHFetchResult(collections) { [weak self] in self?.fetchAlbums(query, filter) }
    }

    /// Fetches the smart album of a subtype, or all for `.any`. The result is empty without authorization to read.
    func fetchSmartAlbums(
        _ subtype: PHAssetCollectionSubtype, _ options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        let titles: [(PHAssetCollectionSubtype, String)] = [
            (.smartAlbumUserLibrary, "Recents"), (.smartAlbumFavorites, "Favorites"), (.smartAlbumVideos, "Videos"),
            (.smartAlbumAllHidden, "Hidden"),
        ]
        let requested = titles.filter { subtype == .any || subtype == $0.0 }
        let albums = mayRead() ? requested.map { PHAssetCollection(smart: $0.0, title: $0.1, in: self) } : []
        return PHFetchResult(collectionFilter(of: options).select(from: albums)) { nil }
    }

    /// Returns the predicate and limit of the options. Collections cannot be sorted.
    private func collectionFilter(of options: PHFetchOptions?) -> AssetQuery {
        AssetQuery(predicate: options?.predicate, limit: max(0, options?.fetchLimit ?? 0))
    }
}
