import Foundation

extension PHPhotoLibrary {
    func fetchAlbums(_ query: AlbumQuery, _ options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        fetchAlbums(query, selection(of: options))
    }

    private func fetchAlbums(_ query: AlbumQuery, _ selection: AssetQuery) -> PHFetchResult<PHAssetCollection> {
        // `unavailabilityReason` returns the error of a library that cannot be opened.
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
        let requested = titles.filter { subtype == .any || subtype == $0.0 }
        let albums = mayRead() ? requested.map { PHAssetCollection(smart: $0.0, title: $0.1, in: self) } : []
        return PHFetchResult(selection(of: options).select(from: albums)) { nil }
    }

    /// Returns the predicate and limit of the options. Collections cannot be sorted.
    private func selection(of options: PHFetchOptions?) -> AssetQuery {
        AssetQuery(predicate: options?.predicate, limit: max(0, options?.fetchLimit ?? 0))
    }
}
