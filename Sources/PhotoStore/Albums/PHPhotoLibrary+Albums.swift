import Foundation

extension PHPhotoLibrary {
    /// Fetches albums; if the query names smart albums, fetches them too. The result is empty without authorization to
    /// read.
    func fetchAlbums(_ query: AlbumQuery, _ options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> {
        fetchAlbums(query, filter(of: options))
    }

    private func fetchAlbums(_ query: AlbumQuery, _ filter: AssetQuery) -> PHFetchResult<PHAssetCollection> {
        // If the library cannot be opened, the result is empty; clients read the error from `unavailabilityReason`.
        let albums = mayReadCollections() ? (try? store().index.albums(matching: query)) ?? [] : []
        let collections = albums.map { PHAssetCollection($0, in: self) } + smartAlbums(query.localIdentifiers ?? [])
        return PHFetchResult(filter.select(from: collections)) { [weak self] in self?.fetchAlbums(query, filter) }
    }

    /// Returns the smart albums with these identifiers; none without authorization to read.
    private func smartAlbums(_ identifiers: [String]) -> [PHAssetCollection] {
        guard !identifiers.isEmpty else { return [] }
        let albums = AssetQuery.smartAlbums.map { PHAssetCollection(smart: $0.subtype, title: $0.title, in: self) }
            .filter { identifiers.contains($0.localIdentifier) }
        return !albums.isEmpty && mayRead() ? albums : []
    }

    /// Fetches the smart album of a subtype, or all for `.any`. The result is empty without authorization to read.
    func fetchSmartAlbums(
        _ subtype: PHAssetCollectionSubtype, _ options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        let requested = AssetQuery.smartAlbums.filter { subtype == .any || subtype == $0.subtype }
        let albums =
            mayRead() ? requested.map { PHAssetCollection(smart: $0.subtype, title: $0.title, in: self) } : []
        return PHFetchResult(filter(of: options).select(from: albums)) { nil }
    }

    /// Returns the predicate and limit of the options. Collections cannot be sorted.
    func filter(of options: PHFetchOptions?) -> AssetQuery {
        AssetQuery(predicate: options?.predicate, limit: max(0, options?.fetchLimit ?? 0))
    }

    /// Fetches folders in the order of their creation. The result is empty without authorization to read.
    func fetchCollectionLists(
        _ query: CollectionListQuery, _ options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        fetchCollectionLists(query, filter(of: options))
    }

    private func fetchCollectionLists(
        _ query: CollectionListQuery, _ filter: AssetQuery
    ) -> PHFetchResult<PHCollectionList> {
        // If the library cannot be opened, the result is empty, as in `fetchAlbums`.
        let records = mayReadCollections() ? (try? store().index.collectionLists(matching: query)) ?? [] : []
        let lists = filter.select(from: records.map { PHCollectionList($0, in: self) })
        return PHFetchResult(lists) { [weak self] in self?.fetchCollectionLists(query, filter) }
    }

    /// Fetches the albums and folders in a folder. The result is empty without authorization to read.
    func fetchChildren(of list: String, _ options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        fetchChildren(of: list, filter(of: options))
    }

    private func fetchChildren(of list: String, _ filter: AssetQuery) -> PHFetchResult<PHCollection> {
        // If the library cannot be opened, the result is empty, as in `fetchAlbums`.
        let children = mayReadCollections() ? (try? collections(in: list)) ?? [] : []
        return PHFetchResult(filter.select(from: children)) { [weak self] in self?.fetchChildren(of: list, filter) }
    }

    private func collections(in list: String) throws -> [PHCollection] {
        let index = try store().index
        let identifiers = try index.children(of: list)
        let albums = try index.albums(matching: AlbumQuery(localIdentifiers: identifiers))
        let lists = try index.collectionLists(matching: CollectionListQuery(localIdentifiers: identifiers))
        var collections: [String: PHCollection] = [:]
        for album in albums { collections[album.localIdentifier] = PHAssetCollection(album, in: self) }
        for list in lists { collections[list.localIdentifier] = PHCollectionList(list, in: self) }
        return identifiers.compactMap { collections[$0] }
    }
}
