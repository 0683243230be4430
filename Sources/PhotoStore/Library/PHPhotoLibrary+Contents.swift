package import Foundation

extension PHPhotoLibrary {
    /// An asset of the library, regardless of the authorization of the app.
    package struct StoredAsset: Sendable, Hashable {
        package var localIdentifier: String
        package var mediaType: PHAssetMediaType
        package var pixelWidth: Int
        package var pixelHeight: Int
        /// In seconds; 0 for photos.
        package var duration: Double
        package var isFavorite: Bool
        package var isHidden: Bool
        /// The titles of the albums with the asset, in the order of their creation.
        package var albums: [String]
    }

    /// Returns all assets in the order of their import, regardless of the authorization and the availability.
    package func storedAssets() throws(PHPhotosError) -> [StoredAsset] {
        let index = try openStore().index
        var query = AssetQuery()
        query.includesAllBurstPhotos = true
        query.includesHidden = true
        let titles = try index.albumTitles()
        return try index.assets(matching: query).map { record in
            StoredAsset(
                localIdentifier: record.localIdentifier,
                mediaType: PHAssetMediaType(rawValue: record.mediaType) ?? .unknown, pixelWidth: record.pixelWidth,
                pixelHeight: record.pixelHeight, duration: record.duration, isFavorite: record.isFavorite,
                isHidden: record.isHidden, albums: titles[record.localIdentifier] ?? [])
        }
    }

    /// Returns the local identifier of the oldest asset whose original photo or movie has the same contents as a file;
    /// nil if there is none. Hidden assets are included, regardless of the authorization.
    package func asset(withOriginal url: URL) throws(PHPhotosError) -> String? {
        try openStore().asset(withOriginal: url)
    }

    /// Returns the asset with a local identifier, regardless of the authorization, also one in Recently Deleted; nil if
    /// there is none.
    package func storedAsset(_ localIdentifier: String) throws(PHPhotosError) -> PHAsset? {
        let query = AssetQuery(localIdentifiers: [localIdentifier], includesHidden: true, isDeleted: nil)
        return try openStore().index.assets(matching: query).first.map { PHAsset($0, in: self) }
    }

    /// Returns the assets that match a query, in its order, regardless of the authorization.
    package func listedAssets(_ query: ListedAssetQuery) throws(PHPhotosError) -> [ListedAsset] {
        try openStore().listedAssets(query)
    }

    /// Compares the index with the files of the library, regardless of the authorization, and changes nothing.
    ///
    /// Reads all files.
    package func differences() throws(PHPhotosError) -> LibraryDifferences { try openStore().differences() }

    /// Repairs the differences that can be repaired without loss, regardless of the authorization.
    ///
    /// - Returns: The repairs, in order.
    package func repair(_ differences: LibraryDifferences) throws(PHPhotosError) -> [LibraryRepair] {
        try openStore().repair(differences)
    }

    /// Returns the files of the library that its index does not list, and changes nothing.
    package func unlistedFiles() throws(PHPhotosError) -> [URL] { try openStore().unlistedFiles() }

    /// Returns the titles of the albums that contain an asset, in the order of their creation, regardless of the
    /// authorization.
    package func albumTitles(containing localIdentifier: String) throws(PHPhotosError) -> [String] {
        try openStore().index.albums(matching: AlbumQuery(assetIdentifier: localIdentifier)).map(\.title)
    }

    /// Returns the titles of all albums in the order of their creation, regardless of the authorization.
    package func storedAlbums() throws(PHPhotosError) -> [String] {
        try openStore().index.albums(matching: AlbumQuery()).map(\.title)
    }

    /// Makes the library unavailable, as if its volume were unmounted, or available again.
    ///
    /// While it is unavailable, fetches return nothing and changes fail with `libraryVolumeOffline`.
    package func setAvailable(_ isAvailable: Bool) {
        let hasBecomeUnavailable = state.withLock { state in
            defer { state.isAvailable = isAvailable }
            return state.isAvailable && !isAvailable
        }
        if hasBecomeUnavailable { notifyUnavailable() }
    }
}
